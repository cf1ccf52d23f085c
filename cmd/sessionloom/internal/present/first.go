package present

import (
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
	count[catalog.Excluded] = r.Sessions.Excluded - count[catalog.Ignored]
	parts = countedBy(count)
	if n := r.Sessions.Failed; n > 0 {
		parts = append(parts, Commas(n)+" not readable now")
	}
	if len(parts) > 0 { // only the first count names its noun
		n, what, _ := strings.Cut(parts[0], " ")
		parts[0] = n + map[bool]string{true: " session ", false: " sessions "}[n == "1"] + what
	}
	return parts
}
