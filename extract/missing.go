package extract

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// takeMissing looks for notes that are gone: moved elsewhere in the vault, or
// deleted by the user, which is a wish to be kept.
func (p *pass) takeMissing(ctx context.Context, s *survey) error {
	gone, err := p.dropLeft(s.missing)
	if err != nil || len(gone) == 0 {
		p.noteHead()
		return err
	}
	wanted := map[string]bool{}
	for _, r := range gone {
		wanted[r.ID] = true
	}
	found, err := p.Vault.Find(ctx, wanted)
	if err != nil {
		return err
	}
	gone = slices.DeleteFunc(gone, func(r ledger.NoteFile) bool { return found[r.ID] != "" })
	if s.unread {
		gone = nil // any of them may be the note that could not be read
	}
	if err := p.allowed(len(gone), len(s.rows)); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if err := p.takeAway(id, found[id]); err != nil {
			return err
		}
	}
	p.noteHead()
	return p.buryAll(gone)
}

// dropLeft takes out the notes that an interrupted pass removed itself: nobody
// deleted those.
func (p *pass) dropLeft(missing []ledger.NoteFile) (gone []ledger.NoteFile, err error) {
	for _, r := range missing {
		if r.State != ledger.Leaving {
			gone = append(gone, r)
			continue
		}
		row, known, err := p.Ledger.Note(r.ID)
		if err == nil && known {
			err = p.dropNote(row)
		}
		if err != nil {
			return nil, err
		}
	}
	return gone, nil
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
	if head := p.head(); len(then) > 0 && head != string(then) {
		return &HeldError{
			What: fmt.Sprintf("%d notes are missing and another commit is checked out in the vault: nothing was written", gone),
			Hint: "run again with --force if these notes are to stay deleted",
		}
	}
	return nil
}

// noteHead remembers the commit at which nothing is missing.
func (p *pass) noteHead() { p.marks[markHead] = []byte(p.head()) }

func (p *pass) head() string {
	if p.Head == nil {
		return ""
	}
	return p.Head()
}

// buryAll makes tombstones, which are on the disk before the ledger forgets the
// notes.
func (p *pass) buryAll(gone []ledger.NoteFile) error {
	for _, r := range gone {
		if err := p.bury(r.ID); err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return p.Vault.Flush()
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
	return errors.Join(p.alsoWritten(row.Path), p.dropNote(row))
}

// movedOut is why a note that lies elsewhere in the vault is not kept up to date.
const movedOut = "moved out of the folder"

// loadAway looks at the notes of ours that lie elsewhere in the vault, as far as
// they are known, and tells whether they were ever looked for.
func (p *pass) loadAway() (searched bool, err error) {
	value, err := p.Ledger.Meta(markAway)
	if err != nil {
		return false, err
	}
	p.away = map[string]vault.Stamp{}
	for i, path := range strings.Split(string(value), "\n") {
		if i == 0 { // a word that shows an empty list from none
			continue
		}
		n, _ := p.Vault.Elsewhere(path) // one that cannot be read has no stamp: that is another than last time
		p.away[path] = n.Stamp
	}
	return value != nil, nil
}

// awayMark lists the notes elsewhere for the next pass.
func (p *pass) awayMark() []byte {
	return []byte(strings.Join(append([]string{"away"}, slices.Sorted(maps.Keys(p.away))...), "\n"))
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
		case stampOf(n.Stamp) == r.Stamp:
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
	found, err := p.Vault.Find(ctx, nil)
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

// storeAway stores what a note elsewhere says. Nothing of ours writes it.
func (p *pass) storeAway(n vault.Note) error {
	f := factsOf(n)
	row, old, known, err := p.seen(n, f)
	if err != nil {
		return err
	}
	row.State, row.Reason = ledger.Away, movedOut
	if known && old.State != ledger.Away {
		p.keep(n.Path, row.Reason)
	}
	p.away[n.Path] = n.Stamp
	return p.storeFacts(old, known, row, f)
}
