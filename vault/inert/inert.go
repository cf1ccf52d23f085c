// Package inert reads a page as Obsidian and its plugins do and names what would
// act in it: run, load, link, hide or be taken for ours. It knows nothing of how
// pages are escaped, so that it can judge those that are.
package inert

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Finding is something that would act, or hides what does.
type Finding struct {
	Line int    // from 1
	Kind string // a word that does not change, such as "html"
	Text string // the place, shortened; hostile as it stands
}

// The kinds of findings.
const (
	kindBlockID    = "block-id"   // "^id", to which a link could point
	kindCallout    = "callout"    // one that our pages do not have, or at a place where they have none
	kindComment    = "comment"    // "%%", which hides what follows
	kindDefinition = "definition" // "[x]: address"
	kindEmbed      = "embed"      // of anything but a base or a kept picture
	kindEvaluated  = "evaluated"  // code that a plugin runs or makes an input of
	kindFence      = "fence"      // of a language that something runs
	kindField      = "field"      // a field of Dataview
	kindFootnote   = "footnote"
	kindFormula    = "formula"
	kindHeading    = "heading" // one inside of a quote or list, or of the underlined kind
	kindHidden     = "hidden"  // characters that show nothing or reorder what is shown
	kindHighlight  = "highlight"
	kindHTML       = "html"
	kindImage      = "image"
	kindLink       = "link" // to anything but http or https
	kindMarker     = "marker"
	kindRule       = "rule" // "---", which begins frontmatter and underlines headings
	kindTag        = "tag"
	kindTask       = "task"     // a box outside of "Open" and "Done"
	kindTemplate   = "template" // a command of Templater
	kindWikilink   = "wikilink" // other than those that we write
)

// Link is a link to a note of ours, or a view of a file, as our pages have it.
type Link struct {
	Line int    // from 1
	To   string // path from the vault's root
}

// maxShown is how much of a place a finding shows, in bytes.
const maxShown = 60

// Find judges the text of a region that we rendered: anything in it that no page
// of ours ever holds. What our pages do hold (links to notes, boxes, charts,
// callouts, embedded views and pictures of the vault) is no finding. It takes
// time in proportion to a text of ours; one full of open brackets or nested quotes
// takes the square of it.
func Find(region string) []Finding {
	found, _ := Look(region)
	return found
}

// Look is [Find] that also lists the links and views of ours in the region, which are none.
func Look(region string) ([]Finding, []Link) {
	p := newPage(region)
	p.characters()
	p.structure()
	p.lines()
	p.prose()
	p.fields()
	slices.SortStableFunc(p.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(p.found), p.links
}

// FindInValue judges the value of a property, which nobody reads as markdown: a
// command of Templater acts there, characters that are not seen hide something.
func FindInValue(value string) []Finding {
	p := newPage(value)
	p.characters()
	return p.found
}

// page is a text while it is judged.
type page struct {
	src    string
	bare   []byte // src, of the same length, with all code blanked out
	starts []int  // where the lines begin
	items  []stretch
	closed []closed // blocks and code that act
	found  []Finding
	links  []Link
}

// closed is a stretch that acts with all that stands in it.
type closed struct {
	kind string
	stretch
}

// stretch is a part of the text, from an offset up to but not including to.
type stretch struct{ from, to int }

func newPage(src string) *page {
	p := &page{src: src, bare: []byte(src), starts: []int{0}}
	for i := range len(src) {
		if src[i] == '\n' {
			p.starts = append(p.starts, i+1)
		}
	}
	return p
}

// line gives the number of the line that holds the offset, from 0.
func (p *page) line(at int) int {
	return sort.SearchInts(p.starts, at+1) - 1
}

// report names what stands at the offset.
func (p *page) report(kind string, at int) {
	text := p.src[at:]
	if i := strings.IndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	p.found = append(p.found, Finding{Line: p.line(at) + 1, Kind: kind, Text: shortened(text)})
}

// reportAll names a stretch that acts with all that stands in it.
func (p *page) reportAll(kind string, from, to int) {
	p.report(kind, from)
	p.closed = append(p.closed, closed{kind, stretch{from, to}})
}

// shortened cuts a text to what a finding shows.
func shortened(text string) string {
	n := min(len(text), maxShown)
	for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
