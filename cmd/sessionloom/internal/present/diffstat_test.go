package present

import (
	"slices"
	"testing"
)

func TestStat(t *testing.T) {
	lines := Stat([]Diff{
		{Note: "Agents/Week.md", Outcome: "updated", plus: 3000, minus: 100},
		{Note: "Agents/Home.md", From: "Agents/H.md", Outcome: "moved", minus: 1},
	})
	want := []string{"updated Agents/Week.md | +3,000 -100", "moved   Agents/H.md => Agents/Home.md | +0 -1", "2 notes: +3,000 -101"}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q", lines)
	}
}
