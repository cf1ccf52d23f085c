package observe

import (
	"context"
	"fmt"
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

// fate is what became of a note that is no longer where it was.
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
func (s *vaultDiff) missNotes(ctx context.Context, files owned.Gone, checkout bool) (left []ledger.NoteRow, err error) {
	wanted := map[string]bool{}
	for i, r := range s.missing {
		s.missing[i], _ = s.o.Notes.Ledger.Note(r.ID) // all of it: it decides what became of the note
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
	if len(fates[deleted]) > 0 && s.isPutBack() {
		s.bringBack(fates[deleted])
		fates[deleted] = nil
	}
	if err := s.o.allowed(len(fates[leftByCheckout])+len(fates[deleted]), files); err != nil {
		return nil, err
	}
	s.takeUnlooked(closed, fates[unknown])
	if len(fates[hiddenByGit]) > 0 { // neither deleted nor written as long as they are away
		s.skip(fates[hiddenByGit])
	}
	for _, row := range fates[forgotten] {
		s.o.Notes.Drop(row)
	}
	if err := s.o.takeOutside(found); err != nil {
		return nil, err
	}
	return fates[leftByCheckout], s.o.addTombstones(fates[deleted])
}

// enoughOlder is how many notes at least are other than they were, and untouched, where a vault was
// put back from a backup.
const enoughOlder = 3

// isPutBack reports whether most of the notes that changed are as we wrote them before, and none is as
// another machine wrote it since: nobody's edit makes them so.
func (s *vaultDiff) isPutBack() bool {
	ours, older := 0, 0
	for _, n := range s.changed {
		row, known := s.o.Notes.Ledger.Note(n.ID)
		if !known || n.Touched || n.Hash == row.Hash {
			continue
		}
		f, err := s.o.Notes.FactsIn(n)
		then := index.Stamp(f.Updated)
		if err != nil || then > row.Updated {
			return false
		}
		if ours++; then < row.Updated {
			older++
		}
	}
	return older > 0 && ours >= enoughOlder && 2*ours > len(s.changed)
}

// bringBack has notes rewritten that are missing since the vault was put back.
func (s *vaultDiff) bringBack(notes []ledger.NoteRow) {
	for _, row := range notes {
		s.o.Notes.Drop(row)
		if row.Session != "" {
			s.o.Notes.Queue.Mark(ledger.DueSession, row.Session)
		} else {
			s.o.Notes.Queue.Mark(ledger.DuePage, row.ID)
		}
	}
	s.o.Recorder.Problem(report.Problem{
		Error: fmt.Sprintf("the vault is older than its state, as if it was put back from a backup: %s missing written anew, none is taken for deleted", texts.Count(len(notes), "note that is", "notes that are")),
		Hint:  "delete a note now to be rid of it",
	})
}

// fates parts the notes that are gone by what became of them. Absence is not deletion:
// that is what is left when nothing else explains it.
func (s *vaultDiff) fates(found map[string]string, unlooked, checkout bool) (map[fate][]ledger.NoteRow, error) {
	var at []string
	for _, r := range s.missing {
		at = append(at, s.o.Notes.PathOf(r))
	}
	absences, err := s.o.Written.Explain(at)
	if err != nil {
		return nil, err
	}
	fates := map[fate][]ledger.NoteRow{}
	for i, row := range s.missing {
		became := deleted
		switch absence := absences[at[i]]; {
		case s.isTheirs(row) || row.State == ledger.Removing: // an interrupted run removed it
			became = forgotten
		case found[row.ID] != "":
			became = moved
		case unlooked:
			became = unknown
		case s.o.Vault.HasTombstone(row.ID) || index.ForgottenNote(s.o.Vault, s.o.Notes.Ledger, row): // it came so with the vault
			became = forgotten
		case absence == written.Hidden:
			became = hiddenByGit
		case checkout && absence != written.InCommit:
			became = leftByCheckout
		}
		fates[became] = append(fates[became], row)
	}
	return fates, nil
}

// isTheirs reports whether nothing of ours would make a note, as it is a copy that its user
// gave another id.
func (s *vaultDiff) isTheirs(row ledger.NoteRow) bool {
	switch {
	case s.o.Notes.IsOurs(row):
		return false
	case pages.Order(row.ID) >= 0:
		return !s.o.wouldWrite(row)
	}
	return row.Session != "" && !names.IsIDOf(row.ID, row.Session)
}

// skip leaves notes alone in this run and makes the next run check them again.
func (s *vaultDiff) skip(notes []ledger.NoteRow) {
	s.o.Recorder.LookAgain()
	for _, r := range notes {
		s.o.Notes.Skip(r.ID)
	}
}

// takeUnlooked reports folders of the vault that cannot be read, and the notes
// that may be there.
func (s *vaultDiff) takeUnlooked(folders []string, notes []ledger.NoteRow) {
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

// lastPages moves pages to the end, each before those that show it: by then their lists are
// complete.
func lastPages(notes []ledger.NoteRow) {
	slices.SortStableFunc(notes, func(a, b ledger.NoteRow) int { return pages.Order(a.ID) - pages.Order(b.ID) })
}

// dropMissing forgets notes that are not part of the commit checked out now. They were
// not deleted, and they are not written again either until their session has
// something new, or the user asks for them: they may be wanted on another branch
// alone. Told of are those alone that this machine would write: the others were
// removed by the machine that could. A page that a run removed, as it had nothing
// to list there, is rewritten where it has.
func (o *Observer) dropMissing(gone []ledger.NoteRow) error {
	lastPages(gone)
	var wanted []ledger.NoteRow
	var lay, told []string
	for _, row := range gone {
		if o.wouldWrite(row) {
			wanted, lay = append(wanted, row), append(lay, o.Notes.PathOf(row))
		}
		o.Notes.Drop(row)
	}
	removed, err := o.Written.Removed(lay)
	if err != nil {
		return err
	}
	for i, row := range wanted {
		if removed[lay[i]] && pages.Order(row.ID) >= 0 {
			o.Notes.Queue.Mark(ledger.DuePage, row.ID)
			continue
		}
		o.Notes.Skip(row.ID)
		told = append(told, fmt.Sprintf("%q (%s)", lay[i], row.ID))
	}
	if len(told) > 0 {
		o.Recorder.Problem(report.Problem{
			Error: fmt.Sprintf("%s missing since another commit was checked out in the vault: %s", texts.Count(len(told), "note is", "notes are"), strings.Join(told, ", ")),
			Hint:  "they are not taken for deleted: sessionloom restore ID writes one anew; delete it after that to be rid of it",
		})
	}
	return nil
}

// wouldWrite reports whether a missing note could be written again from the state.
func (o *Observer) wouldWrite(row ledger.NoteRow) bool {
	if pages.Order(row.ID) >= 0 {
		page := o.Page(row.ID)
		return page != nil && !page.Gone
	}
	return row.Session == "" || o.Loader.HasLayers(row.Session)
}

// addTombstones makes tombstones of notes that the user deleted. A page that has nothing to
// list goes with whichever machine is first to see it, and gets none.
func (o *Observer) addTombstones(gone []ledger.NoteRow) error {
	lastPages(gone)
	for _, row := range gone {
		if pages.Order(row.ID) < 0 || o.wouldWrite(row) {
			if err := o.Owned.AddTombstone(row.ID, row.Path); err != nil {
				return err
			}
			o.Written.Add(written.PathOf(row))
		}
		o.Notes.Drop(row)
	}
	return o.Written.Flush() // they are on the disk before the ledger forgets the notes
}
