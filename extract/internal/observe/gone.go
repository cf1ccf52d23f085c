package observe

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// fate is what became of a note that does not lie where it lay.
type fate int

const (
	deleted        fate = iota // by a human: a wish to be kept
	moved                      // elsewhere in the vault
	unknown                    // it may lie where nobody could look
	forgotten                  // we took it away, or what it shows was forgotten, be it on another machine
	hiddenByGit                // for the time being
	leftByCheckout             // the commit that is checked out now does not have it
)

// missNotes takes in what became of the notes that are gone, but for those that went
// with a checkout, which it returns.
func (s *survey) missNotes(ctx context.Context, files owned.Gone, checkout bool) (left []ledger.NoteFile, err error) {
	wanted := map[string]bool{}
	for _, r := range s.missing {
		wanted[r.ID] = true
	}
	var found map[string]string
	var closed []string
	if len(wanted) > 0 {
		if found, closed, err = s.o.Vault.Find(ctx, wanted); err != nil {
			return nil, err
		}
	}
	fates, err := s.fates(found, len(closed) > 0 || s.unread, checkout)
	if err != nil {
		return nil, err
	}
	if err := s.o.allowed(len(fates[leftByCheckout])+len(fates[deleted]), files); err != nil {
		return nil, err
	}
	s.takeUnlooked(closed, fates[unknown])
	if len(fates[hiddenByGit]) > 0 { // neither deleted nor written as long as they are away
		s.skip(fates[hiddenByGit])
	}
	for _, r := range fates[forgotten] {
		if row, known := ledger.Found(s.o.Notes.Ledger.Note(r.ID)); known {
			if err := s.o.Notes.Drop(row); err != nil {
				return nil, err
			}
		}
	}
	if err := s.o.takeOutside(found); err != nil {
		return nil, err
	}
	return fates[leftByCheckout], s.o.addTombstones(fates[deleted])
}

// fates parts the notes that are gone by what became of them. Absence is not deletion:
// that is what is left when nothing else explains it.
func (s *survey) fates(found map[string]string, unlooked, checkout bool) (map[fate][]ledger.NoteFile, error) {
	var at []string
	for _, r := range s.missing {
		at = append(at, fromRoot(s.o.Folder, r))
	}
	absences, err := s.o.Written.Explain(at)
	if err != nil {
		return nil, err
	}
	fates := map[fate][]ledger.NoteFile{}
	for i, r := range s.missing {
		row, _ := ledger.Found(s.o.Notes.Ledger.Note(r.ID))
		theirs, err := s.isTheirs(row)
		if err != nil {
			return nil, err
		}
		became := deleted
		switch absence := absences[at[i]]; {
		case theirs || r.State == ledger.Leaving: // an interrupted run removed it
			became = forgotten
		case found[r.ID] != "":
			became = moved
		case unlooked:
			became = unknown
		case s.o.Vault.HasTombstone(r.ID) || index.ForgottenNote(s.o.Vault, row): // it came so with the vault
			became = forgotten
		case absence == written.Hidden:
			became = hiddenByGit
		case checkout && absence != written.InCommit:
			became = leftByCheckout
		}
		fates[became] = append(fates[became], r)
	}
	return fates, nil
}

// isTheirs tells whether nothing of ours would make a note, as it is a copy that its user
// gave another id.
func (s *survey) isTheirs(row ledger.NoteRow) (bool, error) {
	if index.IsOurs(row) {
		return false, nil
	}
	if pages.Order(row.ID) >= 0 {
		wanted, err := s.o.wouldWrite(row)
		return !wanted, err
	}
	return row.Session != "" && len(names.NameEnds(index.NamedNote(row))) == 0, nil
}

// fromRoot is where a note lay, from the vault's root.
func fromRoot(folder string, r ledger.NoteFile) string {
	if r.State == ledger.MovedOut {
		return r.Path
	}
	return path.Join(folder, r.Path)
}

