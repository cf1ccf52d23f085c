// Package inert reads a page as Obsidian and its plugins do and names what would
// act in it: run, load, link, hide or be taken for ours. It knows nothing of how
// pages are escaped, so that it can judge those that are.
package inert

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Finding is something that would act, or hides what does.
type Finding struct {
	Line int    // from 1
	Kind string // a word that does not change, such as "html"
	Text string // the place, shortened; hostile as it stands
}

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
	kindTask       = "task"     // a box outside of "Open" and "Done" without an id of ours
	kindTemplate   = "template" // a command of Templater
	kindWikilink   = "wikilink" // other than those that we write
)

// Link is a link to a note of ours, or a view of a file, as our pages have it.
type Link struct {
	Line int    // from 1
	To   string // path from the vault's root
}

const maxShown = 60

// Find judges a region: anything that no page of ours ever holds. It takes time in proportion to a
// text of ours; one full of open brackets or nested quotes takes the square of it.
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

// FindInValue judges the value of a property, which is not a markdown.
func FindInValue(value string) []Finding {
	p := newPage(value)
	p.characters()
	return p.found
}

type page struct {
	src    string
	bare   []byte // src, of the same length, with all code blanked out
	starts []int  // where the lines begin
	items  []stretch
	closed []closed // blocks and code that act
	found  []Finding
	links  []Link
}

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

func (p *page) line(at int) int {
	return sort.SearchInts(p.starts, at+1) - 1
}

func (p *page) report(kind string, at int) {
	text := p.src[at:]
	if i := strings.IndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	p.found = append(p.found, Finding{Line: p.line(at) + 1, Kind: kind, Text: shortened(text)})
}

// reportAll names a stretch that acts with all that is in it.
func (p *page) reportAll(kind string, from, to int) {
	p.report(kind, from)
	p.closed = append(p.closed, closed{kind, stretch{from, to}})
}

func shortened(text string) string {
	n := min(len(text), maxShown)
	for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// characters looks at the bytes, as those do who know no markdown.
func (p *page) characters() {
	before := rune(0)
	for i, r := range p.src {
		n := utf8.RuneLen(r)
		switch {
		case strings.HasPrefix(p.src[i:], "<%"):
			p.report(kindTemplate, i)
		case r == utf8.RuneError && !strings.HasPrefix(p.src[i:], "\uFFFD"):
			p.report(kindHidden, i)
		case r == 0x200c || r == 0x200d:
			after, _ := utf8.DecodeRuneInString(p.src[i+n:])
			if !joined(before) || !joined(after) {
				p.report(kindHidden, i)
			}
		case unseen(r):
			p.report(kindHidden, i)
		}
		before = r
	}
}

// joined reports whether a joiner is allowed beside r.
func joined(r rune) bool {
	return r >= 0x600 && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsSymbol(r))
}

func unseen(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.IsControl(r), r == 0x2028, r == 0x2029:
		return true
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0:
		return true // letters by name, blank on the page
	case r >= 0xe0000 && r <= 0xe0fff: // tags and further variants of letters
		return true
	case r >= 0x600 && r <= 0x605, r == 0x6dd, r == 0x70f, r == 0x8e2, r >= 0x110bd && r <= 0x110cd:
		return false // signs that enclose numbers: they are seen
	}
	return unicode.Is(unicode.Cf, r)
}

// Acting names what would act in a page, such as "html: <b>"; given a word, what it is in.
func Acting(page, word string) []string {
	found := Find(page)
	if word != "" {
		found = around(page, word)
	}
	var out []string
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s: %q", f.Kind, f.Text))
	}
	return out
}

// enclosures act with all up to their last sign, or up to the end without one.
var enclosures = []rule{
	{kindComment, "%%", regexp.MustCompile(`(?s)%%.*?(?:%%|\z)`)},
	{kindFormula, "$", regexp.MustCompile(`(?s)\$\$.*?(?:\$\$|\z)|\$[^$\n]+\$`)},
	{kindHTML, "<", regexp.MustCompile(`(?s)<[A-Za-z/!?][^>]*`)},
	{kindTag, "#", regexp.MustCompile(`(?m)(?:^|[^A-Za-z0-9/])(#\S+)`)},
	{kindBlockID, "^", regexp.MustCompile(`(?m)(?:^|\s)(\^\S+)\s*$`)},
	{kindFootnote, "^", regexp.MustCompile(`(?:\[\^|\^\[)[^\]\n]*`)},
	{kindWikilink, "[[", regexp.MustCompile(`\[\[[^\]|\n]*`)},
	{kindEmbed, "![", regexp.MustCompile(`!\[[^\]\n]*(?:\]\([^)\n]*)?`)},
	{kindLink, "](", regexp.MustCompile(`\]\([^)\n]*`)},
	{kindDefinition, "]:", regexp.MustCompile(`(?m)^[> ]*\[[^\]\n]*\]:.*`)},
	{kindCallout, "[!", regexp.MustCompile(`(?m)^[> ]*\[![^\]\n]*`)},
	{kindTask, "[", regexp.MustCompile(`(?m)^[> \t]*(?:[-*+]|\d+[.)])[ \t]+\[[^\]\n]\](?:\s|$)`)},
	{kindField, "::", regexp.MustCompile(`[^\n\[(]*::`)},
}

var command = regexp.MustCompile(`(?s)<%.*?(?:%>|\z)`)

func around(page, word string) []Finding {
	p := newPage(page)
	p.structure()
	var out []Finding
	add := func(kind, text string) {
		if strings.Contains(text, word) {
			out = append(out, Finding{Kind: kind, Text: shortened(text)})
		}
	}
	for _, s := range p.closed {
		add(s.kind, page[s.from:s.to])
	}
	for _, text := range command.FindAllString(page, -1) { // which acts in code, too
		add(kindTemplate, text)
	}
	p.blankLinks()
	text := string(withoutEscapes(p.bare))
	for _, at := range scheme.FindAllStringIndex(text, -1) {
		if word, _, _ := strings.Cut(text[at[0]:], " "); !webScheme.MatchString(word) {
			add(kindLink, word)
		}
	}
	apply(enclosures, text, func(kind string, from, to int) { add(kind, text[from:to]) })
	return out
}
