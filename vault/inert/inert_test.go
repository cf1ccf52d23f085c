package inert

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// regionRule takes the regions of a note out of their markers.
var regionRule = regexp.MustCompile(`(?ms)^%% sessionloom (?:body|nav) %%\n(.*?)^%% /sessionloom [a-z]+ [0-9a-f]+ %%$`)

// golden returns the text of every page that stands as a golden: those of the
// templates, and the regions of all notes of the sample.
func golden(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	files := expect.Value(filepath.Glob("../../templates/testdata/golden/*.md"))(t)
	for _, name := range files {
		text := expect.Value(os.ReadFile(name))(t)
		all[filepath.Base(name)] = string(text)
	}
	archive := expect.Value(txtar.ParseFile("../../testdata/golden/sample.txtar"))(t)
	for _, f := range archive.Files {
		for _, m := range regionRule.FindAllStringSubmatch(string(f.Data), -1) {
			all[f.Name] += m[1]
		}
	}
	if len(all) < 50 {
		t.Fatalf("%d pages only", len(all))
	}
	return all
}

func TestPagesOfOursHoldNothing(t *testing.T) {
	for name, text := range golden(t) {
		for _, f := range Find(strings.ReplaceAll(text, "\r\n", "\n")) {
			t.Errorf("%s:%d: %s: %s", name, f.Line, f.Kind, f.Text)
		}
	}
}
