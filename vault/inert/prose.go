package inert

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Links and views as we write them, with look-alikes in their text.
var (
	ownLink  = regexp.MustCompile("\\[\\[(?:[^\\[\\]|#^\\\\<>`\"\n]+|[^\\[\\]|#^\\\\<>`\"\n]*#\\^(?:t|open)-[0-9a-z-]+)\\\\?\\|[^\\[\\]|`\n]+\\]\\]")
	ownEmbed = regexp.MustCompile("!\\[\\[(?:[^\\[\\]|#^\\\\<>`\"\n:]+/[^\\[\\]|#^\\\\<>`\"\n:/]+\\.(?:png|jpg|gif|webp)|[^\\[\\]|#^\\\\<>`\"\n]+\\.base#[^\\[\\]|#^\\\\<>`\"\n]+)\\]\\]")
	webWord  = regexp.MustCompile("(?i:https?)://[^<>\\s`()\\[\\]]*")
	webAngle = regexp.MustCompile("<(?i:https?)://[^<>\\s`]*>")
)

// ownBlock is the id of a block as we write it.
var ownBlock = regexp.MustCompile(`(?m)(?:^| )\^(?:t|open)-[0-9a-z-]+$`)

// marker is a line that would be taken for one of those around our regions.
var marker = regexp.MustCompile(`(?m)^[> \t]*%%[% \t/]*sessionloom`)

func (p *page) lines() {
	for _, at := range marker.FindAllStringIndex(p.src, -1) {
		p.report(kindMarker, at[0])
	}
}

// rule is a sign of Obsidian's own or of a plugin, in text that is not a code.
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

func (p *page) prose() {
	p.blankLinks()
	report := func(kind string, at, _ int) { p.report(kind, at) }
	apply(plainRules, string(p.bare), report)
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
	apply(escapeRules, string(text), report)
}

// blankLinks remembers our own links and views, and writes over them.
func (p *page) blankLinks() {
	for _, own := range []*regexp.Regexp{ownEmbed, ownLink} {
		for _, at := range own.FindAllIndex(p.bare, -1) {
			_, to, _ := strings.Cut(p.src[at[0]:at[1]], "[[")
			to = to[:strings.IndexAny(to, "|#]")]
			if to != "" { // else it leads to a block of the same note
				p.links = append(p.links, Link{Line: p.line(at[0]) + 1, To: strings.TrimSuffix(to, `\`)})
			}
			p.blank(at[0], at[1])
		}
	}
	for _, at := range ownBlock.FindAllIndex(p.bare, -1) {
		p.blank(at[0], at[1])
	}
}

func apply(rules []rule, text string, visit func(kind string, from, to int)) {
	for _, r := range rules {
		if !strings.Contains(text, r.sign) {
			continue
		}
		for _, at := range r.form.FindAllStringSubmatchIndex(text, -1) {
			visit(r.kind, at[len(at)-2], at[len(at)-1])
		}
	}
}

var scheme = regexp.MustCompile(`[A-Za-z0-9+.-]*://`)

// schemes reports addresses that do not lead to the web.
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

// languages are those that a fence may have: they color text and nothing runs them.
const languages = " asm astro awk bash bat batch bicep c c# c++ cc clj clojure cmake cmd conf console cpp cs csharp css " +
	"csv cuda cxx dart diff docker dockerfile dotenv editorconfig elixir elm env erb erl erlang ex exs f# " +
	"fish fortran fs fsharp gitignore glsl go gomod gql gradle graphql groovy h haskell hcl hpp hs htm " +
	"html http ini java javascript jinja jinja2 jl js json json5 jsonc jsonl jsx julia just justfile " +
	"kotlin kt kts less lisp log lua make makefile markdown md mk ml mts nginx nim nix objc objectivec " +
	"ocaml pascal patch perl php pl plaintext postgres powershell proto protobuf ps1 psql py python r rb " +
	"razor regex rs rst ruby rust sass scala scheme scss sh shell shellsession solidity sql sqlite styl " +
	"svelte swift sys systemd tcl terraform tex text tf toml ts tsv tsx txt typescript vb verilog vhdl vim vue " +
	"wasm wat wgsl xml yaml yml zig zsh "

func (p *page) fence(n *ast.FencedCodeBlock) {
	lines := n.Lines()
	if n.Info != nil {
		language := strings.ToLower(string(n.Info.Segment.Value([]byte(p.src))))
		if !strings.Contains(languages, " "+language+" ") {
			end := n.Info.Segment.Stop
			if lines.Len() > 0 {
				end = lines.At(lines.Len() - 1).Stop
			}
			p.reportAll(kindFence, n.Info.Segment.Start, end)
		}
	}
	p.code(lines)
}

// code judges a block of code and blanks it.
func (p *page) code(lines *text.Segments) {
	if lines.Len() > 0 && runs(string(lines.Value([]byte(p.src)))) {
		p.reportAll(kindEvaluated, lines.At(0).Start, lines.At(lines.Len()-1).Stop)
	}
	for i := range lines.Len() {
		p.blank(lines.At(i).Start, lines.At(i).Stop)
	}
}

// span judges a code span and blanks it.
func (p *page) span(n *ast.CodeSpan) {
	var body strings.Builder
	at, end := -1, -1
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			continue
		}
		if at < 0 {
			at = t.Segment.Start
		}
		end = t.Segment.Stop
		body.WriteString(p.src[t.Segment.Start:end])
		p.blank(t.Segment.Start, t.Segment.Stop)
	}
	if at >= 0 && runs(body.String()) {
		p.reportAll(kindEvaluated, at, end)
	}
}

func (p *page) blank(from, to int) {
	for i := from; i < to; i++ {
		if p.bare[i] != '\n' {
			p.bare[i] = 'c'
		}
	}
}

// runs reports whether a plugin runs code (Dataview, Meta Bind).
func runs(code string) bool {
	code = strings.TrimSpace(code)
	return slices.ContainsFunc([]string{"=", "$=", "INPUT[", "VIEW[", "BUTTON["}, func(start string) bool { return strings.HasPrefix(code, start) })
}
