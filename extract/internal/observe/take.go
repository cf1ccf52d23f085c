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
	row, err := o.take(n, false)
	if err != nil {
		return err
	}
	due := facts.DueKey{Kind: ledger.DuePage, ID: n.ID}
	switch {
	case row.Session != "":
		due = facts.DueKey{Kind: ledger.DueSession, ID: row.Session}
	case n.Broken != "":
		return nil
	case row.Type == names.TypeMemory:
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
	o.seen.Elsewhere[n.Path] = n.Stamp
	_, err := o.take(n, true)
	return err
}

// take stores the row of a note as it stands, with what only the row it had can tell: what
// we last wrote, where we put it, whose it is, why it is left alone.
func (o *Observer) take(n vault.Note, outside bool) (ledger.NoteRow, error) {
	old, known := ledger.Found(o.Notes.Ledger.Note(n.ID))
	f, err := o.Notes.FactsIn(n)
	if err != nil {
		return old, err
	}
	row, err := index.RowOf(f, n)
	if err != nil {
		return row, err
	}
	row.Base, row.AssignedPath = old.Base, old.AssignedPath
	if old.Session != "" {
		row.Session = old.Session
	}
	at := o.Notes.FromRoot(n.Path)
	switch {
	case outside:
		row.State, row.Reason, at = ledger.MovedOut, movedOut, n.Path
	case n.Broken != "":
		row.State, row.Reason = ledger.Broken, n.Broken
	case o.Vault.HasTombstone(n.ID):
		row.Reason = index.DeletedOnce
	case old.State.Stands():
		row.Reason = old.Reason
	}
	if old.State.Stands() && !outside {
		row.RejectedHash = old.RejectedHash
	}
	news := row.State != ledger.Present && row.State != old.State || row.Reason != old.Reason // it is told once
	if row.Reason != "" && news && (known || !outside) {
		o.Recorder.Keep(at, row.Reason)
	}
	// One that lies where we put it since the ledger last knew of it (a plan was
	// applied) was moved by nobody.
	expected := old.AssignedPath == n.Path && old.Stamp == [4]int64{}
	if known && old.State != ledger.Planned && row.State != ledger.Broken && !expected && written.PathOf(old) != written.PathOf(row) {
		if !outside {
			o.Recorder.Moved(n.ID, "", n.Path)
		}
		if err := o.Written.Also(written.PathOf(old), written.PathOf(row)); err != nil {
			return row, err
		}
	}
	return row, o.Notes.Store(old, known, row, f)
}
