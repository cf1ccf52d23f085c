package note

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestTextsAreThoseThatShow: a key of ours beside its value is no assignment.
func TestTextsAreThoseThatShow(t *testing.T) {
	d := someContent()
	d.Props = append(d.Props, Property{"project_key", "folder/w-0123abcd"})
	note := strings.Replace(string(Render(d)), "tags:\n", "api_key: mine\ntags:\n", 1) + "\nbelow\n"
	all := "\n" + strings.Join(Texts([]byte(note)), "\n") + "\n"
	for _, want := range []string{"\nfolder/w-0123abcd\n", "\napi_key: mine\n", "# One\n", "[[Agents/x|before]]", "\nbelow\n"} {
		expect.Has(t, all, want, "no", "in")
	}
	expect.Lacks(t, all, "project_key: ")
}
