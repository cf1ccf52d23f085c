package inspect

import (
	"fmt"
	"slices"
)

// findDuplicates finds ids that several notes carry; each of these notes is named.
func (c *check) findDuplicates() {
	byID := make(map[string][]string, len(c.notes))
	for i := range c.notes {
		if n := &c.notes[i]; n.id != "" {
			byID[n.id] = append(byID[n.id], n.path)
		}
	}
	for id, paths := range byID {
		for i, p := range paths {
			if len(paths) > 1 {
				var others []string
				for _, other := range slices.Delete(slices.Clone(paths), i, i+1) {
					others = append(others, c.fromRoot(other))
				}
				slices.Sort(others)
				words := fmt.Sprintf("its id %q stands in another note too: %q", id, others)
				c.find(FindingDuplicate, p, 0, words)
			}
		}
	}
}

// findSpellings finds notes of ours whose paths differ from others in the case of
// letters or the form of accents alone: not every system can hold both.
func (c *check) findSpellings() {
	bySpelling := make(map[string][]*noteInfo, len(c.notes))
	for i := range c.notes {
		if n := &c.notes[i]; n.id != "" { // what a person names beside is theirs to know
			bySpelling[folded(n.path)] = append(bySpelling[folded(n.path)], n)
		}
	}
	for _, alike := range bySpelling {
		for _, n := range alike {
			if len(alike) > 1 {
				c.find(FindingName, n.path, 0, fmt.Sprintf("not every system can hold it beside %q", c.fromRoot(otherThan(n, alike).path)))
			}
		}
	}
}

func otherThan(n *noteInfo, alike []*noteInfo) *noteInfo {
	i := slices.IndexFunc(alike, func(other *noteInfo) bool { return other != n })
	return alike[i]
}
