package extract

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// survey compares the managed folder with what the ledger knew of it.
type survey struct {
	entries []vault.Entry
	rows    []ledger.NoteFile
	at      map[string][]string   // id → all paths where it was found
	idless  map[string]vault.Note // id → what lies where it lay, and bears no id any more
	changed []vault.Note          // notes that are new or other than last seen
	missing []ledger.NoteFile     // notes that no longer lie where they were
	astray  []ledger.NoteFile     // those of them that went with a checkout
	unread  bool                  // a file that may be any note could not be read
	foreign observe.SeenFiles     // notes that are none of ours, as they were last seen
}

// lookAtVault finds what the user did to the notes since the last pass: edits,
// moves, deletions, copies. Each becomes a fact and makes due what shows it.
func (p *pass) lookAtVault(ctx context.Context) error {
	entries, err := p.Vault.Scan(ctx)
	if err != nil {
		return err
	}
	p.files = make(map[string]vault.Stamp, len(entries))
	for _, e := range entries {
		p.files[e.Path] = e.Stamp
	}
	searched, err := p.loadAway()
	if err != nil {
		return err
	}
	then, err := p.Ledger.Value(ledger.VaultPrint)
	if err = errors.Join(err, p.sweep(ctx)); err == nil {
		err = p.followFiles(ctx)
	}
	if err != nil {
		return err
	}
	if searched && bytes.Equal(then, p.snapshot().Fingerprint()) {
		p.noteHead()
		return p.missOwned()
	}
	if err := p.reconcile(ctx, entries); err != nil {
		return err
	}
	if err := p.missOwned(); err != nil {
		return err
	}
	if err := p.meetFiles(ctx); err != nil {
		return err
	}
	if !searched && len(entries) > 0 {
		return p.findAway(ctx)
	}
	return nil
}

func (p *pass) reconcile(ctx context.Context, entries []vault.Entry) error {
	s := survey{entries: entries, at: map[string][]string{}, idless: map[string]vault.Note{}}
	var err error
	if s.rows, err = p.Ledger.NoteFiles(); err != nil {
		return err
	}
	if s.foreign, err = observe.LoadSeenFiles(p.Ledger, ledger.Foreign); err != nil {
		return err
	}
	p.compare(&s)
	p.settleTwins(&s)
	if err := p.lookAway(&s); err != nil {
		return err
	}
	if err := p.takeMissing(ctx, &s); err != nil {
		return err
	}
	for _, n := range s.changed {
		err := p.alone(ctx, func() error { return p.takeChanged(n) }, func(err error) { p.unreadable(n.Path, err) })
		if err != nil {
			return err
		}
	}
	return p.letGo(s.astray)
}

// sweep clears what an interrupted run left behind.
func (p *pass) sweep(ctx context.Context) error {
	left, err := p.Vault.Sweep(ctx)
	if err != nil {
		return err
	}
	for _, l := range left {
		if l.Rescued != "" {
			p.problem(Problem{Path: l.Rescued, Error: "text of an interrupted run was put aside",
				Hint: "look at it, take over what you need, then delete it"})
		}
	}
	return nil
}

// compare finds the notes that changed and those that are not where they were.
func (p *pass) compare(s *survey) {
	byPath := make(map[string]ledger.NoteFile, len(s.rows))
	for _, r := range s.rows {
		if r.State.Stands() || r.State == ledger.Broken {
			byPath[r.Path] = r
		}
	}
	relabelled := map[string]vault.Note{} // id → what lies where it lay, and bears one that nobody knows
	for _, e := range s.entries {
		row, known := byPath[e.Path]
		if known && row.State.Stands() && row.Stamp == observe.StampOf(e.Stamp) {
			s.at[row.ID] = append(s.at[row.ID], e.Path)
			delete(byPath, e.Path)
			continue
		}
		if !known && s.foreign.Has(observe.UnmanagedNote(e)) {
			continue
		}
		n, err := p.Vault.Load(e.Path)
		if err == nil && !p.isOurs(n) {
			n.ID = ""
		}
		switch {
		case errors.Is(err, vault.ErrTooLarge) && !known: // none of ours
			s.foreign.Add(observe.UnmanagedNote(e))
		case err != nil:
			p.unreadable(e.Path, err)
			s.unread = s.unread || !known
		case n.ID == "" && known:
			s.idless[row.ID] = n
		case n.ID == "":
			s.foreign.Add(observe.UnmanagedNote(e))
		case known && n.ID != row.ID && isNew(p.Ledger, n.ID):
			relabelled[row.ID] = n
		default:
			s.at[n.ID] = append(s.at[n.ID], e.Path)
			s.changed = append(s.changed, n)
		}
		if n.ID == "" || n.ID == row.ID {
			delete(byPath, e.Path)
		}
	}
	settleRelabelled(p.Vault, s, relabelled, byPath)
	p.marks[ledger.Foreign] = s.foreign.Encode()
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		if row := byPath[path]; len(s.at[row.ID]) == 0 {
			s.missing = append(s.missing, row)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.idless)) {
		if n := s.idless[id]; len(s.at[id]) == 0 {
			n.ID, n.Broken = id, idGone
			s.changed = append(s.changed, n)
		}
	}
}

