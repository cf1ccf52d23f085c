package main

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What spans the chats of the sample, and what must not be in the vault.
func TestSampleChatsHoldTheirPromises(t *testing.T) {
	t.Parallel()
	_, tree := weaveSample(t)
	notes := notesByID(t, tree)
	everything := ""
	for path, f := range tree {
		everything += path + "\n" + f.text
	}
	for what, word := range map[string]string{
		"a draft": "Which callers\n", "an empty chat": "545b94cd", "another one": "e530a893", "a session of an index alone": "8a481841",
		"the requester": "avatars.example.com", "reasoning": "The ring lives in keyring.go", "an escape of the terminal": "\x1b", "a rendered prompt": "context removed",
		"the title of a gone session": "Gone from disk",
	} {
		if strings.Contains(everything, word) {
			t.Errorf("%s is in the vault: %q", what, word)
		}
	}
	cli := notes["session:b298a1e7-38aa-4f2f-bab3-7f6788b77fe5"]
	if cli.Title != "errors.Is in internal/auth" || cli.Turns != 1 {
		t.Errorf("the CLI's session that VS Code knows too: %q with %d turns", cli.Title, cli.Turns)
	}
	if n := notes["memory:b298a1e7-38aa-4f2f-bab3-7f6788b77fe5:memory/notes.md"]; !strings.Contains(n.text, "Sentinel errors") {
		t.Error("the memory VS Code keeps of it has no note")
	}
	for _, words := range []string{"inject the clock", "never reads the JWT header", "scripts/linkcheck.py", "Answers in British English", "Reproduce first"} {
		found := 0
		for id, n := range notes {
			if strings.HasPrefix(id, "memory:") && strings.Contains(n.text, words) {
				found++
			}
		}
		expect.Is(t, found, 1, "notes of memories say", words, "one")
	}
	for id, property := range map[string]string{"c01616cd-b141-4c63-959b-ea3571eaad08": "archived yes", "40a86369-6e1d-4d1a-8f65-f8682085b206": "pinned yes"} {
		found := false
		for _, f := range tree {
			found = found || noteID(f.text) == "session:"+id && strings.Contains(f.text, property+" ¦")
		}
		if !found {
			t.Errorf("the note of %s is not %s", id, property)
		}
	}
}
