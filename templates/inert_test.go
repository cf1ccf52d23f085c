package templates

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// outline is what an independent parser finds in a note.
type outline struct {
	headings, boxes int
	callouts        []string
	paragraphs      []string
	rows            [][]string
	items           []string
	faults          []string
	prose           string // the source with all code blanked out
}

// read parses a note as CommonMark with tables, task lists and strikethrough and
// notes what must not be there for any input.
func read(page string) outline {
	src := []byte(page)
	o, prose := outline{}, []byte(page)
	doc := goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList, extension.Strikethrough)).
		Parser().Parse(text.NewReader(src))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			o.visit(n, src)
			blankCode(n, prose)
		}
		return ast.WalkContinue, nil
	})
	o.prose = string(prose)
	o.raw(page)
	return o
}

// visit takes one node of the parsed note.
func (o *outline) visit(n ast.Node, src []byte) {
	switch n := n.(type) {
	case *ast.Heading:
		o.headings++
	case *ast.Image, *ast.RawHTML, *ast.HTMLBlock:
		o.fault("%s node", n.Kind())
	case *ast.Link:
		o.address(string(n.Destination))
	case *ast.AutoLink:
		o.address(string(n.URL(src)))
	case *extast.TaskCheckBox:
		o.boxes++
	case *ast.Paragraph:
		o.paragraphs = append(o.paragraphs, string(n.Lines().Value(src)))
	case *ast.TextBlock:
		o.items = append(o.items, string(n.Lines().Value(src)))
	case *ast.FencedCodeBlock:
		o.fence(string(n.Language(src)), string(n.Lines().Value(src)))
	case *ast.CodeBlock: // a deep line of a list, escaped and yet code
		if code := strings.TrimSpace(string(n.Lines().Value(src))); code[0] == '=' || strings.HasPrefix(code, "$=") {
			o.fault("indented code %q is evaluated", code)
		}
	case *extast.TableRow:
		var row []string
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, string(c.Lines().Value(src)))
		}
		o.rows = append(o.rows, row)
	case *ast.CodeSpan:
		var span strings.Builder
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			span.Write(c.(*ast.Text).Segment.Value(src))
		}
		if evaluated(span.String()) {
			o.fault("code span %q is evaluated", span.String())
		}
	}
}

// blankCode writes over what a node of code holds.
func blankCode(n ast.Node, prose []byte) {
	blank := func(s text.Segment) {
		for i := s.Start; i < s.Stop; i++ {
			if prose[i] != '\n' {
				prose[i] = 'c'
			}
		}
	}
	switch n := n.(type) {
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			blank(c.(*ast.Text).Segment)
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		for i := range n.Lines().Len() {
			blank(n.Lines().At(i))
		}
	}
}

func (o *outline) fault(format string, args ...any) {
	o.faults = append(o.faults, fmt.Sprintf(format, args...))
}

func (o *outline) address(s string) {
	if schemeLen(s) == 0 {
		o.fault("link to %q", s)
	}
}

func (o *outline) fence(lang, body string) {
	if lang != "" && !strings.Contains(languages, " "+lang+" ") && !strings.HasPrefix(body, "xychart-beta\n") {
		o.fault("fence of language %q", lang)
	}
	if evaluated(body) {
		o.fault("fence %q is evaluated", body)
	}
}

// Obsidian's own rules and those of plugins, on text without code. A backslash
// before the first character is the escape.
var (
	schemeRule  = regexp.MustCompile(`^.*?([A-Za-z0-9+.-]*)://`)
	markerRule  = regexp.MustCompile(`%%[ \t]*sessionloom`)
	aliasRule   = regexp.MustCompile(`^\[\[a/b\|[^\[\]|\n]+\]\]$`)
	calloutRule = regexp.MustCompile(`(?m)^[> ]*> *\[!([a-z]*)\]`)
	liveRules   = map[string]*regexp.Regexp{
		"comment":     regexp.MustCompile(`%%`),
		"wikilink":    regexp.MustCompile(`\[\[`),
		"embed":       regexp.MustCompile(`(^|[^\\])!\[`),
		"field":       regexp.MustCompile(`::`),
		"highlight":   regexp.MustCompile(`==`),
		"formula":     regexp.MustCompile(`(^|[^\\])(\\\\)*\$`),
		"footnote":    regexp.MustCompile(`(^|[^\\])(\\\\)*(\[\^|\^\[)`),
		"tag":         regexp.MustCompile(`(?m)(^|[\s(])#[0-9]*[\p{L}_/-]`),
		"block id":    regexp.MustCompile(`(?m)(^|\s)\^[A-Za-z0-9-]+\s*$`),
		"link":        regexp.MustCompile(`(^|[^\\])\]\((?i:<?([^h<\\]|h[^t]))`),
		"definition":  regexp.MustCompile(`(?m)^[> ]*\[[^\]\n]*\]:`),
		"html":        regexp.MustCompile(`(^|[^\\])<([a-gi-zA-GI-Z/!?]|h[^t])`),
		"frontmatter": regexp.MustCompile(`(?m)^---\s*$`),
		"task":        regexp.MustCompile(`(?m)^[>\s]*([-*+]|\d+[.)]) \[.\](\s|$)`),
		"setext":      regexp.MustCompile(`(?m)^[> ]*(=+|-+)\s*$`),
		"hidden":      regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u00ad\u200b\u2028-\u202e\u2060-\u2069\ufeff]"),
	}
)

