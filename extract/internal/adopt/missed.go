package adopt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// takeGone takes in what became of notes that are gone.
func (a *Adopter) takeGone(e observe.NotesGone) error {
	switch e.Fate {
	case observe.HiddenByGit:
		// They are neither deleted nor written as long as they are away.
		a.Recorder.LookAgain()
		for _, r := range e.Notes {
			a.Notes.Skip(r.ID)
		}
	case observe.LeftByCheckout:
		return a.letGo(e.Notes)
	case observe.Deleted:
		return a.addTombstones(e.Notes)
	case observe.Forgotten:
		for _, r := range e.Notes {
			row, known, err := a.Notes.Ledger.Note(r.ID)
			if err == nil && known {
				err = a.Notes.Drop(row)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// unlooked tells of folders of the vault in which missing notes may lie. These
// are left alone, and the next run looks again.
func (a *Adopter) unlooked(e observe.Unlooked) {
	a.Recorder.LookAgain()
	for _, r := range e.Notes {
		a.Notes.Skip(r.ID)
	}
	for _, folder := range e.Folders {
		a.Recorder.Problem(report.Problem{Path: folder, Error: fmt.Sprintf("folder %q cannot be looked into", folder),
			Hint: fmt.Sprintf("%s missing may lie there: as long as it cannot be read none is taken for deleted",
				texts.Count(len(e.Notes), "note that is", "notes that are"))})
	}
}

// missed is what a look at the vault asks of what is gone.
type missed struct{ *Adopter }

func (m missed) Theirs(row ledger.NoteRow) (bool, error) {
	if index.IsOurs(row) {
		return false, nil
	}
	if pages.Order(row.ID) >= 0 {
		d, err := m.Pages.Page(row.ID)
		return d == nil || d.Gone, err
	}
	return row.Session != "" && len(names.NameEnds(index.NamedNote(row))) == 0, nil
}

func (m missed) ForgottenNote(row ledger.NoteRow) bool { return index.ForgottenNote(m.Vault, row) }

func (m missed) ForgottenSession(id string) (bool, error) {
	record, _, err := m.Notes.Ledger.Session(id)
	return err == nil && index.Forgotten(m.Vault, record), err
}

// letGo forgets notes that are not part of the commit checked out now. They were
// not deleted, and they are not written again either until their session has
// something new, or the user asks for them: they may be wanted on another branch
// alone. Told of are those alone that this machine would write: the others were
// taken away by the machine that could.
func (a *Adopter) letGo(gone []ledger.NoteFile) error {
	// Pages come last: by then it is known what they have to list.
	slices.SortStableFunc(gone, func(a, b ledger.NoteFile) int { return pages.Order(a.ID) - pages.Order(b.ID) })
	var told []string
	for _, r := range gone {
		row, known, err := a.Notes.Ledger.Note(r.ID)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		ours, err := a.wouldWrite(row)
		if err != nil {
			return err
		}
		if ours {
			a.Notes.Skip(r.ID)
			told = append(told, fmt.Sprintf("%q (%s)", observe.FromRoot(a.Folder, r), r.ID))
		}
		if err := a.Notes.Drop(row); err != nil {
			return err
		}
	}
	if len(told) == 0 {
		return nil
	}
	a.Recorder.Problem(report.Problem{
		Error: fmt.Sprintf("%s missing since another commit was checked out in the vault: %s", texts.Count(len(told), "note is", "notes are"), strings.Join(told, ", ")),
		Hint:  "they are not taken for deleted: sessionloom restore ID writes one anew; delete it after that to be rid of it",
	})
	return nil
}

// wouldWrite tells whether a note that is missing could be written anew from what
// is at hand.
func (a *Adopter) wouldWrite(row ledger.NoteRow) (bool, error) {
	if pages.Order(row.ID) >= 0 {
		d, err := a.Pages.Page(row.ID)
		return d != nil && !d.Gone, err
	}
	if row.Session == "" {
		return true, nil
	}
	return a.Loader.AtHand(row.Session)
}

// addTombstones makes tombstones, which are on the disk before the ledger forgets the
// notes.
func (a *Adopter) addTombstones(gone []ledger.NoteFile) error {
	if len(gone) == 0 {
		return nil
	}
	// Pages come last, each before those that show it: by then it is known what
	// they would have said.
	slices.SortStableFunc(gone, func(a, b ledger.NoteFile) int { return pages.Order(a.ID) - pages.Order(b.ID) })
	for _, r := range gone {
		if err := a.addTombstone(r.ID); err != nil {
			return err
		}
	}
	return a.Written.Flush()
}

// addTombstone makes a tombstone of a note that the user deleted.
func (a *Adopter) addTombstone(id string) error {
	row, ok, err := a.Notes.Ledger.Note(id)
	if err != nil || !ok {
		return err
	}
	if pages.Order(id) >= 0 {
		// A page that has nothing to list any more is taken away by whichever
		// machine is first to see it.
		page, err := a.Pages.Page(id)
		if err != nil {
			return err
		}
		if page == nil || page.Gone {
			return a.Notes.Drop(row)
		}
	}
	if !a.Vault.HasTombstone(id) {
		a.Recorder.Edit(func(r *report.Report) { r.Notes.Tombstoned++ })
	}
	if err := a.Vault.AddTombstone(id); err != nil {
		return err
	}
	if err := a.Notes.Ledger.AddTombstone(ledger.Tombstone{ID: id, Path: row.Path}); err != nil {
		return err
	}
	if err := a.Written.Also(written.PathOf(row)); err != nil {
		return err
	}
	return a.Notes.Drop(row)
}
