package templates

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/sessionloom/sessionloom/templates/escape"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/vault/inert"
)

// skeleton is what a page is made of, as an independent parser sees it, without
// the words and what markdown a text may keep.
type skeleton struct {
	Headings, Boxes, Links, Embeds int
	Callouts                       string
}

var (
	wikilinkRule = regexp.MustCompile(`(!?)\[\[[^\[\]\n]*\]\]`)
	calloutStart = regexp.MustCompile(`^\[!([^\]]*)\]`)
)

func skeletonOf(page string) skeleton {
	src := []byte(page)
	var s skeleton
	doc := goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList, extension.Strikethrough)).
		Parser().Parse(gmtext.NewReader(src))
	bare := []byte(page)
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			s.Headings++
		case *extast.TaskCheckBox:
			s.Boxes++
		case *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				clear(bare[n.Lines().At(i).Start:n.Lines().At(i).Stop])
			}
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				seg := c.(*ast.Text).Segment
				clear(bare[seg.Start:seg.Stop])
			}
		case *ast.Paragraph:
			if m := calloutStart.FindStringSubmatch(string(n.Lines().Value(src))); m != nil && n.Parent().Kind() == ast.KindBlockquote {
				s.Callouts += m[1] + " "
			}
		}
		return ast.WalkContinue, nil
	})
	for _, m := range wikilinkRule.FindAllSubmatch(bare, -1) {
		if len(m[1]) > 0 {
			s.Embeds++
		} else {
			s.Links++
		}
	}
	return s
}

// decisive are the values of fields on which a template decides.
var decisive = map[string][]Text{
	"State": {"open", "in_progress", "blocked", "done"}, "Status": {"complete", "cancelled", "failed", "pending"},
	"Kind": {"read", "edit", "task", "mcp", "plan", "file"}, "Type": {"commit", "pr", "issue", "other"}, "Transcript": {"full"},
	"Agent": {"copilot-cli"}, "Scope": {"repo", "user"},
}

// filled renders a page with one text in all its places.
func filled(t testing.TB, s *Set, page View, text string, seed int) string {
	t.Helper()
	f := filler{text: text, decided: decisive, turn: seed, seed: seed}
	v := f.value(reflect.TypeOf(page), "", 0)
	if page.page() == "session" {
		v.FieldByName("Part").SetInt(1)
	}
	out, err := s.Page(v.Interface().(View))
	must(t, err)
	return out
}

// checkPages expects that a text changes nothing but words, wherever it stands.
func checkPages(t *testing.T, s *Set, text string, pages ...View) {
	t.Helper()
	for i, p := range pages {
		seed := i + len(text)
		out := filled(t, s, p, text, seed)
		for i, f := range inert.Find(out) {
			if i < 5 {
				t.Errorf("%s of %q: line %d: %s: %q", p.page(), text, f.Line, f.Kind, f.Text)
			}
		}
		if escape.Block(text) == "" || escape.Code(text) == "" || escape.Inline(text) == "" {
			continue // parts of the page are not there
		}
		want, got := skeletonOf(filled(t, s, p, "words", seed)), skeletonOf(out)
		if got != want {
			t.Errorf("%s of %q: got %+v, want %+v", p.page(), text, got, want)
		}
	}
}

// markdownPages are the pages that are notes.
func markdownPages() (session, others []View) {
	for _, p := range allViews() {
		switch {
		case p.page() == "session":
			session = append(session, p)
		case !strings.HasSuffix(p.page(), ".base"):
			others = append(others, p)
		}
	}
	return session, others
}

func TestPagesAreMadeOfTheSameWhateverTheText(t *testing.T) {
	s := embeddedSet(t)
	session, others := markdownPages()
	checkPages(t, s, hostileText, append(session, others...)...)
	r := rand.New(rand.NewPCG(2, 3))
	for i := range 12 {
		checkPages(t, s, testdata.HostileMix(r, 24), append(session, others...)...)
		if t.Failed() {
			t.Fatalf("mix %d", i)
		}
	}
}

func FuzzNote(f *testing.F) {
	s := embeddedSet(f)
	session, _ := markdownPages()
	for _, text := range testdata.HostileSeeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPages(t, s, text, session...) })
}

func FuzzPages(f *testing.F) {
	s := embeddedSet(f)
	_, others := markdownPages()
	for _, text := range testdata.HostileSeeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPages(t, s, text, others...) })
}
