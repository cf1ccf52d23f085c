//go:build unix

package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The ledger is a cache: whichever page of it is flipped, zeroed or cut off, the
// next passes lose nothing, bury nothing and come to the vault that is there.
func TestDamagedLedger(t *testing.T) {
	p := placeIn(t, memoryDir(t), small)
	onceEdited(p)
	p.sync(0)
	before := tree(t, p.vault)
	found, err := filepath.Glob(filepath.Join(p.state, "*", "ledger.db"))
	p.must(err)
	whole, err := os.ReadFile(found[0])
	p.must(err)
	const page = 4096
	damages := map[string]func(b []byte, at int) []byte{
		"zeroed":  func(b []byte, at int) []byte { clear(b[at : at+page]); return b },
		"cut off": func(b []byte, at int) []byte { return b[:at+page/2] },
		"flipped": func(b []byte, at int) []byte {
			for i := at; i < at+page; i += 7 {
				b[i] ^= 0x55
			}
			return b
		},
	}
	pages, runs := len(whole)/page, 0
	for n := (pages - 4) % *every; n < pages; n += *every { // one is the last of the larger pages of the ledger
		for name, damage := range damages {
			what := fmt.Sprintf("page %d of %d %s", n+1, pages, name)
			p.must(os.WriteFile(found[0], damage(append([]byte(nil), whole...), n*page), 0o600))
			out := p.run("sync")
			runs++
			if out.code != 0 { // it was set aside, or is as soon as somebody looks
				p.toldOf(what, out)
				if out = p.run("sync"); out.code != 0 {
					t.Errorf("%s: it stays unusable: %s", what, out)
				}
			}
			if d := differences(before, tree(t, p.vault), false); d != "" {
				t.Fatalf("%s: the vault changed:\n%s%s", what, d, out)
			}
			p.holds(what, edits, ".md")
		}
	}
	proved(t, "ledger damaged: each page zeroed, flipped, cut off", pages, runs, "no note changed, none lost or deleted; the ledger is usable again")
}
