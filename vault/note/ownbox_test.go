package note

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestOwnBoxPattern compares what is taken apart by hand with the pattern of such a line.
func TestOwnBoxPattern(t *testing.T) {
	pattern := regexp.MustCompile(`^([ \t]*[-*+] \[)([^\]\n])(\] .*?)((?:[ \t]+(?:(?:✅|❌|➕)[ \t]*\d{4}-\d\d-\d\d|\[completion::[^\]\n^]*\]))*)([ \t]+\^)(open-[0-9a-f-]+)([ \t]*\n?)$`)
	begins := []string{"- [ ] ", "  * [x] ", "\t+ [é] ", "- [", ""}
	pieces := []string{" ", "\t", "  ", "- ", "[", "]", "] ", "x", "é", "\xff", "✅", " ✅", "❌", "\t➕", " ✅ 2026-11-22", " ❌2026-11-22", "2026-11-22", " [completion:: 2026-11-22]", "^", " ^", " ^open-", "12af", "-", "g", "\r"}
	ends := []string{" ^open-12", "  ^open-1f-2 ", " ^open-ab\n", "^open-ab\n", "\t^open-ab \t\n", ""}
	r, found := rand.New(rand.NewPCG(1, 2)), 0
	for range 200_000 {
		line := begins[r.IntN(len(begins))]
		for range r.IntN(7) {
			line += pieces[r.IntN(len(pieces))]
		}
		line += ends[r.IntN(len(ends))]
		got, ok := ownBoxIn(line)
		want := pattern.FindStringSubmatch(line)
		if ok != (want != nil) {
			t.Fatalf("ownBoxIn(%q) finds one: %v, the pattern %q", line, ok, want)
		}
		if !ok {
			continue
		}
		found++
		if parts := []string{line, got.before, got.Mark, got.text, got.Signs, got.behind, got.id, got.end}; strings.Join(parts, "\x00") != strings.Join(want, "\x00") {
			t.Fatalf("ownBoxIn(%q) = %q, the pattern %q", line, parts, want)
		}
	}
	if found < 1000 {
		t.Errorf("only %d lines had a box", found)
	}
}
