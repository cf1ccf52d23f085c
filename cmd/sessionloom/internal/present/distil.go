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
	verb, characters, kept, dropped := "asked", 0, 0, 0
	if d.Report.DryRun {
		verb = "would ask"
	}
	for _, s := range d.Sessions {
		line := fmt.Sprintf("%s (%s): %s", s.Title, s.Session[:min(len(s.Session), 8)], Count(s.Characters, "character"))
		if !d.Report.DryRun {
			line += ", " + Count(s.Lines, "line") + " kept"
			if s.Dropped > 0 {
				line += ", " + Commas(s.Dropped) + " dropped"
			}
		}
		lines = append(lines, line)
		characters, kept, dropped = characters+s.Characters, kept+s.Lines, dropped+s.Dropped
		if s.Question != "" {
			lines = append(lines, "", s.Question)
		}
	}
	sum := fmt.Sprintf("%s %s about %s, with %s", verb, d.By, Count(len(d.Sessions), "session"), Count(characters, "character"))
	if !d.Report.DryRun {
		sum += fmt.Sprintf(": %s kept, %s dropped for a quotation that is not there", Count(kept, "line"), Commas(dropped))
	}
	return append(lines, sum)
}
