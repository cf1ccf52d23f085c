package extract

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// sighting stands for a file as it was last seen. Where one is known, the file need
// not be opened again.
type sighting [16]byte

// sightingOf makes a sighting of all that tells whether a file must be opened.
func sightingOf(what []byte, s vault.Stamp) sighting {
	sum := sha256.Sum256(ledger.AppendStamp(what, sources.Stamp{Size: s.Size, MTime: s.MTime, CTime: s.CTime, Inode: s.Inode}))
	return sighting(sum[:])
}

// sightings are those of the last pass and of this one, which the next is told.
type sightings struct{ before, now map[sighting]bool }

// loadSightings reads what the last pass left under a key of the ledger.
func (p *pass) loadSightings(key ledger.Key) (sightings, error) {
	all := sightings{before: map[sighting]bool{}, now: map[sighting]bool{}}
	b, err := p.Ledger.Value(key)
	for ; len(b) >= len(sighting{}); b = b[len(sighting{}):] {
		all.before[sighting(b)] = true
	}
	return all, err
}

// knows tells whether a file was met before, and keeps it in memory.
func (all *sightings) knows(one sighting) bool {
	if all.before[one] {
		all.now[one] = true
	}
	return all.before[one]
}

// meet remembers a file.
func (all *sightings) meet(one sighting) { all.now[one] = true }

// mark is what the next pass is told.
func (all *sightings) mark() []byte {
	var out []byte
	for _, one := range slices.SortedFunc(maps.Keys(all.now), func(a, b sighting) int { return bytes.Compare(a[:], b[:]) }) {
		out = append(out, one[:]...)
	}
	return out
}