// idGone is why a note is left alone that lies where one of ours lay.
const idGone = "its id is gone"

func isNew(l *ledger.Ledger, id string) bool {
	_, known, err := l.Note(id)
	return err == nil && !known
}

// settleRelabelled decides about notes that lie where another one lay and bear an
// id that nobody knows. Where the other one lies elsewhere now, or was deleted, it
// is a note that is new here; else its id is damaged, and nothing was deleted.
func settleRelabelled(v *vault.Vault, s *survey, found map[string]vault.Note, byPath map[string]ledger.NoteFile) {
	for _, id := range slices.Sorted(maps.Keys(found)) {
		n := found[id]
		if len(s.at[id]) == 0 && !v.Buried(id) {
			s.idless[id] = n
			delete(byPath, n.Path)
			continue
		}
		s.at[n.ID] = append(s.at[n.ID], n.Path)
		s.changed = append(s.changed, n)
	}
}

// unreadable tells of a note that could not be read and has the next pass look
// again. What vanished since the scan is no problem.
func (p *pass) unreadable(path string, err error) {
	p.unsure = true
	if !errors.Is(err, fs.ErrNotExist) {
		p.problem(Problem{Path: path, Error: err.Error(), Hint: "the note is left as it is", Fatal: true})
	}
}

// takeChanged stores what a note says now.
func (p *pass) takeChanged(n vault.Note) error {
	f, err := factsIn(p.Masker, n)
	if err != nil {
		return err
	}
	row, old, known, err := rowOfSeen(p.Ledger, n, f)
	if err != nil {
		return err
	}
	if known && old.State.Stands() {
		row.Reason, row.Refused = old.Reason, old.Refused
	}
	if n.Broken != "" {
		row.State, row.Reason = ledger.Broken, n.Broken
		if old.State != ledger.Broken || old.Reason != n.Broken { // told once
			p.keep(p.fromRoot(n.Path), n.Broken)
		}
	}
	if n.Broken == "" && p.Vault.Buried(n.ID) {
		if row.Reason = deletedOnce; old.Reason != deletedOnce {
			p.keep(p.fromRoot(n.Path), deletedOnce)
		}
	}
	if known && p.linkPath(old) != p.linkPath(row) && old.State != ledger.Planned && n.Broken == "" && !p.expected(old, n) {
		p.report.Notes.Moved++
		p.report.Changed = append(p.report.Changed, Change{Note: p.fromRoot(n.Path), ID: n.ID, Outcome: string(vault.Moved)})
		if err := p.alsoWritten(fileOf(old), n.Path); err != nil {
			return err
		}
	}
	if err := p.storeFacts(old, known, row, f); err != nil {
		return err
	}
	switch {
	case row.Session != "":
		return p.due.mark(ledger.DueSession, row.Session)
	case n.Broken != "":
		return nil
	case f.Type == names.TypeMemory:
		return p.due.mark(ledger.DueNav, n.ID)
	}
	return p.due.mark(ledger.DuePage, n.ID)
}

// rowOfSeen makes the row of a note as it stands, with what only the row it had can
// tell: what we last wrote, where we put it, whose it is.
func rowOfSeen(l *ledger.Ledger, n vault.Note, f facts.Facts) (row, old ledger.NoteRow, known bool, err error) {
	if old, known, err = l.Note(n.ID); err != nil {
		return row, old, known, err
	}
	if row, err = rowOf(f, n); err != nil || !known {
		return row, old, known, err
	}
	row.Base, row.Home = old.Base, old.Home
	if old.Session != "" {
		row.Session = old.Session
	}
	return row, old, known, nil
}

// expected says that a note lies where we put it since the ledger last knew of it
// (a plan was applied): nobody moved it.
func (p *pass) expected(old ledger.NoteRow, n vault.Note) bool {
	return old.Home == n.Path && old.Stamp == [4]int64{}
}

// keep counts a note whose text stays the user's. path is from the vault's root.
func (p *pass) keep(path, reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Notes.Kept++
	p.report.tally.held[path] = true
	p.report.Kept = append(p.report.Kept, KeptNote{Note: path, Reason: reason})
}

// fromRoot is where something lies in the vault that lies so in the managed
// folder, which may be the whole vault.
func (p *pass) fromRoot(at string) string { return path.Join(p.Folder, at) }

// inFolder is where something lies in the managed folder, false for what lies
// elsewhere in the vault.
func inFolder(folder, at string) (string, bool) {
	if folder == wholeVault {
		return at, true
	}
	return strings.CutPrefix(at, folder+"/")
}

// snapshot is the vault as this pass knows it.
func (p *pass) snapshot() observe.Snapshot {
	return observe.Snapshot{Files: p.files, Elsewhere: p.away}
}
