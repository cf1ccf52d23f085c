package present

import (
	"fmt"

	"github.com/sessionloom/sessionloom/extract"
)

// Distilled is what `distil` prints (schema 1).
type Distilled struct {
	Schema int `json:"schema"`
	extract.Distillation
	Report extract.Report `json:"run"`
}

// Lines returns the report in words.
func (d *Distilled) Lines() (lines []string) {
	if len(d.Sessions) == 0 {
		return []string{"Nothing to ask: " + d.By + " was asked about all sessions that matter, or there are none"}
	}
	verb, all := "asked", extract.SessionDistilled{}
	if d.Report.DryRun {
		verb = "would ask"
	}
	for _, s := range d.Sessions {
		lines = append(lines, fmt.Sprintf("%s (%s): %s", s.Title, s.Session[:min(len(s.Session), 8)], d.counts(s)))
		if s.Question != "" {
			lines = append(lines, "", s.Question)
		}
		all.Characters, all.Lines, all.Dropped = all.Characters+s.Characters, all.Lines+s.Lines, all.Dropped+s.Dropped
	}
	return append(lines, fmt.Sprintf("%s %s about %s: %s", verb, d.By, Count(len(d.Sessions), "session"), d.counts(all)))
}

func (d *Distilled) counts(s extract.SessionDistilled) string {
	words := Count(s.Characters, "character")
	if !d.Report.DryRun {
		words += ", " + Count(s.Lines, "line") + " kept, " + Commas(s.Dropped) + " dropped for a quotation that is not there"
	}
	return words
}