// raw looks at the bytes as plugins do.
func (o *outline) raw(page string) {
	if strings.Contains(page, "<%") {
		o.fault("Templater command")
	}
	if markerRule.MatchString(page) {
		o.fault("region marker")
	}
	for _, m := range calloutRule.FindAllStringSubmatch(o.prose, -1) {
		o.callouts = append(o.callouts, m[1])
	}
	for _, word := range strings.Fields(o.prose) {
		// the rest of a word with a web address belongs to the address
		if m := schemeRule.FindStringSubmatch(word); m != nil && schemeLen(m[1]+"://") == 0 {
			o.fault("scheme of %q", word)
		}
	}
	for name, rule := range liveRules {
		if at := rule.FindStringIndex(o.prose); at != nil {
			o.fault("%s: %q", name, o.prose[max(0, at[0]-10):min(len(o.prose), at[1]+10)])
		}
	}
}

// inertBlock says what is wrong with markdown in a note: something lives in it,
// or it swallows what follows.
func inertBlock(markdown string) []string {
	o := read("# Title\n\n" + markdown + "\n\nThe end.\n")
	if o.headings != 1 || o.boxes != 0 || len(o.callouts) != 0 {
		o.fault("%d headings, %d boxes, callouts %q", o.headings, o.boxes, o.callouts)
	}
	if n := len(o.paragraphs); n == 0 || strings.TrimSpace(o.paragraphs[n-1]) != "The end." {
		o.fault("what follows is swallowed: %q", o.paragraphs)
	}
	return o.faults
}

// seeds are the lines and pairs of lines of the hostile text, and what fuzzing
// once found.
func seeds() []string {
	list := []string{hostileText, "", "\\", "`", "- `a`\n  ```js\n  x\nout <b>", "> ```\n> a\nb [[c]]", "a|b\n-|-\n`x|<b>`|[[c]]",
		"!![[x]]", "<\u200b%", "[a](http://x/`y) `[[z]]`", "    code\n\ttab\n- a\n\n      deep", "````md\n```js\n```\n````",
		"``` a`b\n<b>", "\\<%", "\\[[x]]", "a\\", "=\\==x", "http://a://b", "xhttps://[[", "1.\n2)\n-\n+", "**\n# \n#", "`` ` `` `", "[x](<http://a b>)",
		"- a|`x|<b>`\n  -|-|-\n", "x\n-", "[a$b](http://x)", "http://%%$$", "a\t^id", "[a](http://b)[[c]](d)"}
	lines := strings.Split(hostileText, "\n")
	for i, s := range lines {
		list = append(list, s)
		if i > 0 {
			list = append(list, lines[i-1]+"\n"+s)
		}
	}
	return list
}

func TestHostileTextIsInertInEveryPlace(t *testing.T) {
	for _, s := range seeds() {
		checkPlaces(t, s)
	}
}

// checkPlaces puts s through every escaper, into the place it is made for.
func checkPlaces(t *testing.T, s string) {
	t.Helper()
	report := func(place, out string, faults []string) {
		if len(faults) > 0 {
			t.Errorf("%s of %q:\n%s\n%s", place, s, strings.Join(faults, "\n"), out[:min(len(out), 300)])
		}
	}
	b := block(s)
	report("block", b, inertBlock(b))
	report("quote", b, inertBlock(quote(2, s)))
	report("fence", b, inertBlock(fence(s, s)))
	item := inline(s)
	if again := inline(item); again != item {
		t.Errorf("inline is not idempotent on %q:\n%q\n%q", s, item, again)
	}
	report("item", item, inertItem(item))
	report("code", code(s), inertItem(code(s)))
	report("heading", heading(s), inertHeading(heading(s)))
	report("paragraph", item, inertBlock(item))
	report("cells", cell(s), inertCells(cell(s), cellCode(s)))
	report("link", linkText(s), inertLink(s))
	report("label", label(s), inertLabel(label(s)))
}

