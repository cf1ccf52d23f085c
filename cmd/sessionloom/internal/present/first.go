package present

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

// FirstSync is what is told of the first notes of a vault.
type FirstSync struct {
	Sessions   int    // that have a note
	Home, Link string // the note to begin with: its path, and the link that opens it
	Missing    []catalog.Missing
	Limits     []string // filters that leave sessions out: project, since, source
	Next       string   // the command to go on with; empty: nothing is left to do
}

// Words stand in the place of the headline.
func (f FirstSync) Words(r *extract.Report, home string) []string {
	line := Count(f.Sessions, "session") + " in " + Count(r.Notes.Created, "note") + "."
	if f.Home != "" {
		line += " Open: " + f.Link + " (" + homepath.Tilde(f.Home, home) + ")"
	}
	lines := []string{line}
	out := leftOut(r, f.Missing)
	if len(f.Limits) > 0 {
		out = append(out, "all outside of "+strings.Join(f.Limits, " and "))
	}
	if len(out) > 0 {
		lines = append(lines, "left out: "+strings.Join(out, ", "))
	}
	return lines
}

// NextLine is the last line.
func (f FirstSync) NextLine() []string {
	if f.Next == "" {
		return nil
	}
	return []string{"next: " + f.Next}
}

// leftOut says of how many sessions there is no note, and why; `status` names them.
func leftOut(r *extract.Report, missing []catalog.Missing) (parts []string) {
	count := map[catalog.Why]int{}
	for _, m := range missing {
		count[m.Why]++
	}
	noun := func(n int) string { return Count(n, "session") }
	for _, f := range []amount{
		{count[catalog.Empty], "without content"},
		{r.Sessions.Excluded - count[catalog.Ignored], "of excluded projects"},
		{count[catalog.Ignored], "in folders with a file " + IgnoreFile},
		{count[catalog.Copied], "contained in another session"},
		{count[catalog.RowsOnly], "known only from a database or typed prompts"},
		{count[catalog.Automatic], "in which nobody typed a prompt"},
		{r.Sessions.Failed, "not readable now"},
	} {
		if f.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", noun(f.n), f.what))
			noun = Commas // only the first count names its noun
		}
	}
	return parts
}
