package present

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
)

func TestStatIsAsWideAsTheScreen(t *testing.T) {
	all := []Diff{
		{Note: "Agents/projects/widget (octo-org)/sessions/2026-03-02 plan-the-release (aaaaaaaa).md", Outcome: "updated", plus: 300, minus: 100},
		{Note: "Agents/Home.md", From: "Agents/H.md", Outcome: "moved", minus: 1},
	}
	lines := Stat(all, 60, true)
	for _, line := range lines {
		if lipgloss.Width(line) > 60 {
			t.Errorf("%q is wider than the screen", line)
		}
	}
	if lines[2] != "2 notes: +300 -101" {
		t.Errorf("got %q", lines[2])
	}
	if !strings.Contains(lines[1], "H.md => Agents/Home.md") || !strings.HasSuffix(lines[1], "-") {
		t.Errorf("got %q", lines[1])
	}
	if whole := Stat(all, 60, false)[0]; !strings.Contains(whole, all[0].Note) {
		t.Errorf("in a pipe a name is cut: %q", whole)
	}
}
