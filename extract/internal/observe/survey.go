package observe

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// wholeVault is the managed folder where that is the vault itself.
const wholeVault = "."

// idGone is why a note is left alone that lies where one of ours lay.
const idGone = "its id is gone"

// survey compares the managed folder with what the ledger knew of it.
type survey struct {
	look    look
	rows    []ledger.NoteFile
	at      map[string][]string   // id → all paths where it was found
	idless  map[string]vault.Note // id → what lies where it lay, and bears no id any more
	changed []vault.Note          // notes that are new or other than last seen
	missing []ledger.NoteFile     // notes that no longer lie where they were
	unread  bool                  // a file that may be any note could not be read
	foreign seenFiles             // notes that are none of ours, as they were last seen
}

// notes tells what became of all notes.
func (k look) notes(ctx context.Context, files tally) (err error) {
	s := &survey{look: k, at: map[string][]string{}, idless: map[string]vault.Note{}}
	if s.rows, err = k.Ledger.NoteFiles(); err != nil {
		return err
	}
	if s.foreign, err = loadSeenFiles(k.Ledger, ledger.Unmanaged); err != nil {
		return err
	}
	for _, step := range []func() error{s.compare, s.pickDuplicates, s.compareOutside} {
		if err := step(); err != nil {
			return err
		}
	}
	left, err := s.missNotes(ctx, files)
	if err != nil {
		return err
	}
	for _, n := range s.changed {
		if err := k.tell(Changed{n}); err != nil {
			return err
		}
	}
	return s.tellGone(LeftByCheckout, left)
}

// compare finds the notes that changed and those that are not where they were.
func (s *survey) compare() error {
	byPath := make(map[string]ledger.NoteFile, len(s.rows))
	for _, r := range s.rows {
		if r.State.Stands() || r.State == ledger.Broken {
			byPath[r.Path] = r
		}
	}
	relabelled := map[string]vault.Note{} // id → what lies where it lay, and bears one that nobody knows
	for _, e := range s.look.Seen.entries {
		row, known := byPath[e.Path]
		if known && row.State.Stands() && row.Stamp == index.StampOf(e.Stamp) {
			s.at[row.ID] = append(s.at[row.ID], e.Path)
			delete(byPath, e.Path)
			continue
		}
		if !known && s.foreign.Has(unmanagedNote(e)) {
			continue
		}
		n, err := s.look.Vault.Load(e.Path)
		if err == nil && !isOurs(n, s.look.Folder) {
			n.ID = ""
		}
		switch {
		case errors.Is(err, note.ErrTooLarge) && !known: // none of ours
			s.foreign.Add(unmanagedNote(e))
		case err != nil:
			if err := s.look.tell(Unreadable{e.Path, err}); err != nil {
				return err
			}
			s.unread = s.unread || !known
		case n.ID == "" && known:
			s.idless[row.ID] = n
		case n.ID == "":
			s.foreign.Add(unmanagedNote(e))
		case known && n.ID != row.ID && isNew(s.look.Ledger, n.ID):
			relabelled[row.ID] = n
		default:
			s.at[n.ID] = append(s.at[n.ID], e.Path)
			s.changed = append(s.changed, n)
		}
		if n.ID == "" || n.ID == row.ID {
			delete(byPath, e.Path)
		}
	}
	s.judgeRelabelled(relabelled, byPath)
	s.findMissing(byPath)
	return s.look.tell(Unmanaged{s.foreign.Encode()})
}

// findMissing finds the notes that lie nowhere, of those that do not lie where they
// lay, and those of which the text lost its id.
func (s *survey) findMissing(byPath map[string]ledger.NoteFile) {
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		if row := byPath[path]; len(s.at[row.ID]) == 0 {
			s.missing = append(s.missing, row)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.idless)) {
		if n := s.idless[id]; len(s.at[id]) == 0 {
			n.ID, n.Broken = id, idGone
			s.changed = append(s.changed, n)
		}
	}
}

// isOurs tells a note of ours from one that a human gave an id of their own, as
// many do. In a folder of our own every id is taken to be ours: the note may have
// lost its markers.
func isOurs(n vault.Note, folder string) bool {
	return n.ID != "" && (n.Marked || folder != wholeVault || names.IsRareID(n.ID))
}

func isNew(l *ledger.Ledger, id string) bool {
	_, known, err := l.Note(id)
	return err == nil && !known
}

// judgeRelabelled decides about notes that lie where another one lay and bear an
// id that nobody knows. Where the other one lies elsewhere now, or was deleted, it
// is a note that is new here; else its id is damaged, and nothing was deleted.
func (s *survey) judgeRelabelled(found map[string]vault.Note, byPath map[string]ledger.NoteFile) {
	for _, id := range slices.Sorted(maps.Keys(found)) {
		n := found[id]
		if len(s.at[id]) == 0 && !s.look.Vault.HasTombstone(id) {
			s.idless[id] = n
			delete(byPath, n.Path)
			continue
		}
		s.at[n.ID] = append(s.at[n.ID], n.Path)
		s.changed = append(s.changed, n)
	}
}

// pickDuplicates has each id that several notes carry stand for one of them: no
// copy that a program left, then the shortest path, as a copy's name is longer,
// and the same one in every run. Neither is written.
func (s *survey) pickDuplicates() error {
	for _, id := range slices.Sorted(maps.Keys(s.at)) {
		paths := s.at[id]
		if len(paths) < 2 {
			continue
		}
		slices.SortFunc(paths, func(a, b string) int {
			return cmp.Or(first(!isConflictCopy(a), !isConflictCopy(b)), len(a)-len(b), strings.Compare(a, b))
		})
		n, err := s.look.Vault.Load(paths[0])
		if err != nil {
			if err := s.look.tell(Unreadable{paths[0], err}); err != nil {
				return err
			}
			continue
		}
		n.ID, n.Broken = id, duplicateReason(paths)
		s.changed = append(slices.DeleteFunc(s.changed, func(n vault.Note) bool { return n.ID == id }), n)
	}
	return nil
}

// first orders what is so before what is not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// compareOutside compares the notes elsewhere in the vault with what was known of
// them.
func (s *survey) compareOutside() error {
	for _, r := range s.rows {
		if r.State != ledger.MovedOut || len(s.at[r.ID]) > 0 {
			continue
		}
		n, err := s.look.Vault.Elsewhere(r.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && n.ID != r.ID:
			s.missing, err = append(s.missing, r), nil
		case err != nil:
			err = s.look.tell(Unreadable{r.Path, err})
		case index.StampOf(n.Stamp) == r.Stamp:
			s.look.Seen.Elsewhere[r.Path] = n.Stamp
		default:
			err = s.look.tell(Outside{n})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
