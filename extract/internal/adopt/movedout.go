package adopt

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// A note that its user moved out of the folder is linked where it lies, and left
// alone.

// movedOut is why a note that lies elsewhere in the vault is not kept up to date.
const movedOut = "moved out of the folder"

// FindCopies looks for copies, elsewhere in the vault, of notes that this run took away:
// each stands for its note now. It tells whether there are any.
func (a *Adopter) FindCopies(ctx context.Context, removed map[string]bool) (bool, error) {
	if len(removed) == 0 {
		return false, nil
	}
	found, _, err := a.Vault.Find(ctx, removed)
	if err != nil || len(found) == 0 {
		return false, err
	}
	if err := a.Notes.Ledger.Begin(); err != nil {
		return false, err
	}
	return true, observe.TellOutside(a.Vault, found, a.take(ctx))
}

// storeMovedOut stores what a note elsewhere says.
func (a *Adopter) storeMovedOut(n vault.Note) error {
	f, err := a.Notes.FactsIn(n)
	if err != nil {
		return err
	}
	row, old, known, err := rowOfSeen(a.Notes.Ledger, n, f)
	if err != nil {
		return err
	}
	row.State, row.Reason = ledger.MovedOut, movedOut
	if known && (old.State != ledger.MovedOut || old.Reason != row.Reason) {
		a.Recorder.Keep(n.Path, row.Reason)
	}
	a.seen.Elsewhere[n.Path] = n.Stamp
	if known && old.State != ledger.Planned && written.PathOf(old) != written.PathOf(row) { // its user moved it
		if err := a.Written.Also(written.PathOf(old), written.PathOf(row)); err != nil {
			return err
		}
	}
	return a.Notes.Store(old, known, row, f)
}
