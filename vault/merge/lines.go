package merge

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// diffLines finds the edits that make one text another. Lines that stand once in either are matched
// first: blank ones, which are alike everywhere, would outweigh them.
func diffLines(before, after string) (edits []udiff.Edit) {
	a, b := 0, 0 // both texts are compared up to here
	compare := func(toA, toB int) {
		for _, e := range udiff.Lines(before[a:toA], after[b:toB]) {
			edits = append(edits, udiff.Edit{Start: a + e.Start, End: a + e.End, New: e.New})
		}
	}
	for _, m := range matches(before, after) {
		compare(m.before, m.after)
		a, b = m.before+m.length, m.after+m.length
	}
	compare(len(before), len(after))
	return slideDown(before, edits)
}

// slideDown moves edits that only insert or only delete down over lines that are alike, so that one
// change has one place, and makes one edit of those that meet.
func slideDown(before string, edits []udiff.Edit) (out []udiff.Edit) {
	end := len(before) // of what lies between an edit and the next one
	for _, e := range slices.Backward(edits) {
		if e.New == "" || e.Start == e.End {
			moves, size, by := e.New+before[e.Start:end], len(e.New)+e.End-e.Start, 0
			for {
				n := strings.IndexByte(before[e.End+by:end], '\n') + 1
				if n == 0 || n > size || !strings.HasPrefix(moves[by:], before[e.End+by:e.End+by+n]) {
					break
				}
				by += n
			}
			if e.New != "" {
				e.New = moves[by : by+size]
			}
			e.Start, e.End = e.Start+by, e.End+by
		}
		if next := len(out) - 1; next >= 0 && e.End == end {
			e.End, e.New, out = out[next].End, e.New+out[next].New, out[:next]
		}
		out, end = append(out, e), e.Start
	}
	slices.Reverse(out)
	return out
}

// match is a line that two texts share, by its places in them.
type match struct{ before, after, length int }

// matches returns the lines that occur once in each text, as many as are in the same order in both.
func matches(before, after string) []match {
	once := linesOnce(after)
	var all []match
	for line, at := range linesOnce(before) {
		if there, ok := once[line]; ok {
			all = append(all, match{at, there, len(line)})
		}
	}
	slices.SortFunc(all, func(m, n match) int { return m.before - n.before })
	return ascending(all)
}

// linesOnce are the places of the lines that stand once in a text.
func linesOnce(text string) map[string]int {
	places := map[string]int{}
	var again []string
	at := 0
	for line := range strings.Lines(text) {
		if _, seen := places[line]; seen {
			again = append(again, line)
		}
		places[line] = at
		at += len(line)
	}
	for _, line := range again {
		delete(places, line)
	}
	return places
}

// ascending leaves the longest series of matches whose places in the second text ascend too.
func ascending(all []match) []match {
	var ends []int                 // by length less one: where the series of that length ends that ends earliest
	prior := make([]int, len(all)) // the match before each one in its series
	for i, m := range all {
		n, _ := slices.BinarySearchFunc(ends, m.after, func(end, at int) int { return all[end].after - at })
		if n == len(ends) {
			ends = append(ends, 0)
		}
		if ends[n] = i; n > 0 {
			prior[i] = ends[n-1]
		}
	}
	out := make([]match, len(ends))
	for n, at := len(ends)-1, 0; n >= 0; n-- {
		if n == len(ends)-1 {
			at = ends[n]
		}
		out[n], at = all[at], prior[at]
	}
	return out
}
