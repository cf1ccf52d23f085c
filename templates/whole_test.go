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

	"github.com/sessionloom/sessionloom/vault/inert"
)

// skeleton is what a page is made of, as an independent parser sees it, without
// the words and what markdown a text may keep.
type skeleton struct {
	Headings, Boxes, Links, Embeds, Charts int
	Callouts                               string
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
			if string(n.Language(src)) == "mermaid" {
				s.Charts++
			}
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

// words are the values of fields on which a template decides.
var decisive = map[string][]string{
	"State": {"open", "in_progress", "blocked", "done"}, "Status": {"complete", "cancelled", "failed", "pending"},
	"Kind": {"read", "edit", "task", "mcp", "plan", "file"}, "Type": {"commit", "pr", "issue", "other"}, "Transcript": {"full"},
	"Canvas": {"Agents/a.canvas"}, "SessionsBase": {"Agents/Sessions.base"}, "FilesBase": {"Agents/Files.base"},
	"Path": {"Agents/projects/w/sessions/note"}, "Images": {"Agents/attachments/0123456789abcdef.png"},
	"Agent": {"", "copilot-cli"}, "Scope": {"repo", "user"},
}

// filler makes views in which every text is one text.
type filler struct {
	text  string
	count int // of the fields filled so far, so that decisive ones take turns
}

func (f *filler) fill(v reflect.Value, name string, depth int) {
	t := v.Type()
	switch {
	case depth > maxDepth:
	case t == reflect.TypeFor[Safe]():
		v.SetString(inline(f.text)) // it was read back from a note
	case t.Kind() == reflect.String:
		f.count++
		v.SetString(f.text)
		if list := decisive[name]; list != nil {
			if v.SetString(list[f.count%len(list)]); v.String() == "" {
				v.SetString(f.text)
			}
		}
	case t.Kind() == reflect.Slice:
		list := reflect.MakeSlice(t, 2, 2)
		for i := range 2 {
			f.fill(list.Index(i), name, depth+1)
		}
		v.Set(list)
	case t.Kind() == reflect.Struct && t != reflect.ValueOf(at(1, 1, 1)).Type():
		for i := range t.NumField() {
			f.fill(v.Field(i), t.Field(i).Name, depth+1)
		}
		if t == reflect.TypeFor[FileLine]() || t == reflect.TypeFor[File]() {
			v.FieldByName("Path").SetString(f.text)
		}
	default:
		v.Set(full(t, f.text, depth))
	}
}

// filled renders a page with one text in all its places.
func filled(t testing.TB, s *Set, p page, text string) string {
	t.Helper()
	v := reflect.New(p.view).Elem()
	f := filler{text: text}
	f.fill(v, "", 0)
	if p.name == "session" {
		v.FieldByName("Part").SetInt(1)
	}
	out, err := s.page(p.name, v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// checkPages expects that a text changes nothing but words, wherever it stands.
func checkPages(t *testing.T, s *Set, text string, pages ...page) {
	t.Helper()
	for _, p := range pages {
		out := filled(t, s, p, text)
		for i, f := range inert.Find(out) {
			if i < 5 {
				t.Errorf("%s of %q: line %d: %s: %q", p.name, text, f.Line, f.Kind, f.Text)
			}
		}
		if block(text) == "" || code(text) == "" || inline(text) == "" || linkText(text) == "" {
			continue // parts of the page are not there
		}
		want, got := skeletonOf(filled(t, s, p, "words")), skeletonOf(out)
		if got != want {
			t.Errorf("%s of %q: got %+v, want %+v", p.name, text, got, want)
		}
	}
}

// markdownPages are the pages that are notes.
func markdownPages() (session, others []page) {
	for _, p := range allPages() {
		switch {
		case p.name == "session":
			session = append(session, p)
		case !strings.HasSuffix(p.name, ".base"):
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
		checkPages(t, s, mix(r, 24), append(session, others...)...)
		if t.Failed() {
			t.Fatalf("mix %d", i)
		}
	}
}

func FuzzNote(f *testing.F) {
	s := embeddedSet(f)
	session, _ := markdownPages()
	for _, text := range seeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPages(t, s, text, session...) })
}

func FuzzPages(f *testing.F) {
	s := embeddedSet(f)
	_, others := markdownPages()
	for _, text := range seeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPages(t, s, text, others...) })
}
