package chat

import (
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestClean(t *testing.T) {
	const request = "<userRequest>\nfix it, please\n</userRequest>"
	for _, c := range []struct{ name, text, want string }{
		{"nothing injected", "fix it, please\n", "fix it, please\n"},
		{"a wrapper alone", request, "fix it, please"},
		{"all blocks", "<environment_info>\nLinux\n</environment_info>\n<workspace_info>\n/w\n</workspace_info>\n\n<context>\nToday.\n</context>\n" +
			"<editorContext>\na.go\n</editorContext>\n<repoContext>\nwidget\n</repoContext>\n<reminderInstructions>\nBe good.\n</reminderInstructions>\n" + request, "fix it, please"},
		{"blocks behind", request + "\n<reminderInstructions>x</reminderInstructions>", "fix it, please"},
		{"no wrapper", "<context>Today.</context>\n\nfix it, please", "fix it, please"},
		{"text beside the wrapper", "<other>x</other>\n" + request, "<other>x</other>\n\nfix it, please"},
		{"tags of the person", "what does <context>x</context> do?", "what does <context>x</context> do?"},
		{"tags of the person in the wrapper", "<context>a</context><userRequest><context>x</context> is what?</userRequest>", "<context>x</context> is what?"},
		{"the wrapper named by the person", "<userRequest>is </userRequest> a tag?</userRequest>", "is </userRequest> a tag?"},
		{"a block with no end", "<context>\nfix it", "<context>\nfix it"},
		{"nothing but a block", "<context>x</context>", "<context>x</context>"},
		{"an empty wrapper", "<context>x</context><userRequest></userRequest>", ""},
		{"leading blanks of a pasted list", "  - one\n  - two", "  - one\n  - two"},
		{"nothing", "", ""},
	} {
		if got := CleanPrompt(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("<context>a</context><userRequest>b</userRequest>")
	f.Fuzz(func(t *testing.T, text string) {
		if got := CleanPrompt(text); len(got) > len(text) {
			t.Errorf("%q grew to %q", text, got)
		}
	})
}

var must = expect.OK
