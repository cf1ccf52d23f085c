package templates

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// What a template author reads, and the reference of what pages are made of.
const (
	manual    = "../docs/templates.md"
	viewsPage = "../docs/template-views.md"
)

func manualText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// The manual names every function, and none that is not there.
func TestManualKnowsTheFunctions(t *testing.T) {
	text := manualText(t, manual)
	_, tables, _ := strings.Cut(text, "\n## Functions\n")
	tables, _, _ = strings.Cut(tables, "\n## ")
	named := map[string]bool{}
	for line := range strings.Lines(tables) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for _, m := range regexp.MustCompile("`([a-zA-Z]+)").FindAllStringSubmatch(cells[1], -1) {
			named[m[1]] = true
		}
	}
	for name := range funcs() {
		if !named[name] {
			t.Errorf("the manual does not name the function %q", name)
		}
		delete(named, name)
	}
	for name := range named {
		t.Errorf("the manual names %q, which is no function", name)
	}
	for _, name := range builtins {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("the manual does not name %q", name)
		}
	}
}

// What the manual says of files and views is what the code says.
func TestManualKnowsFilesAndViews(t *testing.T) {
	for _, part := range []struct{ file, mark, want string }{{manual, "files", filesOfManual(t)}, {viewsPage, "views", viewsOfManual(t)}} {
		text := manualText(t, part.file)
		before, rest, ok := strings.Cut(text, "<!-- "+part.mark+" -->\n")
		got, after, closed := strings.Cut(rest, "<!-- end -->")
		if !ok || !closed {
			t.Fatalf("%s has no place for %s", part.file, part.mark)
		}
		if got == part.want {
			continue
		}
		if !*update {
			t.Errorf("what %s says of %s is not what the code says (-update writes it anew)", part.file, part.mark)
			continue
		}
		text = before + "<!-- " + part.mark + " -->\n" + part.want + "<!-- end -->" + after
		if err := os.WriteFile(part.file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func filesOfManual(t *testing.T) string {
	t.Helper()
	b := strings.Builder{}
	b.WriteString("| file | what it is for | parts |\n|---|---|---|\n")
	for _, s := range embeddedSet(t).Files() {
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", s.Name, s.About, strings.Join(s.Parts, "`, `"))
	}
	return b.String()
}

// viewsOfManual writes the types that pages can reach, as the source has them.
func viewsOfManual(t *testing.T) string {
	t.Helper()
	reached := map[string]bool{}
	for _, v := range allViews() {
		reach(reflect.TypeOf(v), reached)
	}
	files, err := filepath.Glob("*.go") // in order of name
	if err != nil {
		t.Fatal(err)
	}
	b := strings.Builder{}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE || !reached[g.Specs[0].(*ast.TypeSpec).Name.Name] {
				continue
			}
			words := strings.Join(strings.Fields(g.Doc.Text()), " ")
			g.Doc = nil
			code := strings.Builder{}
			if err := format.Node(&code, set, &printer.CommentedNode{Node: g, Comments: file.Comments}); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n\n```go\n%s\n```\n\n", words, strings.TrimSpace(code.String()))
		}
	}
	return b.String()
}

// reach collects the names of the types a template comes by from a view.
func reach(typ reflect.Type, names map[string]bool) {
	for typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if names[typ.Name()] || typ.PkgPath() != reflect.TypeFor[Set]().PkgPath() {
		return
	}
	names[typ.Name()] = true
	if typ.Kind() == reflect.Struct {
		for i := range typ.NumField() {
			reach(typ.Field(i).Type, names)
		}
	}
}

var gotemplate = regexp.MustCompile("(?s)\n```gotemplate ([a-z.]+)\n(.*?)\n```\n.*?\n```markdown\n(.*?\n)```\n")

// The example of the manual renders what the manual shows.
func TestManualsExampleWorks(t *testing.T) {
	m := gotemplate.FindStringSubmatch(manualText(t, manual))
	if m == nil {
		t.Fatal("the manual has no example")
	}
	got, err := own(t, m[1], m[2]).Page(projectView())
	if err != nil || got != m[3] {
		t.Errorf("%v, the example makes\n%s", err, got)
	}
}
