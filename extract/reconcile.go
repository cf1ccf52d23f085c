package extract

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// survey compares the managed folder with what the ledger knew of it.
type survey struct {
	entries []vault.Entry
	rows    []ledger.NoteFile
	changed []vault.Note        // notes that are new or other than last seen
	missing []ledger.NoteFile   // notes that no longer lie where they were
	twins   map[string][]string // id → all paths, for ids found more than once
	known   map[string]ledger.NoteFile
}

// lookAtVault finds what the user did to the notes since the last pass: edits,
// moves, deletions, copies. Each becomes a fact and makes due what shows it.
func (p *pass) lookAtVault(ctx context.Context) error {
	entries, err := p.Vault.Scan(ctx)
	if err != nil {
		return err
	}
	if err := p.sweep(ctx); err != nil {
		return err
	}
	p.files = make(map[string]vault.Stamp, len(entries))
	for _, e := range entries {
		p.files[e.Path] = e.Stamp
	}
	then, err := p.Ledger.Meta(markVault)
	if err != nil {
		return err
	}
	if bytes.Equal(then, printFiles(p.files)) {
		return nil
	}
	return p.reconcile(ctx, entries)
}

func (p *pass) reconcile(ctx context.Context, entries []vault.Entry) error {
	s := survey{entries: entries, twins: map[string][]string{}, known: map[string]ledger.NoteFile{}}
	var err error
	if s.rows, err = p.Ledger.NoteFiles(); err != nil {
		return err
	}
	if err := p.compare(&s); err != nil {
		return err
	}
	if err := p.takeMissing(ctx, &s); err != nil {
		return err
	}
	for _, n := range s.changed {
		if err := p.takeChanged(n, &s); err != nil {
			return err
		}
	}
	if p.Ledger.Fresh() && len(entries) > 0 {
		return p.findAway(ctx)
	}
	return nil
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

func (p *pass) compare(s *survey) error {
	byPath := make(map[string]ledger.NoteFile, len(s.rows))
	for _, r := range s.rows {
		s.known[r.ID] = r
		if r.State == ledger.Present || r.State == ledger.Broken {
			byPath[r.Path] = r
		}
	}
	at := map[string][]string{}
	for _, e := range s.entries {
		row, ok := byPath[e.Path]
		delete(byPath, e.Path)
		if ok && row.State == ledger.Present && row.Stamp == stampOf(e.Stamp) {
			at[row.ID] = append(at[row.ID], e.Path)
			continue
		}
		n, err := p.Vault.Load(e.Path)
		if err != nil {
			p.problem(Problem{Path: e.Path, Error: err.Error(), Hint: "the note is left as it is", Fatal: true})
			continue
		}
		if n.ID == "" && ok {
			n.ID, n.Broken = row.ID, "its id is gone"
		}
		if n.ID != "" {
			at[n.ID] = append(at[n.ID], e.Path)
			s.changed = append(s.changed, n)
		}
	}
	for id, paths := range at {
		if len(paths) > 1 {
			s.twins[id] = paths
		}
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		if row := byPath[path]; len(at[row.ID]) == 0 {
			s.missing = append(s.missing, row)
		}
	}
	return nil
}

// takeChanged stores what a note says now.
func (p *pass) takeChanged(n vault.Note, s *survey) error {
	if paths := s.twins[n.ID]; len(paths) > 1 {
		slices.Sort(paths)
		n.Broken = "two notes carry its id: " + strings.Join(paths, ", ")
	}
	old, known, err := p.Ledger.Note(n.ID)
	if err != nil {
		return err
	}
	f := factsOf(n)
	row, err := rowOf(f, n)
	if err != nil {
		return err
	}
	if known {
		row.Base, row.Reason = old.Base, old.Reason
		if old.Session != "" {
			row.Session = old.Session
		}
	}
	if n.Broken != "" {
		row.State, row.Reason = ledger.Broken, n.Broken
		p.keep(n.Path, n.Broken)
	}
	if known && old.Path != n.Path && old.State != ledger.Planned && n.Broken == "" {
		p.report.Notes.Moved++
		p.report.Changed = append(p.report.Changed, Change{Note: p.fromRoot(n.Path), Outcome: string(vault.Moved)})
	}
	if err := p.storeFacts(old, known, row, f); err != nil {
		return err
	}
	if row.Session != "" {
		return p.due.mark(ledger.DueSession, row.Session)
	}
	if n.Broken == "" && f.Type != typeMemory {
		return p.due.mark(ledger.DuePage, n.ID)
	}
	return nil
}

// takeMissing looks for notes that are gone: moved elsewhere in the vault, or
// deleted by the user, which is a wish to be kept.
func (p *pass) takeMissing(ctx context.Context, s *survey) error {
	if len(s.missing) == 0 {
		return p.noteHead()
	}
	wanted := map[string]bool{}
	for _, r := range s.missing {
		wanted[r.ID] = true
	}
	away, err := p.Vault.Find(ctx, wanted)
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(s.missing, func(r ledger.NoteFile) bool { return away[r.ID] != "" })
	if err := p.allowed(len(gone), len(s.rows)); err != nil {
		return err
	}
	for id, path := range away {
		if err := p.moveAway(id, path); err != nil {
			return err
		}
	}
	for _, r := range gone {
		if err := p.bury(r.ID); err != nil {
			return err
		}
	}
	return p.noteHead()
}

// allowed refuses to take many missing notes, or missing notes of another
// commit, for deletions (design: absence is not deletion).
func (p *pass) allowed(gone, all int) error {
	if gone == 0 || p.Mode.Force {
		return nil
	}
	if limit := max(20, all/10); gone > limit {
		return &HeldError{
			What: fmt.Sprintf("%d of %d notes are missing: nothing was written", gone, all),
			Hint: "if you deleted them on purpose, run again with --force; else bring the folder back first",
		}
	}
	then, err := p.Ledger.Meta(markHead)
	if err != nil {
		return err
	}
	if head := p.Vault.Head(); len(then) > 0 && head != string(then) {
		return &HeldError{
			What: fmt.Sprintf("%d notes are missing and another commit is checked out in the vault: nothing was written", gone),
			Hint: "run again with --force if these notes are to stay deleted",
		}
	}
	return nil
}

func (p *pass) noteHead() error {
	p.marks[markHead] = []byte(p.Vault.Head())
	return nil
}

// movedOut is why a note that lies elsewhere in the vault is not kept up to date.
const movedOut = "moved out of the folder"

func (p *pass) moveAway(id, path string) error {
	row, ok, err := p.Ledger.Note(id)
	if err != nil || !ok {
		return err
	}
	f, err := decodeFacts(row.Facts)
	if err != nil {
		return err
	}
	old := row
	row.Path, row.State, row.Reason, row.Keys = path, ledger.Away, movedOut, f.keys()
	p.report.Notes.Kept++
	p.report.Kept = append(p.report.Kept, KeptNote{Note: path, Reason: row.Reason})
	if err := p.storeFacts(old, true, row, f); err != nil {
		return err
	}
	return p.relocated(f)
}

// bury makes a tombstone of a note that the user deleted.
func (p *pass) bury(id string) error {
	row, ok, err := p.Ledger.Note(id)
	if err != nil || !ok {
		return err
	}
	if err := p.Vault.Bury(id); err != nil {
		return err
	}
	if err := p.Ledger.PutGrave(ledger.Grave{ID: id, Path: row.Path}); err != nil {
		return err
	}
	p.report.Notes.Tombstoned++
	return p.dropNote(row)
}

// findAway looks for notes of ours outside the folder, once, where the ledger
// cannot know of them.
func (p *pass) findAway(ctx context.Context) error {
	found, err := p.Vault.Find(ctx, nil)
	if err != nil {
		return err
	}
	for id, path := range found {
		old, known, err := p.Ledger.Note(id)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		n, err := p.Vault.Elsewhere(path)
		if err != nil {
			p.problem(Problem{Path: path, Error: err.Error(), Hint: "the note is left as it is", Fatal: true})
			continue
		}
		f := factsOf(n)
		row, err := rowOf(f, n)
		if err != nil {
			return err
		}
		row.State, row.Reason = ledger.Away, movedOut
		if err := p.storeFacts(old, false, row, f); err != nil {
			return err
		}
	}
	return nil
}

// keep counts a note whose text stays the user's.
func (p *pass) keep(path, reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Notes.Kept++
	p.report.Kept = append(p.report.Kept, KeptNote{Note: p.fromRoot(path), Reason: reason})
}

func (p *pass) fromRoot(path string) string { return p.Folder + "/" + path }

func stampOf(s vault.Stamp) [4]int64 {
	return [4]int64{s.Size, s.MTime, s.CTime, int64(s.Inode)}
}

// printFiles sums up the managed folder.
func printFiles(files map[string]vault.Stamp) []byte {
	h := sha256.New()
	var b []byte
	for _, path := range slices.Sorted(maps.Keys(files)) {
		s := files[path]
		b = append(append(b[:0], path...), 0)
		b = ledger.AppendStamp(b, sources.Stamp{Size: s.Size, MTime: s.MTime, CTime: s.CTime, Inode: s.Inode})
		h.Write(b)
	}
	return h.Sum(nil)
}
