package obsidian

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The snippet stays small, and dims properties that our notes have.
func TestSnippetNamesPropertiesOfOurs(t *testing.T) {
	if n := strings.Count(Snippet, "\n"); n >= 60 {
		t.Errorf("it has %d lines", n)
	}
	sample, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "testdata", "golden", "sample.txtar"))
	if err != nil {
		t.Skip("the sample is not in what was downloaded")
	}
	keys := regexp.MustCompile(`data-property-key="([a-z_]+)"`).FindAllStringSubmatch(Snippet, -1)
	if len(keys) < 6 {
		t.Errorf("keys %q", keys)
	}
	for _, key := range keys {
		if !strings.Contains(string(sample), "\n"+key[1]+":") {
			t.Errorf("no note has the property %q", key[1])
		}
	}
}
