package extract

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// A note that its user moved out of the folder is linked where it lies, and left
// alone.

// movedOut is why a note that lies elsewhere in the vault is not kept up to date.
const movedOut = "moved out of the folder"

// writable tells whether a note stands where it may be written.
func (p *pass) writable(row ledger.NoteRow) bool {
	return row.State.Stands() && !p.absent[row.ID]
}

// loadAway looks at the notes of ours that lie elsewhere in the vault, as far as
// they are known, and tells whether they were ever looked for.
func (p *pass) loadAway() (searched bool, err error) {
	p.away, searched, err = observe.LoadElsewhere(p.Ledger, p.Vault)
	return searched, err
}

// lookAway compares the notes elsewhere in the vault with what was known of them.
func (p *pass) lookAway(s *survey) error {
	p.away = map[string]vault.Stamp{}
	for _, r := range s.rows {
		if r.State != ledger.Away || len(s.at[r.ID]) > 0 {
			continue
		}
		n, err := p.Vault.Elsewhere(r.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && n.ID != r.ID:
			s.missing = append(s.missing, r)
		case err != nil:
			p.unreadable(r.Path, err)
		case observe.StampOf(n.Stamp) == r.Stamp:
			p.away[r.Path] = n.Stamp
		default:
			if err := p.storeAway(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// findAway looks for notes of ours outside the folder, once, where the ledger
// cannot know of them.
func (p *pass) findAway(ctx context.Context) error {
	found, _, err := p.Vault.Find(ctx, nil)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if _, known, err := p.Ledger.Note(id); err != nil {
			return err
		} else if known {
			continue
		}
		if err := p.takeAway(id, found[id]); err != nil {
			return err
		}
	}
	return nil
}

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
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if err := p.takeAway(id, found[id]); err != nil {
			return err
		}
	}
	return p.writeNotes(ctx)
}

// takeAway takes in a note that was found elsewhere in the vault.
func (p *pass) takeAway(id, path string) error {
	n, err := p.Vault.Elsewhere(path)
	if err != nil {
		p.unreadable(path, err)
		return nil
	}
	n.ID = id // of a broken note Find salvaged it
	return p.storeAway(n)
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
		p.keep(n.Path, row.Reason)
	}
	p.away[n.Path] = n.Stamp
	if known && old.State != ledger.Planned && fileOf(old) != fileOf(row) { // its user moved it
		if err := p.alsoWritten(fileOf(old), fileOf(row)); err != nil {
			return err
		}
	}
	return p.storeFacts(old, known, row, f)
}
