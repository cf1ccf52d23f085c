package escape

import (
	"strings"
	"testing"
)

func TestPropertyActsNowhere(t *testing.T) {
	for in, want := range map[string]string{
		"a <% b %> <<% c":      "a < % b %> << % c",
		"[[Home]]":             "[ [Home]]",
		"![[Home]]":            "![ [Home]]",
		"app/[[...slug]]/p.ts": "app/[[...slug]]/p.ts",
		"two\nlines\x1b[31m":   "two lines",
		"plain – text 📈":       "plain – text 📈",
	} {
		got := Property(in)
		if got != want || Property(got) != got || strings.Contains(got, "<%") {
			t.Errorf("Property(%q) = %q, want %q", in, got, want)
		}
	}
}
