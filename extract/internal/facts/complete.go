package facts

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// pageSource stands in `sources` of a page that is made of notes alone.
const pageSource = "agent:sessionloom/notes"

// Complete adds what every page of a wiki has to tell.
func (f Facts) Complete(l names.Layout) Facts {
	const maxSummary = 200 // the most a wiki takes for a summary, in bytes
	if !l.IsWiki() {
		return f
	}
	f.Summary = texts.Cut(cmp.Or(f.Summary, summaryOf(f)), maxSummary)
	if len(f.Sources) == 0 {
		f.Sources = []string{pageSource}
	}
	f.Created = cmp.Or(f.Created, f.Updated)
	f.Updated = cmp.Or(f.Updated, f.Created)
	return f
}

func summaryOf(f Facts) string {
	switch f.Type {
	case names.TypeSession:
		return counted(f.Turns, "prompt")
	case names.TypePart:
		return "the conversation goes on"
	case names.TypeCheckpoint:
		return "what an agent noted halfway through a session"
	case names.TypeMemory:
		return "what an agent wrote down: " + cmp.Or(f.Kind, "memory")
	case names.TypeProject:
		if f.Open == 0 {
			return counted(f.Sessions, "session")
		}
		return counted(f.Sessions, "session") + ", " + counted(f.Open, "open end")
	case names.TypeThreads:
		if f.Open == 0 {
			return "nothing is open"
		}
		return counted(f.Open, "open end")
	}
	around := cmp.Or(map[string]string{
		names.TypeFile: "edited in %s", names.TypeIssue: "named in %s", names.TypePR: "named in %s", names.TypeDay: "%s on this day", names.TypeWeek: "%s in this week",
	}[f.Type], "%s of coding agents")
	return fmt.Sprintf(around, counted(f.Sessions, "session"))
}

func counted(n int, what string) string { return texts.Count(n, what, what+"s") }

// Available adds what a page in the layout of a wiki names as its source: any run
// has it.
func Available(layers []string) []string { return append(slices.Clone(layers), pageSource) }
