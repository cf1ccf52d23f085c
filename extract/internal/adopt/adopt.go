// Package adopt takes into the state what people did to the notes.
package adopt

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/loader"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Adopter takes in what people did. Each edit, move, deletion and copy becomes a fact and
// makes due what shows it.
type Adopter struct {
	Vault    *vault.Vault
	Notes    *index.Notes
	Recorder *report.Recorder
	Written  *written.Files
	Owned    *owned.Files
	Loader   *loader.Loader
	Pages    Pages
	Folder   string // the managed folder, from the vault's root

	seen   observe.Snapshot
	edited map[facts.DueKey]bool // what renders the notes that were changed
}

// Pages makes pages of what is known.
type Pages interface {
	// Page is a page by its id, nil where it has nothing to say.
	Page(id string) (*pages.Page, error)
}

// Look is how the vault is looked at.
type Look struct {
	Git        observe.Git // nil: the vault lies in no repository
	Force      bool        // go past the deletion cap
	Forgetting bool        // something was forgotten since the last run
}

// Look finds what people did to the notes since the last run and takes it in. seen is
// the vault as it stands.
func (a *Adopter) Look(ctx context.Context, seen observe.Snapshot, how Look) error {
	a.seen, a.edited = seen, map[facts.DueKey]bool{}
	in := observe.Input{
		Vault: a.Vault, Ledger: a.Notes.Ledger, Git: how.Git, Seen: seen, Files: observe.NewOwnedFiles(a.Vault),
		Folder: a.Folder, Force: how.Force, Forgetting: how.Forgetting, Engine: missed{a},
	}
	a.Owned.Looked(in)
	same, err := observe.Look(ctx, in, a.take(ctx))
	if err != nil {
		return err
	}
	a.Notes.AtEnd(ledger.Head, []byte(observe.Head(how.Git)))
	if same {
		return a.Written.Flush()
	}
	return a.Owned.Meet(ctx)
}

// take takes in what was seen in the vault.
func (a *Adopter) take(ctx context.Context) func(observe.Event) error {
	return func(e observe.Event) error {
		switch e := e.(type) {
		case observe.Rescued:
			a.Recorder.Problem(report.Problem{Path: e.Path, Error: "text of an interrupted run was put aside",
				Hint: "look at it, take over what you need, then delete it"})
		case observe.Unreadable:
			a.Recorder.Unreadable(e.Path, e.Err)
		case observe.Unmanaged:
			a.Notes.AtEnd(ledger.Unmanaged, e.Seen)
		case observe.Unlooked:
			a.unlooked(e)
		case observe.Changed:
			return contain.Failure(ctx, a.Notes.Ledger, func() error { return a.takeChanged(e.Note) }, func(err error) { a.Recorder.Unreadable(e.Note.Path, err) })
		case observe.Outside:
			return a.storeMovedOut(e.Note)
		case observe.NotesGone:
			return a.takeGone(e)
		case observe.FileMoved:
			return a.Owned.Follow(e.File, e.At)
		case observe.FileGone:
			return a.Owned.Gone(e)
		}
		return nil
	}
}

// takeChanged stores what a note says now.
func (a *Adopter) takeChanged(n vault.Note) error {
	f, err := a.Notes.FactsIn(n)
	if err != nil {
		return err
	}
	row, old, known, err := rowOfSeen(a.Notes.Ledger, n, f)
	if err != nil {
		return err
	}
	if known && old.State.Stands() {
		row.Reason, row.RejectedHash = old.Reason, old.RejectedHash
	}
	if n.Broken != "" {
		row.State, row.Reason = ledger.Broken, n.Broken
		if old.State != ledger.Broken || old.Reason != n.Broken { // told once
			a.Recorder.Keep(a.Notes.FromRoot(n.Path), n.Broken)
		}
	}
	if n.Broken == "" && a.Vault.HasTombstone(n.ID) {
		if row.Reason = index.DeletedOnce; old.Reason != index.DeletedOnce {
			a.Recorder.Keep(a.Notes.FromRoot(n.Path), index.DeletedOnce)
		}
	}
	if known && a.Notes.LinkPath(old) != a.Notes.LinkPath(row) && old.State != ledger.Planned && n.Broken == "" && !a.expected(old, n) {
		a.Recorder.Moved(n.ID, "", n.Path)
		if err := a.Written.Also(written.PathOf(old), n.Path); err != nil {
			return err
		}
	}
	if err := a.Notes.Store(old, known, row, f); err != nil {
		return err
	}
	due := facts.DueKey{Kind: ledger.DuePage, ID: n.ID}
	switch {
	case row.Session != "":
		due = facts.DueKey{Kind: ledger.DueSession, ID: row.Session}
	case n.Broken != "":
		return nil
	case f.Type == names.TypeMemory:
		due.Kind = ledger.DueNav
	}
	a.edited[due] = true
	return a.Notes.Queue.Mark(string(due.Kind), due.ID)
}

// Edited tells whether nothing is due but the notes that people changed themselves: then
// no other note shows what they changed.
func (a *Adopter) Edited() bool { return a.Notes.Queue.Only(a.edited) }

// rowOfSeen makes the row of a note as it stands, with what only the row it had can
// tell: what we last wrote, where we put it, whose it is.
func rowOfSeen(l *ledger.Ledger, n vault.Note, f facts.Facts) (row, old ledger.NoteRow, known bool, err error) {
	if old, known, err = l.Note(n.ID); err != nil {
		return row, old, known, err
	}
	if row, err = index.RowOf(f, n); err != nil || !known {
		return row, old, known, err
	}
	row.Base, row.AssignedPath = old.Base, old.AssignedPath
	if old.Session != "" {
		row.Session = old.Session
	}
	return row, old, known, nil
}

// expected says that a note lies where we put it since the ledger last knew of it
// (a plan was applied): nobody moved it.
func (a *Adopter) expected(old ledger.NoteRow, n vault.Note) bool {
	return old.AssignedPath == n.Path && old.Stamp == [4]int64{}
}
