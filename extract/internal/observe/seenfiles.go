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

// SeenFile stands for a file as it was last seen. Where one is known, the file need
// not be opened again.
type SeenFile [16]byte

// seenFileOf makes a sighting of all that tells whether a file must be opened.
func seenFileOf(what []byte, s vault.Stamp) SeenFile {
	sum := sha256.Sum256(ledger.AppendStamp(what, sources.Stamp{Size: s.Size, MTime: s.MTime, CTime: s.CTime, Inode: s.Inode}))
	return SeenFile(sum[:])
}

// SeenFiles are those of the last pass and of this one, which the next is told.
type SeenFiles struct{ before, now map[SeenFile]bool }

// LoadSeenFiles reads what the last pass left under a key of the ledger.
func LoadSeenFiles(l *ledger.Ledger, key ledger.Key) (SeenFiles, error) {
	all := SeenFiles{before: map[SeenFile]bool{}, now: map[SeenFile]bool{}}
	b, err := l.Value(key)
	for ; len(b) >= len(SeenFile{}); b = b[len(SeenFile{}):] {
		all.before[SeenFile(b)] = true
	}
	return all, err
}

// Has tells whether a file was met before, and keeps it in memory.
func (all *SeenFiles) Has(one SeenFile) bool {
	if all.before[one] {
		all.now[one] = true
	}
	return all.before[one]
}

// Add remembers a file.
func (all *SeenFiles) Add(one SeenFile) { all.now[one] = true }

// Encode is what the next pass is told.
func (all *SeenFiles) Encode() []byte {
	var out []byte
	for _, one := range slices.SortedFunc(maps.Keys(all.now), func(a, b SeenFile) int { return bytes.Compare(a[:], b[:]) }) {
		out = append(out, one[:]...)
	}
	return out
}

// UnmanagedNote stands for a note that is none of ours.
func UnmanagedNote(e vault.Entry) SeenFile { return seenFileOf(append([]byte(e.Path), 0), e.Stamp) }
