package merge

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// checkMerge holds a merge against what it promises, without looking at how it
// is made.
func checkMerge(t *testing.T, base, theirs, ours string) {
	t.Helper()
	m := threeWay(base, theirs, ours)
	fail := func(what string) {
		t.Helper()
		t.Fatalf("%s\nbase   %q\ntheirs %q\nours   %q\ntext   %q\nnext   %q\nrefused %+v", what, base, theirs, ours, m.text, m.base, m.rejected)
	}
	again := threeWay(m.base, m.text, ours)
	switch {
	case apply(base, 0, len(base), diffLines(base, theirs)) != theirs:
		fail("the edits that make theirs of the base make something else")
	case again.text != m.text || again.base != m.base || len(again.rejected) != len(m.rejected):
		fail("a second merge makes something else of it")
	case base == theirs && m.text != ours:
		fail("nobody but us changed it, and it is not ours")
	case base == ours && m.text != theirs:
		fail("nobody but them changed it, and it is not theirs")
	case len(m.rejected) == 0 && m.base != ours:
		fail("all was taken, and the base is not ours")
	case len(m.rejected) == 0 && m.unmerged != m.text:
		fail("all was taken, and something else is wanted")
	}
	was, theirLines, ourLines, got := countLines(base), countLines(theirs), countLines(ours), countLines(m.text)
	ticks := strings.Contains(theirs, "- [x] ")
	for line, n := range theirLines {
		if added := n - was[line]; added > 0 && got[line] < min(n, added) && !ticks {
			fail("a line of theirs is lost: " + line)
		}
	}
	for line, n := range got {
		if n > theirLines[line]+ourLines[line] {
			fail("a line stands there more often than in both: " + line)
		}
	}
}

func countLines(text string) map[string]int {
	n := map[string]int{}
	for line := range strings.Lines(text) {
		n[line]++
	}
	return n
}

// TestMergeKeepsItsPromises merges random changes of texts whose lines repeat
// often, which makes it hard to tell what became of which.
func TestMergeKeepsItsPromises(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"\n", "\n", "- [ ] a\n", "- [x] a\n", "- [ ] b\n", "## Open\n", "## Done\n", "x\n", "y\n", "\r\n"}
	random := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(words[r.IntN(len(words))])
		}
		return b.String()
	}
	change := func(s string) string {
		lines := splitLines(s)
		for range r.IntN(4) {
			at := r.IntN(len(lines) + 1)
			to := min(len(lines), at+r.IntN(3))
			lines = append(append(lines[:at:at], splitLines(random(3))...), lines[to:]...)
		}
		return strings.Join(lines, "")
	}
	rounds := 30000
	if testing.Short() {
		rounds = 1000
	}
	for range rounds {
		base := random(12)
		checkMerge(t, base, change(base), change(base))
	}
}

func FuzzMerge3(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc\n", "a\nb\nC\n")
	f.Add("## Open\n\n- [ ] x\n\n## Done\n\n- [x] y\n", "## Open\n\n- [x] x\n\n## Done\n\n- [x] y\n", "## Done\n\n- [x] x\n- [x] y\n")
	f.Add("\n", "", "\na\n\n")
	f.Add("a\n\na\n\na\n", "a\n\na\n", "a\n\nb\n\na\n\na\n")
	f.Add("a", "a\n", "b")
	f.Fuzz(func(t *testing.T, base, theirs, ours string) {
		checkMerge(t, wholeLines(base), wholeLines(theirs), wholeLines(ours))
	})
}

func wholeLines(s string) string {
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}
