package templates

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// manual is what a template author reads.
const manual = "../docs/templates.md"

func manualText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
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

// The manual links to each file that declares a type which pages can reach.
func TestManualLinksTheViews(t *testing.T) {
	reached := map[string]bool{}
	for _, v := range allViews() {
		reach(reflect.TypeOf(v), reached)
	}
	text := manualText(t, manual)
	files, err := filepath.Glob("*.go")
	if err != nil || len(reached) < 20 {
		t.Fatalf("%v, %d types", err, len(reached))
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		must(t, err)
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && reached[g.Specs[0].(*ast.TypeSpec).Name.Name] &&
				!strings.Contains(text, "](../templates/"+name+")") {
				t.Errorf("the manual does not link to %s", name)
			}
		}
	}
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