// skip leaves notes alone in this run, and has the next one look again.
func (s *survey) skip(notes []ledger.NoteFile) {
	s.o.Recorder.LookAgain()
	for _, r := range notes {
		s.o.Notes.Skip(r.ID)
	}
}

// takeUnlooked tells of folders of the vault that cannot be looked into, and of the notes
// that may lie there.
func (s *survey) takeUnlooked(folders []string, notes []ledger.NoteFile) {
	if len(folders) == 0 || len(notes) == 0 {
		return
	}
	s.skip(notes)
	for _, folder := range folders {
		s.o.Recorder.Problem(report.Problem{Path: folder, Error: fmt.Sprintf("folder %q cannot be looked into", folder),
			Hint: fmt.Sprintf("%s missing may lie there: as long as it cannot be read none is taken for deleted",
				texts.Count(len(notes), "note that is", "notes that are"))})
	}
}

// lastPages puts pages last, each before those that show it: by then it is known what
// they have to list.
func lastPages(notes []ledger.NoteFile) {
	slices.SortStableFunc(notes, func(a, b ledger.NoteFile) int { return pages.Order(a.ID) - pages.Order(b.ID) })
}

// letGo forgets notes that are not part of the commit checked out now. They were
// not deleted, and they are not written again either until their session has
// something new, or the user asks for them: they may be wanted on another branch
// alone. Told of are those alone that this machine would write: the others were
// taken away by the machine that could.
func (o *Observer) letGo(gone []ledger.NoteFile) error {
	lastPages(gone)
	var told []string
	for _, r := range gone {
		row, known := ledger.Found(o.Notes.Ledger.Note(r.ID))
		if !known {
			continue
		}
		ours, err := o.wouldWrite(row)
		if err != nil {
			return err
		}
		if ours {
			o.Notes.Skip(r.ID)
			told = append(told, fmt.Sprintf("%q (%s)", fromRoot(o.Folder, r), r.ID))
		}
		if err := o.Notes.Drop(row); err != nil {
			return err
		}
	}
	if len(told) > 0 {
		o.Recorder.Problem(report.Problem{
			Error: fmt.Sprintf("%s missing since another commit was checked out in the vault: %s", texts.Count(len(told), "note is", "notes are"), strings.Join(told, ", ")),
			Hint:  "they are not taken for deleted: sessionloom restore ID writes one anew; delete it after that to be rid of it",
		})
	}
	return nil
}

// wouldWrite tells whether a note that is missing could be written anew from what
// is at hand.
func (o *Observer) wouldWrite(row ledger.NoteRow) (bool, error) {
	if pages.Order(row.ID) >= 0 {
		page, err := o.Pages.Page(row.ID)
		return page != nil && !page.Gone, err
	}
	if row.Session == "" {
		return true, nil
	}
	return o.Loader.AtHand(row.Session), nil
}

// addTombstones makes tombstones of notes that the user deleted, which are on the disk
// before the ledger forgets the notes.
func (o *Observer) addTombstones(gone []ledger.NoteFile) error {
	if len(gone) == 0 {
		return nil
	}
	lastPages(gone)
	for _, r := range gone {
		if err := o.addTombstone(r.ID); err != nil {
			return err
		}
	}
	return o.Written.Flush()
}

func (o *Observer) addTombstone(id string) error {
	row, known := ledger.Found(o.Notes.Ledger.Note(id))
	if !known {
		return nil
	}
	if pages.Order(id) >= 0 { // one that has nothing to list goes with whichever machine is first to see it
		if wanted, err := o.wouldWrite(row); err != nil {
			return err
		} else if !wanted {
			return o.Notes.Drop(row)
		}
	}
	if err := o.Owned.AddTombstone(id, row.Path); err != nil {
		return err
	}
	if err := o.Written.Also(written.PathOf(row)); err != nil {
		return err
	}
	return o.Notes.Drop(row)
}
