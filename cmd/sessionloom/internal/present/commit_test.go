package present

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract"
)

// A message counts the notes whose text changed, and names links where nothing else did.
func TestCommitMessageCountsTexts(t *testing.T) {
	files := []string{"Agents/Home.md", "Agents/a.md", "Agents/b.md", "Agents/c.canvas", "Agents/.sessionloom/vault.yaml"}
	one := extract.PendingSession{ID: "7524f8de", Title: "Key rotation", Project: "widget (octo-org)"}
	for want, p := range map[string]extract.Pending{
		"sessionloom: 1 session (widget), 2 notes, 2 other files": {Sessions: []extract.PendingSession{one}, Links: []string{"b.md"}},
		"sessionloom: 3 notes, 2 other files":                     {},
	} {
		if got, _, _ := strings.Cut(CommitMessage(files, p, "Agents"), "\n"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	got := CommitMessage([]string{"Agents/a.md"}, extract.Pending{Links: []string{"a.md"}}, "Agents")
	if got != "sessionloom: links of 1 note\n" {
		t.Errorf("got %q", got)
	}
}
