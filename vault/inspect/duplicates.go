package inspect

import (
	"fmt"
	"slices"
)

// findDuplicates finds notes of which one alone is to have an id, or a path in any
// spelling: not every system can hold two that differ in case or accents alone.
func (c *check) findDuplicates() {
	c.findAlike(FindingDuplicate, func(n *noteInfo) string { return n.id }, "its id %[1]q stands in another note too: %[2]q")
	c.findAlike(FindingName, func(n *noteInfo) string { return folded(n.path) }, "not every system can hold it beside %[2]q")
}

// findAlike names each note of ours that has something in common with others, and these.
func (c *check) findAlike(kind string, common func(*noteInfo) string, words string) {
	alike := map[string][]string{}
	for i := range c.notes {
		if n := &c.notes[i]; n.id != "" { // what a person names beside is theirs to know
			alike[common(n)] = append(alike[common(n)], n.path)
		}
	}
	for key, paths := range alike {
		for i, p := range paths {
			var others []string
			for _, other := range slices.Delete(slices.Clone(paths), i, i+1) {
				others = append(others, c.fromRoot(other))
			}
			if len(others) > 0 {
				c.find(kind, p, 0, fmt.Sprintf(words, key, others))
			}
		}
	}
}
