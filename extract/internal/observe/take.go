package observe

import (
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// takeChanged stores what a note says now that is new in the managed folder, or other
// than it was last seen.
func (o *Observer) takeChanged(n vault.Note) error {
	f, err := o.Notes.FactsIn(n)
	if err != nil {
		return err
	}
	row, old, known, err := o.rowOf(n, f)
	if err != nil {
		return err
	}
	if known && old.State.Stands() {
		row.Reason, row.RejectedHash = old.Reason, old.RejectedHash
	}
	if n.Broken != "" {
		row.State, row.Reason = ledger.Broken, n.Broken
		if old.State != ledger.Broken || old.Reason != n.Broken { // told once
			o.Recorder.Keep(o.Notes.FromRoot(n.Path), n.Broken)
		}
	} else if o.Vault.HasTombstone(n.ID) {
		if row.Reason = index.DeletedOnce; old.Reason != index.DeletedOnce {
			o.Recorder.Keep(o.Notes.FromRoot(n.Path), index.DeletedOnce)
		}
	}
	// One that lies where we put it since the ledger last knew of it (a plan was
	// applied) was moved by nobody.
	expected := old.AssignedPath == n.Path && old.Stamp == [4]int64{}
	if known && o.Notes.LinkPath(old) != o.Notes.LinkPath(row) && old.State != ledger.Planned && n.Broken == "" && !expected {
		o.Recorder.Moved(n.ID, "", n.Path)
		if err := o.Written.Also(written.PathOf(old), n.Path); err != nil {
			return err
		}
	}
	if err := o.Notes.Store(old, known, row, f); err != nil {
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
	o.edited[due] = true
	return o.Notes.Queue.Mark(string(due.Kind), due.ID)
}

// movedOut is why a note that lies elsewhere in the vault is not kept up to date.
const movedOut = "moved out of the folder"

// takeMovedOut stores what a note says that its user moved out of the folder. It is
// linked where it lies, and left alone.
func (o *Observer) takeMovedOut(n vault.Note) error {
	f, err := o.Notes.FactsIn(n)
	if err != nil {
		return err
	}
	row, old, known, err := o.rowOf(n, f)
	if err != nil {
		return err
	}
	row.State, row.Reason = ledger.MovedOut, movedOut
	if known && (old.State != ledger.MovedOut || old.Reason != row.Reason) {
		o.Recorder.Keep(n.Path, row.Reason)
	}
	o.seen.Elsewhere[n.Path] = n.Stamp
	if known && old.State != ledger.Planned && written.PathOf(old) != written.PathOf(row) {
		if err := o.Written.Also(written.PathOf(old), written.PathOf(row)); err != nil {
			return err
		}
	}
	return o.Notes.Store(old, known, row, f)
}

// rowOf makes the row of a note as it stands, with what only the row it had can
// tell: what we last wrote, where we put it, whose it is.
func (o *Observer) rowOf(n vault.Note, f facts.Facts) (row, old ledger.NoteRow, known bool, err error) {
	old, known = ledger.Found(o.Notes.Ledger.Note(n.ID))
	if row, err = index.RowOf(f, n); err != nil || !known {
		return row, old, known, err
	}
	row.Base, row.AssignedPath = old.Base, old.AssignedPath
	if old.Session != "" {
		row.Session = old.Session
	}
	return row, old, known, nil
}
