package extract

import (
	"context"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// lookAtVault finds what the user did to the notes since the last pass: edits,
// moves, deletions, copies. Each becomes a fact and makes due what shows it.
func (p *pass) lookAtVault(ctx context.Context) (err error) {
	if p.seen, err = observe.TakeSnapshot(ctx, p.Vault, p.Ledger); err != nil {
		return err
	}
	look := observe.Input{
		Vault: p.Vault, Ledger: p.Ledger, Git: p.Git, Seen: p.seen, Files: observe.NewOwnedFiles(p.Vault),
		Folder: p.Folder, Force: p.Mode.Force, Forgetting: p.forget.heed, Engine: missed{p},
	}
	p.owned.Looked(look)
	same, err := observe.Look(ctx, look, p.take(ctx))
	if err != nil {
		return err
	}
	p.marks[ledger.Head] = []byte(observe.Head(p.Git))
	if same {
		return p.written.Flush()
	}
	return p.owned.Meet(ctx)
}

// take takes in what was seen in the vault.
func (p *pass) take(ctx context.Context) func(observe.Event) error {
	return func(e observe.Event) error {
		switch e := e.(type) {
		case observe.Rescued:
			p.rec.Problem(Problem{Path: e.Path, Error: "text of an interrupted run was put aside",
				Hint: "look at it, take over what you need, then delete it"})
		case observe.Unreadable:
			p.rec.Unreadable(e.Path, e.Err)
		case observe.Unmanaged:
			p.marks[ledger.Foreign] = e.Seen
		case observe.Unlooked:
			p.unlooked(e)
		case observe.Changed:
			return p.alone(ctx, func() error { return p.takeChanged(e.Note) }, func(err error) { p.rec.Unreadable(e.Note.Path, err) })
		case observe.Outside:
			return p.storeAway(e.Note)
		case observe.NotesGone:
			return p.takeGone(e)
		case observe.FileMoved:
			return p.owned.Follow(e.File, e.At)
		case observe.FileGone:
			return p.owned.Gone(e)
		}
		return nil
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
			p.rec.Keep(p.notes.FromRoot(n.Path), n.Broken)
		}
	}
	if n.Broken == "" && p.Vault.Buried(n.ID) {
		if row.Reason = deletedOnce; old.Reason != deletedOnce {
			p.rec.Keep(p.notes.FromRoot(n.Path), deletedOnce)
		}
	}
	if known && p.notes.LinkPath(old) != p.notes.LinkPath(row) && old.State != ledger.Planned && n.Broken == "" && !p.expected(old, n) {
		p.rec.Moved(n.ID, "", n.Path)
		if err := p.written.Also(written.PathOf(old), n.Path); err != nil {
			return err
		}
	}
	if err := p.notes.Store(old, known, row, f); err != nil {
		return err
	}
	switch {
	case row.Session != "":
		return p.queue.Mark(ledger.DueSession, row.Session)
	case n.Broken != "":
		return nil
	case f.Type == names.TypeMemory:
		return p.queue.Mark(ledger.DueNav, n.ID)
	}
	return p.queue.Mark(ledger.DuePage, n.ID)
}

// rowOfSeen makes the row of a note as it stands, with what only the row it had can
// tell: what we last wrote, where we put it, whose it is.
func rowOfSeen(l *ledger.Ledger, n vault.Note, f facts.Facts) (row, old ledger.NoteRow, known bool, err error) {
	if old, known, err = l.Note(n.ID); err != nil {
		return row, old, known, err
	}
	if row, err = index.RowOf(f, n); err != nil || !known {
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

// inFolder is where something lies in the managed folder, false for what lies
// elsewhere in the vault.
func inFolder(folder, at string) (string, bool) {
	if folder == "." {
		return at, true
	}
	return strings.CutPrefix(at, folder+"/")
}
