package extract

import (
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// Who asks for notes by their type finds all types in the documents.
func TestTypesOfNotesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/pages.md")
	must(t, err)
	for _, typ := range names.NoteTypes() {
		if !strings.Contains(string(text), "`"+typ+"`") {
			t.Errorf("docs/pages.md does not tell of the type %q", typ)
		}
	}
}

// checkedOut is a repository of which the commit that is checked out is known alone.
type checkedOut string

func (checkedOut) Busy() string                                 { return "" }
func (c checkedOut) Head() string                               { return string(c) }
func (checkedOut) Explain([]string) (map[string]Absence, error) { return nil, nil }
func (checkedOut) Removed([]string) (map[string]bool, error)    { return nil, nil }
func (checkedOut) Recorded([]string) (map[string]bool, error)   { return nil, nil }
