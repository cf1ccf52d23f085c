package inert

import (
	"regexp"
	"strings"
)

// Links and views as we write them. Their text has been made harmless by
// look-alikes, since no backslash can be relied on there.
var (
	ownLink  = regexp.MustCompile("\\[\\[[^\\[\\]|#^\\\\<>`\"\n]+\\\\?\\|[^\\[\\]|`\n]+\\]\\]")
	ownEmbed = regexp.MustCompile("!\\[\\[(?:[^\\[\\]|#^\\\\<>`\"\n:]+/[^\\[\\]|#^\\\\<>`\"\n:/]+\\.(?:png|jpg|gif|webp)|[^\\[\\]|#^\\\\<>`\"\n]+\\.base#[^\\[\\]|#^\\\\<>`\"\n]+)\\]\\]")
	webWord  = regexp.MustCompile("(?i:https?)://[^<>\\s`()\\[\\]]*")
	webAngle = regexp.MustCompile("<(?i:https?)://[^<>\\s`]*>")
)

// marker is a line that would be taken for one of those around our regions.
var marker = regexp.MustCompile(`(?m)^[> \t]*%%[% \t]*sessionloom:`)

// lines judges what acts by the line alone, in code as well.
func (p *page) lines() {
	for _, at := range marker.FindAllStringIndex(p.src, -1) {
		p.report(kindMarker, at[0])
	}
}

// rule is a sign of Obsidian's own or of a plugin, in text that is no code.
type rule struct {
	kind string
	sign string         // what is looked for only in a text that has it
	form *regexp.Regexp // its first group, if it has one, is the place
}

// In these a backslash is of no help: whoever looks for them may not know of it.
var plainRules = []rule{
	{kindComment, "%%", regexp.MustCompile(`%%`)},
	{kindWikilink, "[[", regexp.MustCompile(`\[\[`)},
	{kindField, "::", regexp.MustCompile(`::`)},
	{kindHighlight, "==", regexp.MustCompile(`==`)},
	{kindRule, "", regexp.MustCompile(`(?m)^[> ]*(?:---+|===+)[ \t]*$`)},
}

// These are markdown, where an escape holds. Escapes stand as "..".
var escapeRules = []rule{
	{kindEmbed, "![", regexp.MustCompile(`!\[`)},
	{kindFormula, "$", regexp.MustCompile(`\$`)},
	{kindFootnote, "^", regexp.MustCompile(`\[\^|\^\[`)},
	{kindTag, "#", regexp.MustCompile(`(?m)(?:^|[^A-Za-z0-9/])(#[0-9]*[\p{L}_/-])`)},
	{kindBlockID, "^", regexp.MustCompile(`(?m)(?:^|\s)(\^[A-Za-z0-9-]+)\s*$`)},
	{kindHTML, "<", regexp.MustCompile(`<[A-Za-z/!?]`)},
	{kindLink, "](", regexp.MustCompile(`\]\(<?(?i:[^h<\s]|h[^t])`)},
	{kindDefinition, "]:", regexp.MustCompile(`(?m)^[> ]*(\[[^\[\]\n]*\]:)`)},
}

// prose judges what is left when code and our own links are taken out.
func (p *page) prose() {
	p.blankLinks()
	p.apply(plainRules, string(p.bare))
	p.schemes()
	text := withoutEscapes(p.bare)
	for _, at := range webAngle.FindAllIndex(text, -1) {
		for i := at[0]; i < at[1]; i++ {
			text[i] = '.'
		}
	}
	for _, at := range webWord.FindAllIndex(text, -1) {
		for i := at[0]; i < at[1]; i++ {
			if text[i] == '#' { // a place on a web page is no tag
				text[i] = '.'
			}
		}
	}
	p.apply(escapeRules, string(text))
}

// blankLinks remembers our own links and views, and writes over them.
func (p *page) blankLinks() {
	for _, own := range []*regexp.Regexp{ownEmbed, ownLink} {
		for _, at := range own.FindAllIndex(p.bare, -1) {
			_, to, _ := strings.Cut(p.src[at[0]:at[1]], "[[")
			to = to[:strings.IndexAny(to, "|#]")]
			p.links = append(p.links, Link{Line: p.line(at[0]) + 1, To: strings.TrimSuffix(to, `\`)})
			p.blank(at[0], at[1])
		}
	}
}

func (p *page) apply(rules []rule, text string) {
	for _, r := range rules {
		if !strings.Contains(text, r.sign) {
			continue
		}
		for _, at := range r.form.FindAllStringSubmatchIndex(text, -1) {
			p.report(r.kind, at[len(at)-2])
		}
	}
}

var scheme = regexp.MustCompile(`[A-Za-z0-9+.-]*://`)

// schemes reports addresses that lead elsewhere than to the web. What follows a
// web address in one word belongs to it.
func (p *page) schemes() {
	text := string(p.bare)
	for at := 0; at < len(text); {
		end := strings.IndexAny(text[at:], " \t\n")
		if end < 0 {
			end = len(text) - at
		}
		if m := scheme.FindStringIndex(text[at : at+end]); m != nil && !webScheme.MatchString(text[at+m[0]:]) {
			p.report(kindLink, at+m[0])
		}
		at += end + 1
	}
}

// withoutEscapes writes ".." over a backslash and the sign it takes the meaning.
func withoutEscapes(text []byte) []byte {
	out := append([]byte(nil), text...)
	for i := 0; i+1 < len(out); i++ {
		if next := out[i+1]; out[i] == '\\' && next > ' ' && next < 0x7f && !word(next) {
			out[i], out[i+1] = '.', '.'
			i++
		}
	}
	return out
}

func word(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
