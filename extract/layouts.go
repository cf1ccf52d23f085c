package extract

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/vault"
)

// layOut gives a draft its place and its facts in the vault's layout.
func (p *pass) layOut(d *draft) {
	d.plain = [2]string{d.path, d.long}
	d.path = p.layout.Place(d.path)
	d.long = p.layout.Place(d.long)
	d.shown = d.facts.tidied().complete(p.layout)
}

// pageSource stands in `sources` of a page that is made of notes alone.
const pageSource = "agent:sessionloom/notes"

// maxSummary is the most a wiki takes for a summary, in bytes.
const maxSummary = 200

// complete adds what every page of a wiki has to tell.
func (f facts) complete(l names.Layout) facts {
	if !l.IsWiki() {
		return f
	}
	f.Summary = texts.Cut(cmp.Or(f.Summary, summaryOf(f)), maxSummary)
	if len(f.Sources) == 0 {
		f.Sources = []string{pageSource}
	}
	if f.Created.IsZero() {
		f.Created = f.Updated
	}
	if f.Updated.IsZero() {
		f.Updated = f.Created
	}
	return f
}

// summaryOf says in a line what a note without a summary is about.
func summaryOf(f facts) string {
	switch f.Type {
	case names.TypeSession:
		return cmp.Or(filesChanged(f), counted(f.Turns, "prompt"))
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
	case names.TypeFile:
		return "edited in " + counted(f.Sessions, "session")
	case names.TypeDay:
		return counted(f.Sessions, "session") + " on this day"
	case names.TypeWeek:
		return counted(f.Sessions, "session") + " in this week"
	case names.TypeThreads:
		if f.Open == 0 {
			return "nothing is open"
		}
		return counted(f.Open, "open end")
	}
	return counted(f.Sessions, "session") + " of coding agents"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// properties are those of a note, links and what the layout asks for included.
func (p *pass) properties(f facts) []vault.Property {
	all := f.properties(p.propertyLinks(f))
	if !p.layout.IsWiki() {
		return all
	}
	at := 1 + slices.IndexFunc(all, func(p vault.Property) bool { return p.Key == "tags" })
	all = slices.Insert(all, at, vault.Property{Key: "category", Value: names.Category(f.Type)})
	for _, key := range []string{"created", "updated"} {
		if _, known := valueOf(all, key); !known { // nothing tells: the property stands empty
			all = append(all, vault.Property{Key: key, Value: ""})
		}
	}
	return all
}

// atHand adds what a page in the layout of a wiki names as its source: any pass
// has it.
func atHand(layers []string) []string { return append(slices.Clone(layers), pageSource) }
