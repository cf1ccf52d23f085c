package escape

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/inert"
)

var update = flag.Bool("update", false, "write the golden answers anew")

// Answers as agents give them, before and after: what their reader finds in the
// vault can be read and copied, and does nothing.
func TestAnswersReadAsTheirGoldens(t *testing.T) {
	files := expect.Value(filepath.Glob("testdata/answers/*.md"))(t)
	answers := 0
	for _, name := range files {
		if strings.HasSuffix(name, ".golden.md") {
			continue
		}
		answers++
		text := expect.Value(os.ReadFile(name))(t)
		got := Block(string(text)) + "\n"
		for _, f := range inert.Find(got) {
			t.Errorf("%s: line %d: %s: %q", name, f.Line, f.Kind, f.Text)
		}
		golden := strings.TrimSuffix(name, ".md") + ".golden.md"
		if *update {
			expect.OK(t, os.WriteFile(golden, []byte(got), 0o644))
			continue
		}
		want := expect.Value(os.ReadFile(golden))(t)
		expect.Is(t, got, string(want), golden, "reads otherwise (-update writes it anew")
	}
	if answers < 10 {
		t.Errorf("%d answers", answers)
	}
}
