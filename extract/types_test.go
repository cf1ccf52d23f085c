package extract

import (
	"os"
	"strings"
	"testing"
)

// Who asks for notes by their type finds all types in the documents.
func TestTypesOfNotesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/pages.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range noteTypes {
		if !strings.Contains(string(text), "`"+typ+"`") {
			t.Errorf("docs/pages.md does not tell of the type %q", typ)
		}
	}
}