// inertItem puts an inline text into a list of two items.
func inertItem(s string) []string {
	if s == "" {
		return nil // no template writes an empty item
	}
	o := read("# T\n\n- x " + s + "\n- " + s + "\n- [ ] " + s + "\n\nThe end.\n")
	if len(o.items) != 3 || o.headings != 1 || o.boxes != 1 || strings.TrimSpace(o.items[0]) != strings.TrimSpace("x "+s) {
		o.fault("%d items, %d headings, %d boxes", len(o.items), o.headings, o.boxes)
	}
	own := "task:"
	kept := o.faults[:0]
	for _, f := range o.faults {
		if !strings.HasPrefix(f, own) {
			kept = append(kept, f)
		}
	}
	return kept
}

func inertHeading(s string) []string {
	o := read("# " + s + "\n\nThe end.\n")
	if o.headings != 1 || len(o.paragraphs) != 1 {
		o.fault("%d headings, %d paragraphs", o.headings, len(o.paragraphs))
	}
	return o.faults
}

func inertCells(a, b string) []string {
	o := read("# T\n\n| a | b | c |\n|---|---|---|\n| " + a + " | " + b + " | end |\n\nThe end.\n")
	if len(o.rows) != 1 || len(o.rows[0]) != 3 || o.rows[0][2] != "end" {
		o.fault("rows %q", o.rows)
	}
	return o.faults
}

func inertLink(s string) []string {
	link := Wikilink(Link{Path: "a/b", Text: s})
	o := read("# T\n\n- " + strings.TrimPrefix(link, "[[") + "\n\nThe end.\n")
	if !aliasRule.MatchString(link) {
		o.fault("link %q", link)
	}
	if got := Wikilink(Link{Path: s, Text: "x"}); got != "x" && strings.ContainsAny(s, "[]|#^\n") {
		o.fault("path %q is linked", s)
	}
	return o.faults
}

func inertLabel(s string) []string {
	for _, r := range s {
		if strings.ContainsRune("\"`%;[](){}<>#&\\\n", r) || unicode.IsControl(r) {
			return []string{fmt.Sprintf("label holds %q", r)}
		}
	}
	return nil
}

// tokens are what hostile texts are mixed of.
var tokens = strings.Fields("` `` ``` ```` ~~~ ```js ```query <b> </b> <!-- <% %> %% sessionloom [[ ]] ![[ ![ ]( http:// https://x obsidian:// " +
	"javascript: ( ) [ ] [x] [!note] [^1] ^[ ^id #tag #1 # ## > >> - * + 1. 2) | |---| --- === == :: key:: $ $$ \\ \\\\ \\` \\[ < > <http://a> " +
	"= $= INPUT[ a b. 日本 \u200d \u202e \x1b[0m \x00 \xff & &lt; &#35; ! ? / : ; , _ ** ~~ \ue000a~1\ue001 <\u200b% -|- a|b :-:|-: " +
	"[a](b.md) [](b.md) [`x`](b.md) [~~~js](b) [-](b) [#](b) [:](b) [!--](b) [%](b) [//o](b) [](=%23) [](%60) [1.](b) ](b.md)")

// mix makes a text of up to n tokens, blanks and line ends.
func mix(r *rand.Rand, n int) string {
	var b strings.Builder
	for range 1 + r.IntN(n) {
		b.WriteString(tokens[r.IntN(len(tokens))])
		switch r.IntN(8) {
		case 0, 1:
			b.WriteByte(' ')
		case 2:
			b.WriteByte('\n')
		case 3:
			b.WriteString([]string{"\n\n", "\n    ", "\n> ", "\n  ", "\t", "\r\n", "\n\t"}[r.IntN(7)])
		}
	}
	return b.String()
}

var mixes = flag.Int("mixes", 1500, "how many mixes of hostile tokens to try")

func TestMixesOfHostileTokensAreInert(t *testing.T) {
	r := rand.New(rand.NewPCG(1, uint64(*mixes)))
	for range *mixes {
		if checkPlaces(t, mix(r, 24)); t.Failed() {
			return
		}
	}
}

func FuzzEscapers(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkPlaces(t, s) })
}

var ownLink = regexp.MustCompile(`\[\[Agents/[^\[\]|\\]*\\?\|[^\[\]|]*\]\]`)

func TestHostileSessionHoldsOnlyWhatTheTemplateWrote(t *testing.T) {
	page, err := embeddedSet(t).Session(hostileSession())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(ownLink.FindAllString(page, -1)); n != 5 {
		t.Errorf("%d links to notes, want those to project, folder, excerpt, checkpoint and part", n)
	}
	o := read(ownLink.ReplaceAllString(page, "note"))
	if o.headings != 7 || o.boxes != 6 {
		t.Errorf("%d headings, %d boxes", o.headings, o.boxes)
	}
	if got, want := fmt.Sprint(o.callouts), "[abstract warning info question question]"; got != want {
		t.Errorf("callouts %s, want %s", got, want)
	}
	for _, f := range o.faults {
		if !strings.HasPrefix(f, "task:") {
			t.Error(f)
		}
	}
}
