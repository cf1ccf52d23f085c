package note

import (
	"strings"
	"testing"
)

// TestHalfAnIDIsNone: a note that was cut within its id does not pass for another
// one, whose id begins like its own. (Obsidian writes ids without quotes.)
func TestHalfAnIDIsNone(t *testing.T) {
	d := someContent()
	d.ID = "checkpoint:1:12"
	d.Props = append([]Property{{KeyID, d.ID}}, d.Props[1:]...)
	ours := string(Render(d))
	for _, whole := range []string{
		ours, strings.ReplaceAll(ours, "\n", "\r\n"),
		strings.Replace(ours, `"`+d.ID+`"`, d.ID, 1), strings.Replace(ours, `"`+d.ID+`"`, `'`+d.ID+`'`, 1),
	} {
		if id := Parse("a.md", []byte(whole)).ID; id != d.ID {
			t.Fatalf("the whole note has the id %q", id)
		}
		for i := range whole {
			if id := Parse("a.md", []byte(whole[:i])).ID; id != "" && id != d.ID {
				t.Errorf("%q passes for the note %q", whole[:i], id)
			}
		}
	}
}
