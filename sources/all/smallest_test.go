package all_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The smallest source of docs/adding-a-source.md stands there whole, in less than 70
// lines, and passes the suite.
func TestSmallestSourceConforms(t *testing.T) {
	root := expect.Value(filepath.Abs(filepath.Join("..", "..")))(t)
	doc := expect.Value(os.ReadFile(filepath.Join(root, "docs", "adding-a-source.md")))(t)
	_, rest, _ := strings.Cut(string(doc), "```go\n// Package inkwell")
	code, _, found := strings.Cut("// Package inkwell"+rest, "```\n")
	if n := strings.Count(code, "\n"); !found || n >= 70 {
		t.Errorf("%d lines of code, want fewer than 70", n)
	}
	source := filepath.Join(t.TempDir(), "source.go")
	must(t, os.WriteFile(source, []byte(code), 0o600))
	suite := expect.Value(filepath.Abs(filepath.Join("testdata", "inkwell", "conformance_test.go")))(t)
	folder := filepath.Join(root, "sources", "inkwell")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(folder, "source.go"): source, filepath.Join(folder, "conformance_test.go"): suite,
	}})
	must(t, err)
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	must(t, os.WriteFile(overlay, list, 0o600))
	binary := filepath.Join(t.TempDir(), "inkwell.test")
	for _, args := range [][]string{{"go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, "./sources/inkwell"}, {binary}} {
		run := exec.Command(args[0], args[1:]...)
		run.Dir = root
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v:\n%s", err, out)
		}
	}
}

var must = expect.OK
