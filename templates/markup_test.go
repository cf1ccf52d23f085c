package templates

import (
	"strings"
	"testing"
)

func TestScalarActsNowhere(t *testing.T) {
	for in, want := range map[string]string{
		"a <% b %> <<% c":      "a < % b %> << % c",
		"[[Home]]":             "[ [Home]]",
		"![[Home]]":            "![ [Home]]",
		"app/[[...slug]]/p.ts": "app/[[...slug]]/p.ts",
		"two\nlines\x1b[31m":   "two lines",
		"plain – text 📈":       "plain – text 📈",
	} {
		got := Scalar(in)
		if got != want || Scalar(got) != got || strings.Contains(got, "<%") {
			t.Errorf("Scalar(%q) = %q, want %q", in, got, want)
		}
	}
}
