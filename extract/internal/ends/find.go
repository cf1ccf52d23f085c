// Package ends finds what sessions left open, folds what is the same in other words into one
// thread, and finds what may have closed it. It is pure: the same sessions give the same threads.
package ends

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// Find lists what a markdown text leaves open and what it shows as done, in its order. Code
// and quotes are no part of it.
func Find(text string) []Found {
	f := finder{}
	for _, b := range texts.Blocks(text) {
		f.endIntro(b)
		f.take(b)
	}
	f.endIntro(texts.Block{})
	return f.out
}

// finder goes through the blocks of a text.
type finder struct {
	out   []Found
	scope scope
	level int    // of the heading that opened the scope
	items bool   // the scope had entries of a list
	group bool   // the entry above introduces those below it
	intro string // the sentence that seems to introduce the list below, and says that something is open
}

// scope is what stands below a lead-in.
type scope int

const (
	noScope   scope = iota
	ofHeading       // all up to the next heading
	ofLine          // the list or paragraph that follows a line such as "Left open:"
)

func (f *finder) take(b texts.Block) {
	switch {
	case b.Heading > 0:
		f.heading(b)
	case b.Cells != nil:
		f.row(b)
	case b.Item:
		f.item(b)
	default:
		f.paragraph(b)
	}
}

func (f *finder) heading(b texts.Block) {
	switch {
	case isLead(b.Text) || hintsAt(b.Text) || says(b.Text) && !isDoneLead(b.Text):
		f.scope, f.level, f.items = ofHeading, b.Heading, false
	case f.scope == ofHeading && b.Heading > f.level && !isDoneLead(b.Text): // a part of it
	default:
		f.scope = noScope
	}
}

func (f *finder) item(b texts.Block) {
	if done, rest, ok := cutBox(b.Text); ok {
		f.add(Found{Text: rest, How: Boxed, Done: done})
		f.items = f.scope == ofLine || f.items
		return
	}
	nested := b.Indent > 1 && !f.group
	if b.Indent <= 1 {
		f.group = strings.HasSuffix(b.Text, ":")
	}
	rest, led := cutLead(b.Text)
	switch {
	case led && rest == "": // "**Open**" as an entry, what it means stands below
		f.group = true
		f.scope, f.items = ofLine, false
	case led:
		f.addLed(rest)
	case f.scope != noScope && !nested:
		if f.items = true; !f.group || b.Indent > 1 {
			f.add(Found{Text: b.Text, How: Led})
		}
	case f.scope == noScope:
		f.passing(b.Text)
	}
}

// maxFound bounds what is taken of one text: a list of thousands is data, and nobody's ends.
const maxFound = 300

func (f *finder) add(found Found) {
	if len(f.out) == maxFound {
		return
	}
	found.Text = strings.TrimSpace(found.Text)
	if found.How == Led && !strings.HasSuffix(found.Text, "..") {
		found.Text = strings.TrimSuffix(found.Text, ".")
	}
	if found.Text != "" && !isNothing(found.Text) && !isOffer(found.Text, found.How) && strings.ContainsFunc(found.Text, found.How.tells) {
		f.out = append(f.out, found)
	}
}
