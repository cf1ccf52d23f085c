package extract

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

// findCopies looks for copies, elsewhere in the vault, of notes that this pass
// took away: each stands for its note now.
func (p *pass) findCopies(ctx context.Context) error {
	if len(p.removed) == 0 {
		return nil
	}
	found, _, err := p.Vault.Find(ctx, p.removed)
	if err != nil || len(found) == 0 {
		return err
	}
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	if err := observe.TellOutside(p.Vault, found, p.take(ctx)); err != nil {
		return err
	}
	return p.writeNotes(ctx)
}

// storeAway stores what a note elsewhere says.
func (p *pass) storeAway(n vault.Note) error {
	f, err := factsIn(p.Masker, n)
	if err != nil {
		return err
	}
	row, old, known, err := rowOfSeen(p.Ledger, n, f)
	if err != nil {
		return err
	}
	row.State, row.Reason = ledger.Away, movedOut
	if known && (old.State != ledger.Away || old.Reason != row.Reason) {
		p.rec.Keep(n.Path, row.Reason)
	}
	p.seen.Elsewhere[n.Path] = n.Stamp
	if known && old.State != ledger.Planned && written.PathOf(old) != written.PathOf(row) { // its user moved it
		if err := p.written.Also(written.PathOf(old), written.PathOf(row)); err != nil {
			return err
		}
	}
	return p.notes.Store(old, known, row, f)
}
