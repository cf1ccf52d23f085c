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

	"github.com/sessionloom/sessionloom/vault/inert"
)

// outline is what an independent parser finds in a note.
type outline struct {
	headings, boxes int
	callouts        []string
	paragraphs      []string
	rows            [][]string
	items           []string
	faults          []string
}

// read parses a note as CommonMark with tables, task lists and strikethrough, and
// notes what must not be there for any input. Boxes are the templates' matter.
func read(page string) outline {
	src := []byte(page)
	o := outline{}
	doc := goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList, extension.Strikethrough)).
		Parser().Parse(text.NewReader(src))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			o.visit(n, src)
		}
		return ast.WalkContinue, nil
	})
	for _, f := range inert.Find(page) {
		if f.Kind != "task" {
			o.fault("line %d: %s: %q", f.Line, f.Kind, f.Text)
		}
	}
	return o
}

// visit takes one node of the parsed note.
func (o *outline) visit(n ast.Node, src []byte) {
	switch n := n.(type) {
	case *ast.Heading:
		o.headings++
	case *extast.TaskCheckBox:
		o.boxes++
	case *ast.Paragraph:
		s := string(n.Lines().Value(src))
		o.paragraphs = append(o.paragraphs, s)
		if m := calloutRule.FindStringSubmatch(s); m != nil && n.Parent().Kind() == ast.KindBlockquote {
			o.callouts = append(o.callouts, m[1])
		}
	case *ast.TextBlock:
		o.items = append(o.items, string(n.Lines().Value(src)))
	case *extast.TableRow:
		var row []string
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, string(c.Lines().Value(src)))
		}
		o.rows = append(o.rows, row)
	}
}

func (o *outline) fault(format string, args ...any) {
	o.faults = append(o.faults, fmt.Sprintf(format, args...))
}

var (
	aliasRule   = regexp.MustCompile(`^\[\[a/b\|[^\[\]|\n]+\]\]$`)
	calloutRule = regexp.MustCompile(`^\[!([a-z]*)\]`)
)

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
		"- a|`x|<b>`\n  -|-|-\n", "x\n-", "[a$b](http://x)", "http://%%$$", "a\t^id", "[a](http://b)[[c]](d)",
		"x ::", "`a::b`", "(`a::b`)", "- a (b\n  `c::d`)", "```cpp\nstd::vector<int> v;\nf(std::move(v));\nx.y::z\n:::a::b (::c::d) [e::f\n```", "    main :: IO ()",
		"a|b\n-|-\n(|`c::d`", "**`a::b`", "- `a::b`", "# `a::b`", "`` ::a`b::c ``", "[`a::b`](c.cpp)", "x. `a::b`", "`a [b::c`", "`é::a`", "`a\\`::`b`",
		"- Ship 📅 2026-01-02", "- `🛫2026-01-02` ⏳", "- a ✅\n  2026-01-02", "📆 \u200b2026-01-02 ❤\ufe0f 2027-01-02"}
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
	return o.faults
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
	"[a](b.md) [](b.md) [`x`](b.md) [~~~js](b) [-](b) [#](b) [:](b) [!--](b) [%](b) [//o](b) [](=%23) [](%60) [1.](b) ](b.md) `a::b` (`c ::d` [`e::f :: 📅 2026-01-02 ✅2026-01-02`")

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

var mixes = flag.Int("mixes", 600, "how many mixes of hostile tokens to try")

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
	o := read(page)
	if o.headings != 7 || o.boxes != 6 {
		t.Errorf("%d headings, %d boxes", o.headings, o.boxes)
	}
	if got, want := fmt.Sprint(o.callouts), "[abstract warning info question question]"; got != want {
		t.Errorf("callouts %s, want %s", got, want)
	}
	for _, f := range o.faults {
		t.Error(f)
	}
}
