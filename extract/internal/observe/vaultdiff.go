package observe

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// vaultDiff compares the managed folder with the state.
type vaultDiff struct {
	o       *Observer
	rows    []ledger.NoteRow
	at      map[string][]string   // id → all paths where it was found
	strange map[string]vault.Note // id → what lies where it lay, and bears no id or one that nobody knows
	changed []vault.Note          // notes that are new or other than last seen
	missing []ledger.NoteRow      // notes that no longer lie where they were
	unread  bool                  // a file that may be any note could not be read
	theirs  []byte                // sightings of the notes that are none of ours, one after the other
}

func (o *Observer) notes(ctx context.Context, files owned.Gone, checkout bool) error {
	clear(o.seen.Elsewhere)
	s := &vaultDiff{o: o, at: map[string][]string{}, strange: map[string]vault.Note{}}
	s.rows = o.Notes.Ledger.NoteFiles()
	s.compare()
	s.pickDuplicates()
	if err := s.compareOutside(); err != nil {
		return err
	}
	left, err := s.missNotes(ctx, files, checkout)
	if err != nil {
		return err
	}
	s.freeNames()
	for _, n := range s.changed {
		err := contain.Failure(ctx, o.Notes.Ledger, func() error { return o.takeChanged(n) }, func(err error) { o.Recorder.Unreadable(n.Path, err) })
		if err != nil {
			return err
		}
	}
	return o.dropMissing(left) // what they have to list is known by now
}

func (s *vaultDiff) compare() {
	gone := make(map[string]ledger.NoteRow, len(s.rows)) // by path: what did not turn up so far
	for _, r := range s.rows {
		if r.State.IsInFolder() || r.State == ledger.Unwritable {
			gone[r.Path] = r
		}
	}
	known := seenFiles(s.o.Notes.Ledger)
	for _, e := range s.o.seen.entries {
		row, ours := gone[e.Path]
		seenFile := seenFileOf(e)
		switch {
		case ours && row.State == ledger.Present && row.Stamp == index.StampOf(e.Stamp):
			s.at[row.ID] = append(s.at[row.ID], e.Path)
			delete(gone, e.Path)
			continue
		case !ours && known[string(seenFile)]:
			s.theirs = append(s.theirs, seenFile...)
			continue
		}
		n, err := s.o.Vault.Load(e.Path)
		if err == nil && !isOurs(n, s.o.Folder) {
			n.ID = ""
		}
		switch {
		case !ours && err == nil && n.ID == "" && n.Marked:
			s.unclear(n, idGone)
		case !ours && (errors.Is(err, note.ErrTooLarge) || err == nil && n.ID == ""):
			s.theirs = append(s.theirs, seenFile...)
		case err != nil:
			s.o.Recorder.Unreadable(e.Path, err)
			if s.unread = s.unread || !ours; !ours {
				s.unclear(vault.Note{Path: e.Path}, "it cannot be read")
			}
			delete(gone, e.Path)
		case ours && n.ID != row.ID && (n.ID == "" || s.isNew(n.ID)):
			s.strange[row.ID] = n
		default:
			s.take(n)
			if n.ID == row.ID {
				delete(gone, e.Path)
			}
		}
	}
	s.pickStrange(gone)
	for _, at := range slices.Sorted(maps.Keys(gone)) {
		if row := gone[at]; len(s.at[row.ID]) == 0 {
			s.missing = append(s.missing, row)
		}
	}
	s.o.Notes.AtEnd(ledger.Unmanaged, s.theirs)
}

func (s *vaultDiff) take(n vault.Note) {
	s.at[n.ID] = append(s.at[n.ID], n.Path)
	s.changed = append(s.changed, n)
}

// isOurs distinguishes a note of ours from one that a human gave an id of their own, as
// many do. In a folder of our own an id of a shape of ours is enough: the note may have
// lost its markers.
func isOurs(n vault.Note, folder string) bool {
	const wholeVault = "." // the managed folder where that is the vault itself
	return n.ID != "" && (n.Marked || folder != wholeVault && names.IsID(n.ID) || names.IsRareID(n.ID))
}

func (s *vaultDiff) isNew(id string) bool {
	_, known := s.o.Notes.Ledger.Note(id)
	return !known
}

// idGone is why a note is left alone that is one of ours and has no id.
const idGone = "its id is gone"

// unclear remembers a file that is a note of ours, or may be, and does not tell which.
func (s *vaultDiff) unclear(n vault.Note, why string) {
	n.Broken = why
	s.o.found.unclear[strings.ToLower(n.Path)] = n
}

// Unclear returns the file at one of these paths that may be the note of an id, and in Broken
// why nobody can tell.
func (o *Observer) Unclear(id string, paths ...string) (n vault.Note, found bool) {
	for _, path := range paths {
		n, found = o.found.unclear[strings.ToLower(path)]
		if own := facts.From(n, time.UTC).Own; found && (own == "" || own == facts.OwnOf(id)) {
			return n, true
		}
	}
	return n, false
}

// pickStrange decides about notes that lie where another one lay. Where that one lies
// elsewhere now, or was deleted, it is a note that is new here; else its id is damaged,
// and nothing was deleted.
func (s *vaultDiff) pickStrange(gone map[string]ledger.NoteRow) {
	for _, id := range slices.Sorted(maps.Keys(s.strange)) {
		n := s.strange[id]
		switch {
		case len(s.at[id]) == 0 && (n.ID == "" || !s.o.Vault.HasTombstone(id)):
			delete(gone, n.Path)
			n.ID, n.Broken = id, idGone
			s.changed = append(s.changed, n)
		case n.ID != "":
			s.take(n)
		}
	}
}

