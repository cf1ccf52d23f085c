package escape

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/sessionloom/sessionloom/testdata"
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

func TestHostileTextIsInertInEveryPlace(t *testing.T) {
	for _, s := range testdata.HostileSeeds() {
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
	b := Block(s)
	report("block", b, inertBlock(b))
	report("quote", b, inertBlock(Quote(2, s)))
	report("fence", b, inertBlock(Fence(s, s)))
	item := Inline(s)
	if again := Inline(item); again != item {
		t.Errorf("inline is not idempotent on %q:\n%q\n%q", s, item, again)
	}
	report("item", item, inertItem(item))
	report("code", Code(s), inertItem(Code(s)))
	report("heading", Heading(s), inertHeading(Heading(s)))
	report("paragraph", item, inertBlock(item))
	report("cells", Cell(s), inertCells(Cell(s), CellCode(s)))
	report("link", linkText(s), inertLink(s))
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
	link := Link("a/b", s)
	o := read("# T\n\n- " + strings.TrimPrefix(link, "[[") + "\n\nThe end.\n")
	if !aliasRule.MatchString(link) {
		o.fault("link %q", link)
	}
	if got := Link(s, "x"); got != "x" && strings.ContainsAny(s, "[]|#^\n") {
		o.fault("path %q is linked", s)
	}
	return o.faults
}

var mixes = flag.Int("mixes", 600, "how many mixes of hostile tokens to try")

func TestMixesOfHostileTokensAreInert(t *testing.T) {
	r := rand.New(rand.NewPCG(1, uint64(*mixes)))
	for range *mixes {
		if checkPlaces(t, testdata.HostileMix(r, 24)); t.Failed() {
			return
		}
	}
}

func FuzzEscapers(f *testing.F) {
	for _, s := range testdata.HostileSeeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkPlaces(t, s) })
}
