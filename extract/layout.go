package extract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/vault"
)

// Layouts of a vault, values of [Settings.Layout].
const (
	// LayoutAgents is sessionloom's own: a folder for each kind of note.
	LayoutAgents = "agents"
	// LayoutWiki is that of vaults in which language models keep a wiki: a folder
	// for each category, six properties in every note.
	LayoutWiki = "wiki"
)

// layout says where notes stand and what all of them tell of themselves. The
// names of ids.go are those of LayoutAgents; place turns them into its own.
type layout struct {
	wiki bool
	// kept says that a wiki stands at the vault's root which has an index and a
	// hot page of its own; else those are ours to give.
	kept bool
}

func newLayout(name string, kept bool) layout {
	return layout{wiki: name == LayoutWiki, kept: kept && name == LayoutWiki}
}

// layouts are all there are: a note that lies at its name of any of them was put
// there by us.
func layouts() []layout { return []layout{{}, {wiki: true}, {wiki: true, kept: true}} }

// catalogue tells whether Home and Open threads are a wiki's index and hot page.
func (l layout) catalogue() bool { return l.wiki && !l.kept }

// Names of the pages that a wiki has at its root.
const (
	indexPath = "index.md"
	hotPath   = "hot.md"
)

// pageTaken is put behind the name of a page where something else has that name.
const pageTaken = " (agents).md"

// place is where a note stands that ids.go names so.
func (l layout) place(name string) string {
	if stem, ok := strings.CutSuffix(name, pageTaken); ok {
		return trimMD(l.place(stem+".md")) + pageTaken
	}
	if !l.wiki {
		return name
	}
	switch {
	case name == homePath && !l.kept:
		return indexPath
	case name == threadsPath && !l.kept:
		return hotPath
	}
	// A wiki keeps its pages by category, and what concerns one project below
	// projects/<name>/<category>/.
	parts := strings.Split(name, "/")
	switch n := len(parts); {
	case n == 2 && parts[0] == "memory":
		parts[0] = wikiFolder(parts[0])
	case n == 4 && parts[0] == "projects":
		parts[2] = wikiFolder(parts[2])
	}
	return strings.Join(parts, "/")
}

// wikiFolder is the category that holds what a folder of LayoutAgents holds:
// what happened at a time is journal, what is looked up is reference.
func wikiFolder(folder string) string {
	switch folder {
	case "sessions", "checkpoints":
		return "journal"
	case "memory", "files":
		return "references"
	}
	return folder
}

// layOut gives a draft its place and its facts in the vault's layout.
func (p *pass) layOut(d *draft) {
	d.plain = [2]string{d.path, d.long}
	d.path = p.layout.place(d.path)
	d.long = p.layout.place(d.long)
	d.shown = p.layout.complete(d.facts.tidied())
}

// placedByUs says that a note lies at its name of some layout: nobody but us put
// it there.
func (d *draft) placedByUs(path string) bool {
	for _, l := range layouts() {
		if path == l.place(d.plain[0]) || path == l.place(d.plain[1]) {
			return true
		}
	}
	return false
}

// pageSource stands in `sources` of a page that is made of notes alone.
const pageSource = "agent:sessionloom/notes"

// maxSummary is the most a wiki takes for a summary, in bytes.
const maxSummary = 200

// complete adds to facts what every page of a wiki has to tell.
func (l layout) complete(f facts) facts {
	if !l.wiki {
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
	case typeSession:
		return cmp.Or(filesChanged(f), counted(f.Turns, "prompt"))
	case typePart:
		return "the conversation goes on"
	case typeCheckpoint:
		return "what an agent noted halfway through a session"
	case typeMemory:
		return "what an agent wrote down: " + cmp.Or(f.Kind, "memory")
	case typeProject:
		if f.Open == 0 {
			return counted(f.Sessions, "session")
		}
		return counted(f.Sessions, "session") + ", " + counted(f.Open, "open end")
	case typeFile:
		return "edited in " + counted(f.Sessions, "session")
	case typeDay:
		return counted(f.Sessions, "session") + " on this day"
	case typeWeek:
		return counted(f.Sessions, "session") + " in this week"
	case typeThreads:
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

// category is the shelf of a wiki on which a note of a type stands.
func category(typ string) string {
	switch typ {
	case typeProject:
		return "project"
	case typeMemory, typeFile:
		return "references"
	case typeHome, typeThreads:
		return "synthesis"
	}
	return "journal"
}

// properties are those of a note, links and what the layout asks for included.
func (p *pass) properties(f facts) []vault.Property {
	all := f.properties(p.propertyLinks(f))
	if !p.layout.wiki {
		return all
	}
	at := 1 + slices.IndexFunc(all, func(p vault.Property) bool { return p.Key == "tags" })
	all = slices.Insert(all, at, vault.Property{Key: "category", Value: category(f.Type)})
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