// pickDuplicates has each id that several notes carry stand for one of them: no
// copy that a program left, then the shortest path, as a copy's name is longer,
// and the same one in every run. Neither is written.
func (s *vaultDiff) pickDuplicates() {
	for _, id := range slices.Sorted(maps.Keys(s.at)) {
		paths := s.at[id]
		if len(paths) < 2 {
			continue
		}
		slices.SortFunc(paths, func(a, b string) int {
			return cmp.Or(owned.First(!isConflictCopy(a), !isConflictCopy(b)), len(a)-len(b), strings.Compare(a, b))
		})
		n, err := s.o.Vault.Load(paths[0])
		if err != nil {
			s.o.Recorder.Unreadable(paths[0], err)
			continue
		}
		n.ID, n.Broken = id, duplicateReason(paths)
		s.changed = append(slices.DeleteFunc(s.changed, func(n vault.Note) bool { return n.ID == id }), n)
	}
}

func (s *vaultDiff) compareOutside() error {
	for _, r := range s.rows {
		if r.State != ledger.MovedOut || len(s.at[r.ID]) > 0 {
			continue
		}
		n, _, err := s.o.Vault.Elsewhere(r.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && n.ID != r.ID:
			s.missing = append(s.missing, r)
		case err != nil:
			s.o.Recorder.Unreadable(r.Path, err)
		case index.StampOf(n.Stamp) == r.Stamp:
			s.o.seen.Elsewhere[r.Path] = n.Stamp
		default:
			if err := s.o.takeMovedOut(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// freeNames has notes named again that have a hash in their names because of a file that is gone.
func (s *vaultDiff) freeNames() {
	var taken map[string]bool // made for the first such name: most vaults have none
	for _, r := range s.rows {
		short := path.Join(path.Dir(r.Path), names.Stem(r.Path, r.ID)+".md")
		if short == r.Path {
			continue
		}
		if taken == nil {
			taken = map[string]bool{}
			for at := range s.o.seen.Files {
				taken[strings.ToLower(at)] = true
			}
		}
		if !taken[strings.ToLower(short)] && !s.o.Notes.SharesName(r.Path, r.ID) {
			s.o.Notes.Ledger.MarkDue(ledger.DueName, r.ID)
		}
	}
}

// seenFileOf identifies a foreign note as it was seen: while it is the same, it is not opened
// again.
func seenFileOf(e vault.Entry) []byte {
	stamp := sources.Stamp{Size: e.Stamp.Size, MTime: e.Stamp.MTime, CTime: e.Stamp.CTime, Inode: e.Stamp.Inode}
	sum := sha256.Sum256(ledger.AppendStamp(append([]byte(e.Path), 0), stamp))
	return sum[:seenFileSize]
}

const seenFileSize = 16 // bytes

func seenFiles(l *ledger.Ledger) map[string]bool {
	all := l.Value(ledger.Unmanaged)
	known := make(map[string]bool, len(all)/seenFileSize)
	for one := range slices.Chunk(all, seenFileSize) {
		known[string(one)] = true
	}
	return known
}

// Snapshot is the managed folder as it stands, with the notes of ours elsewhere in the
// vault.
type Snapshot struct {
	Files     map[string]vault.Stamp // by path from the managed folder
	Elsewhere map[string]vault.Stamp // by path from the vault's root

	entries  []vault.Entry
	searched bool // notes of ours elsewhere were looked for once
}

// TakeSnapshot looks at the managed folder, and at the notes of ours elsewhere that
// the last run listed.
func TakeSnapshot(ctx context.Context, v *vault.Vault, l *ledger.Ledger) (s Snapshot, err error) {
	if s.entries, err = v.Scan(ctx); err != nil {
		return s, err
	}
	changed, err := v.Unlink(func(p string) (bool, error) {
		_, known := l.NoteAt(p)
		return known, l.Failed()
	})
	if err == nil && changed {
		s.entries, err = v.Scan(ctx)
	}
	if err != nil {
		return s, err
	}
	s.Files = make(map[string]vault.Stamp, len(s.entries))
	for _, e := range s.entries {
		s.Files[e.Path] = e.Stamp
	}
	s.Elsewhere, s.searched = LoadElsewhere(l, v), len(l.Value(ledger.Searched)) > 0
	return s, nil
}

// Fingerprint sums a snapshot up, in any order: the digests of its files are added.
func (s Snapshot) Fingerprint() []byte {
	var sum [2]uint64
	var b []byte
	for i, files := range []map[string]vault.Stamp{s.Files, s.Elsewhere} {
		for path, s := range files {
			b = append(append(append(b[:0], byte(i)), path...), 0)
			b = ledger.AppendStamp(b, sources.Stamp{Size: s.Size, MTime: s.MTime, CTime: s.CTime, Inode: s.Inode})
			one := sha256.Sum256(b)
			sum[0] += binary.LittleEndian.Uint64(one[:])
			sum[1] += binary.LittleEndian.Uint64(one[8:])
		}
	}
	return fmt.Append(nil, sum)
}

// LoadElsewhere looks at the notes of ours that are known to be elsewhere in the vault.
func LoadElsewhere(l *ledger.Ledger, v *vault.Vault) map[string]vault.Stamp {
	at := map[string]vault.Stamp{}
	for _, r := range l.NotesInState(ledger.MovedOut) {
		n, _, _ := v.Elsewhere(r.Path) // one that cannot be read has no stamp: that is another than last time
		at[r.Path] = n.Stamp
	}
	return at
}
