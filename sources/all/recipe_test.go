package all_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/all"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The recipe of docs/adding-a-source.md, counted: every source has a package of
// its own, a conformance test, fixtures and a stanza in the example
// configuration.
func TestEverySourceFollowsTheRecipe(t *testing.T) {
	stanzas := exampleStanzas(t)
	for _, s := range all.Sources(all.Config{}) {
		t.Run(s.Name(), func(t *testing.T) {
			folder := filepath.Join("..", packageOf(s))
			if !callsConformance(t, folder) {
				t.Errorf("no test in %s calls sourcetest.Run", folder)
			}
			if files, err := os.ReadDir(filepath.Join(folder, "testdata")); err != nil || len(files) == 0 {
				t.Errorf("no fixtures: %d files in testdata, %v", len(files), err)
			}
			if key := strings.ReplaceAll(s.Name(), "-", "_"); !slices.Contains(stanzas, key) {
				t.Errorf("config.example.yaml has no stanza sources.%s, only %q", key, stanzas)
			}
		})
	}
}

// A reader that nobody registered would never be read. That of a vault's own folder comes with the vault.
func TestEveryReaderIsRegistered(t *testing.T) {
	var registered []string
	for _, s := range all.Sources(all.Config{}) {
		registered = append(registered, packageOf(s))
	}
	folders := expect.Value(os.ReadDir(".."))(t)
	for _, f := range folders {
		shared := slices.Contains([]string{"agents", "all", "distilled", "internal", "pattern", "sign", "sourcetest"}, f.Name())
		if f.IsDir() && !shared && !slices.Contains(registered, f.Name()) {
			t.Errorf("sources/%s is not among all.Sources", f.Name())
		}
	}
}

// Names are the first word of every layer in the notes' property `sources`.
func TestNamesAreDistinctAndStable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range all.Sources(all.Config{}) {
		name := s.Name()
		if seen[name] || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("name %q is doubled or not made of a-z, 0-9 and -", name)
		}
		seen[name] = true
	}
}

// packageOf names the folder of a source below sources.
func packageOf(s sources.Source) string {
	t := reflect.TypeOf(s)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return path.Base(t.PkgPath())
}

func exampleStanzas(t *testing.T) []string {
	t.Helper()
	text := expect.Value(os.ReadFile(filepath.Join("..", "..", "config.example.yaml")))(t)
	var example struct {
		Sources map[string]any `yaml:"sources"`
	}
	must(t, yaml.Unmarshal(text, &example))
	var keys []string
	for key := range example.Sources {
		keys = append(keys, key)
	}
	return keys
}

// callsConformance tells whether a test of the package calls sourcetest.Run.
func callsConformance(t *testing.T, folder string) bool {
	t.Helper()
	tests := expect.Value(filepath.Glob(filepath.Join(folder, "*_test.go")))(t)
	for _, name := range tests {
		file := expect.Value(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Run" {
				x, ok := s.X.(*ast.Ident)
				found = found || ok && x.Name == "sourcetest"
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}
