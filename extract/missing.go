package extract

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
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
	found, closed, err := p.Vault.Find(ctx, wanted)
	if err != nil {
		return err
	}
	gone = slices.DeleteFunc(gone, func(r ledger.NoteFile) bool { return found[r.ID] != "" })
	if len(closed) > 0 {
		p.unlooked(closed, gone)
		gone = nil
	}
	if s.unread {
		gone = nil // any of them may be the note that could not be read
	}
	if gone, err = p.dropBuried(gone); err != nil {
		return err
	}
	if gone, err = p.dropAside(gone); err != nil {
		return err
	}
	if err := p.allowed(len(gone), len(s.rows)); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if err := p.takeAway(id, found[id]); err != nil {
			return err
		}
	}
	elsewhere, err := p.headMoved()
	if err != nil {
		return err
	}
	p.noteHead()
	if elsewhere && !p.Mode.Force {
		if gone, s.astray, err = observe.Explain(p.Git, gone, p.fileFromRoot, observe.InCommit); err != nil {
			return err
		}
	}
	return p.buryAll(gone)
}

// unlooked tells of folders of the vault in which missing notes may lie. These
// are left alone, and the next pass looks again.
func (p *pass) unlooked(closed []string, missing []ledger.NoteFile) {
	if len(missing) == 0 {
		return
	}
	p.unsure = true
	for _, r := range missing {
		p.absent[r.ID] = true
	}
	for _, folder := range closed {
		p.problem(Problem{Path: folder, Error: fmt.Sprintf("folder %q cannot be looked into", folder),
			Hint: fmt.Sprintf("%s missing may lie there: as long as it cannot be read none is taken for deleted",
				plural(len(missing), "note that is", "notes that are"))})
	}
}

// plural is a number with the words that go with it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
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
	return p.dropCopies(gone)
}

// dropCopies takes out copies to which their user gave another id: what we never
// wrote is not missing.
func (p *pass) dropCopies(gone []ledger.NoteFile) (left []ledger.NoteFile, err error) {
	for _, r := range gone {
		row, known, err := p.Ledger.Note(r.ID)
		if err != nil {
			return nil, err
		}
		theirs := known && !ours(row)
		if theirs && pages.Order(r.ID) >= 0 {
			d, err := p.buildPage(r.ID)
			if err != nil {
				return nil, err
			}
			theirs = d == nil || d.remove
		} else if theirs {
			theirs = row.Session != "" && len(names.NameEnds(namedNote(row))) == 0
		}
		if !theirs {
			left = append(left, r)
		} else if err := p.dropNote(row); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// dropBuried takes out the notes that have a tombstone already: they were deleted
// on another machine, and both came with the vault.
func (p *pass) dropBuried(gone []ledger.NoteFile) (left []ledger.NoteFile, err error) {
	for _, r := range gone {
		row, known, err := p.Ledger.Note(r.ID)
		if err != nil {
			return nil, err
		}
		if !p.Vault.Buried(r.ID) && !forgottenNote(p.Vault, row) {
			left = append(left, r)
		} else if known {
			if err := p.dropNote(row); err != nil {
				return nil, err
			}
		}
	}
	return left, nil
}

// allowed refuses to take many missing notes and files for deletions, or any where
// the vault's marker went too (design: absence is not deletion). The notes were
// counted with the files that are gone, and are gone no more when these are asked for.
func (p *pass) allowed(notes, all int) error {
	gone := notes
	for kind, n := range p.missing {
		if kind == "" {
			all += n
		} else {
			gone += n
		}
	}
	if gone > 0 {
		if err := p.Vault.Standing(); err != nil {
			return err
		}
	}
	if limit := max(20, all/10); gone <= limit || p.Mode.Force {
		return nil
	}
	return &HeldError{
		What: fmt.Sprintf("%s of %s are missing: nothing was written", p.missingWords(notes), plural(all, "file", "files")),
		Hint: "if you deleted them on purpose, run again with --force; else bring the folder back first",
	}
}

// headMoved tells whether another commit is checked out in the vault than when
// nothing was missing.
func (p *pass) headMoved() (bool, error) {
	then, err := p.Ledger.Value(ledger.Head)
	return len(then) > 0 && p.head() != string(then), err
}

// noteHead remembers the commit at which nothing is missing.
func (p *pass) noteHead() { p.marks[ledger.Head] = []byte(p.head()) }

func (p *pass) head() string {
	if p.Git == nil {
		return ""
	}
	return p.Git.Head()
}

// letGo forgets notes that are not part of the commit checked out now. They were
// not deleted, and they are not written again either until their session has
// something new, or the user asks for them: they may be wanted on another branch
// alone. Told of are those alone that this machine would write: the others were
// taken away by the machine that could.
func (p *pass) letGo(gone []ledger.NoteFile) error {
	// Pages come last: by then it is known what they have to list.
	slices.SortStableFunc(gone, func(a, b ledger.NoteFile) int { return pages.Order(a.ID) - pages.Order(b.ID) })
	var names []string
	for _, r := range gone {
		row, known, err := p.Ledger.Note(r.ID)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		ours, err := p.wouldWrite(row)
		if err != nil {
			return err
		}
		if ours {
			p.absent[r.ID] = true
			names = append(names, fmt.Sprintf("%q (%s)", p.fileFromRoot(r), r.ID))
		}
		if err := p.dropNote(row); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return nil
	}
	p.problem(Problem{
		Error: fmt.Sprintf("%s missing since another commit was checked out in the vault: %s", plural(len(names), "note is", "notes are"), strings.Join(names, ", ")),
		Hint:  "they are not taken for deleted: sessionloom restore ID writes one anew; delete it after that to be rid of it",
	})
	return nil
}

// wouldWrite tells whether a note that is missing could be written anew from what
// is at hand.
func (p *pass) wouldWrite(row ledger.NoteRow) (bool, error) {
	if pages.Order(row.ID) >= 0 {
		d, err := p.buildPage(row.ID)
		return d != nil && !d.remove, err
	}
	if row.Session == "" {
		return true, nil
	}
	return atHand(p.Ledger, row.Session), nil
}

// buryAll makes tombstones, which are on the disk before the ledger forgets the
// notes.
func (p *pass) buryAll(gone []ledger.NoteFile) error {
	if len(gone) == 0 {
		return nil
	}
	// Pages come last, each before those that show it: by then it is known what
	// they would have said.
	slices.SortStableFunc(gone, func(a, b ledger.NoteFile) int { return pages.Order(a.ID) - pages.Order(b.ID) })
	for _, r := range gone {
		if err := p.bury(r.ID); err != nil {
			return err
		}
	}
	return p.flush()
}

// bury makes a tombstone of a note that the user deleted.
func (p *pass) bury(id string) error {
	row, ok, err := p.Ledger.Note(id)
	if err != nil || !ok {
		return err
	}
	if pages.Order(id) >= 0 {
		// A page that has nothing to list any more is taken away by whichever
		// machine is first to see it.
		if d, err := p.buildPage(id); err != nil || d == nil || d.remove {
			return errors.Join(err, p.dropNote(row))
		}
	}
	if !p.Vault.Buried(id) {
		p.report.Notes.Tombstoned++
	}
	if err := p.Vault.Bury(id); err != nil {
		return err
	}
	if err := p.Ledger.PutGrave(ledger.Grave{ID: id, Path: row.Path}); err != nil {
		return err
	}
	return errors.Join(p.alsoWritten(fileOf(row)), p.dropNote(row))
}
