package observe

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// seenFile stands for a file as it was last seen. Where one is known, the file need
// not be opened again.
type seenFile [16]byte

// seenFileOf makes a sighting of all that tells whether a file must be opened.
func seenFileOf(what []byte, s vault.Stamp) seenFile {
	sum := sha256.Sum256(ledger.AppendStamp(what, sources.Stamp{Size: s.Size, MTime: s.MTime, CTime: s.CTime, Inode: s.Inode}))
	return seenFile(sum[:])
}

// seenFiles are those of the last run and of this one, which the next is told.
type seenFiles struct{ before, now map[seenFile]bool }

// loadSeenFiles reads what the last run left under a key of the ledger.
func loadSeenFiles(l *ledger.Ledger, key ledger.Key) (seenFiles, error) {
	all := seenFiles{before: map[seenFile]bool{}, now: map[seenFile]bool{}}
	b, err := l.Value(key)
	for ; len(b) >= len(seenFile{}); b = b[len(seenFile{}):] {
		all.before[seenFile(b)] = true
	}
	return all, err
}

// Has tells whether a file was met before, and keeps it in memory.
func (all *seenFiles) Has(one seenFile) bool {
	if all.before[one] {
		all.now[one] = true
	}
	return all.before[one]
}

// Add remembers a file.
func (all *seenFiles) Add(one seenFile) { all.now[one] = true }

// Encode is what the next run is told.
func (all *seenFiles) Encode() []byte {
	var out []byte
	for _, one := range slices.SortedFunc(maps.Keys(all.now), func(a, b seenFile) int { return bytes.Compare(a[:], b[:]) }) {
		out = append(out, one[:]...)
	}
	return out
}

// unmanagedNote stands for a note that is none of ours.
func unmanagedNote(e vault.Entry) seenFile { return seenFileOf(append([]byte(e.Path), 0), e.Stamp) }
