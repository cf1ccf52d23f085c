package extract

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// foreigners are the notes in the managed folder that are none of ours. Where
// that is the whole vault they are most, so they are remembered by path and stamp
// and opened again only when those change.
type foreigners struct{ before, now map[[foreignPrint]byte]bool }

// foreignPrint is the length of what is remembered of one.
const foreignPrint = 16

func (p *pass) loadForeigners() (foreigners, error) {
	f := foreigners{before: map[[foreignPrint]byte]bool{}, now: map[[foreignPrint]byte]bool{}}
	all, err := p.Ledger.Meta(markForeign)
	for ; len(all) >= foreignPrint; all = all[foreignPrint:] {
		f.before[[foreignPrint]byte(all)] = true
	}
	return f, err
}

func printOf(e vault.Entry) [foreignPrint]byte {
	s := e.Stamp
	b := ledger.AppendStamp(append([]byte(e.Path), 0), sources.Stamp{Size: s.Size, MTime: s.MTime, CTime: s.CTime, Inode: s.Inode})
	sum := sha256.Sum256(b)
	return [foreignPrint]byte(sum[:])
}

// knows tells whether a file was met before, and keeps it in memory.
func (f *foreigners) knows(e vault.Entry) bool {
	print := printOf(e)
	if f.before[print] {
		f.now[print] = true
	}
	return f.before[print]
}

// meet remembers a file that was opened.
func (f *foreigners) meet(e vault.Entry) { f.now[printOf(e)] = true }

// mark is what the next pass is told.
func (f *foreigners) mark() []byte {
	all := slices.SortedFunc(maps.Keys(f.now), func(a, b [foreignPrint]byte) int { return bytes.Compare(a[:], b[:]) })
	var out []byte
	for _, print := range all {
		out = append(out, print[:]...)
	}
	return out
}

// isOurs tells a note of ours from one that a human gave an id of their own, as
// many do. In a folder of our own every id is taken to be ours: the note may have
// lost its markers.
func (p *pass) isOurs(n vault.Note) bool {
	if n.Marked || p.Folder != wholeVault {
		return n.ID != ""
	}
	kind, _, ours := strings.Cut(n.ID, ":")
	return ours && slices.Contains([]string{typeSession, typeCheckpoint, typeMemory}, kind)
}

// wholeVault is the managed folder where that is the vault itself.
const wholeVault = "."
