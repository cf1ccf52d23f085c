//go:build unix

package faults

import "testing"

// The yardstick itself: an undisturbed run is sound, and damage is seen.
func TestUndisturbedIsSound(t *testing.T) {
	p := newPlace(t, small, middle)
	p.add(large, 0.5)
	p.sync(0)
	p.add(large, 1)
	p.sound("nothing happened")
	before := tree(t, p.vault)
	p.must(p.grow(p.vault+"/Agents/Home.md", string(make([]byte, 1<<16))))
	if differences(before, tree(t, p.vault), false) == "" {
		t.Error("a damaged note is not seen")
	}
}
