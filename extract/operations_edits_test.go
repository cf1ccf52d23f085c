package extract

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// editLines changes some lines of a note below its frontmatter, in the regions
// and around them, but for our markers. Whatever a human may write into a place
// where links are looked for says so.
func editLines(_ *bench, path string, r *rand.Rand) error {
	return edit(path, func(s string) string {
		lines := strings.SplitAfter(s, "\n")
		for range 1 + r.IntN(3) {
			lines = editLine(lines, r)
		}
		return strings.Join(lines, "")
	})
}

func editLine(lines []string, r *rand.Rand) []string {
	at := r.IntN(len(lines))
	fences, inNav := 0, false
	for _, line := range lines[:at] {
		if strings.TrimRight(line, "\r\n") == "---" {
			fences++
		}
		inNav = strings.Contains(line, "begin nav") || inNav && !strings.Contains(line, "end nav")
	}
	line := lines[at]
	if fences < 2 || strings.Contains(line, "%% sessionloom:") {
		return lines
	}
	eol := line[len(strings.TrimRight(line, "\r\n")):]
	mine := fmt.Sprintf("by hand %d%s", r.IntN(100), eol)
	switch n := r.IntN(4); {
	case n == 0 && !inNav:
		lines[at] = ""
	case n == 1:
		lines[at] = mine
	case n == 2:
		lines[at] = line + mine
		if eol == "" {
			lines[at] = line + "\n" + mine
		}
	default:
		lines[at] = strings.Replace(line, "- [ ] ", "- [x] ", 1)
	}
	return lines
}

// editProperties adds what is the user's own to the frontmatter, or removes
// what is ours.
func editProperties(_ *bench, path string, r *rand.Rand) error {
	return edit(path, func(s string) string {
		switch r.IntN(5) {
		case 0:
			return strings.Replace(s, "\ntype: ", fmt.Sprintf("\nmine_%d: [a, \"b\"] # why\ntype: ", r.IntN(1000)), 1)
		case 1:
			return strings.Replace(s, "\ntags:\n", fmt.Sprintf("\ntags:\n  - mine/%d\n", r.IntN(100)), 1)
		case 2:
			return strings.Replace(s, "\ntags:\n  - \"agents/session\"\n", "\ntags: []\n", 1)
		case 3:
			return strings.Replace(s, "\nsummary: ", "\nsummary: mine, ", 1)
		}
		return strings.Replace(s, "\nagent: \"tale\"\n", "\n", 1)
	})
}

// editAndGrowOn edits notes and lets the history grow before we look.
func editAndGrowOn(b *bench, w *fakeSource, r *rand.Rand) string {
	what := onNote(editLines)(b, w, r)
	growSome(w, r)
	return what
}

// rewriteNote gives a note the line ends of another system, or a mark at its start.
func rewriteNote(_ *bench, path string, r *rand.Rand) error {
	return edit(path, func(s string) string {
		switch {
		case r.IntN(2) == 0 && !strings.HasPrefix(s, "\uFEFF"):
			return "\uFEFF" + s
		case strings.Contains(s, "\r\n"):
			return strings.ReplaceAll(s, "\r\n", "\n")
		}
		return strings.ReplaceAll(s, "\n", "\r\n")
	})
}

// handLines counts the lines of a vault that only a human can have written.
func handLines(files map[string]string) map[string]int {
	lines := map[string]int{}
	for _, text := range files {
		for line := range strings.Lines(text) {
			if strings.Contains(line, "by hand") || strings.Contains(line, "mine_") || strings.Contains(line, "mine/") {
				lines[line]++
			}
		}
	}
	return lines
}

// lostLines are those of which fewer are there after a pass than before it.
func lostLines(before, after map[string]string) (lost []string) {
	now := handLines(after)
	for line, n := range handLines(before) {
		if now[line] < n {
			lost = append(lost, line)
		}
	}
	return lost
}
