package vault

import (
	"fmt"
	"strings"
	"testing"
)

// ofRelease is a base as a release writes it.
func ofRelease(version int, text string) string {
	return strings.Replace(sealLine(text), fmt.Sprintf("v=%d ", layoutVersion), fmt.Sprintf("v=%d ", version), 1) + text
}

func TestMergeBases(t *testing.T) {
	const first = "views:\n  - name: Latest\n    limit: 100\n  - name: Open\n"
	const second = "formulas:\n  week: x\nviews:\n  - name: Latest\n    limit: 200\n  - name: Open\n"
	mine := func(text string) string { return text + "  - name: Mine\n" }
	old, fresh := ofRelease(1, first), ofRelease(2, second)
	_, oldText, _ := strings.Cut(old, "\n")
	freshLine, freshText, _ := strings.Cut(fresh, "\n")
	for _, c := range []struct {
		name               string
		base, ours, theirs string
		want               string // empty: a conflict
	}{
		{"two releases began it", "", old, fresh, fresh},
		{"two releases began it, the other way round", "", fresh, old, fresh},
		{"a view of the user's and a new release", old, mine(old), fresh, mine(fresh)},
		{"the same without a common version", "", mine(old), old, mine(old)},
		{"the app dropped our first line", old, mine(oldText), fresh, mine(freshText)},
		{"a line of the user's that a release changes", old, strings.Replace(old, "100", "7", 1), fresh,
			freshLine + "\n" + strings.Replace(freshText, "200", "7", 1)},
		{"the same from the other side", old, fresh, strings.Replace(old, "100", "7", 1),
			freshLine + "\n" + strings.Replace(freshText, "200", "7", 1)},
		{"two users, one line", old, strings.Replace(old, "100", "7", 1), strings.Replace(old, "100", "8", 1), ""},
		{"other line ends", old, strings.ReplaceAll(mine(old), "\n", "\r\n"), fresh, strings.ReplaceAll(mine(fresh), "\n", "\r\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := []byte(c.base)
			if c.base == "" {
				base = nil
			}
			got, clean := MergeBases(base, []byte(c.ours), []byte(c.theirs))
			if clean != (c.want != "") || clean && string(got) != c.want {
				t.Errorf("clean %v:\n%s\nwant:\n%s", clean, got, c.want)
			}
			if !clean && !strings.Contains(string(got), "<<<<<<< ours\n") {
				t.Errorf("a conflict without markers:\n%s", got)
			}
		})
	}
}
