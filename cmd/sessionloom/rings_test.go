package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// maxRing is the most files of a package that may need each other in a ring: more
// cannot be understood one after the other.
const maxRing = 8

func TestFilesFormNoLargeRings(t *testing.T) {
	t.Parallel()
	for _, p := range checkedPackages(t) {
		if ring := largestRing(p.usesOfFiles()); len(ring) > maxRing {
			t.Errorf("%s: %d files need each other, at most %d may: %s", p.name, len(ring), maxRing, strings.Join(ring, " "))
		}
	}
}

// usesOfFiles maps each file of a package to the files that declare what it uses.
func (p checkedPackage) usesOfFiles() map[string][]string {
	out := map[string][]string{}
	for id, object := range p.info.Uses {
		if object.Pkg() != p.types {
			continue
		}
		if from, to := p.fileOf(id.Pos()), p.fileOf(object.Pos()); from != to && !slices.Contains(out[from], to) {
			out[from] = append(out[from], to)
		}
	}
	return out
}

// largestRing finds the most files that all lead to each other.
func largestRing(uses map[string][]string) (largest []string) {
	reached := map[string]map[string]bool{}
	for from := range uses {
		seen := map[string]bool{}
		for next := slices.Clone(uses[from]); len(next) > 0; next = next[1:] {
			if !seen[next[0]] {
				seen[next[0]] = true
				next = append(next, uses[next[0]]...)
			}
		}
		reached[from] = seen
	}
	for _, from := range slices.Sorted(maps.Keys(reached)) {
		var ring []string
		for to := range reached[from] {
			if reached[to][from] {
				ring = append(ring, to)
			}
		}
		if len(ring) > len(largest) {
			largest = slices.Sorted(slices.Values(ring))
		}
	}
	return largest
}
