package tools

import (
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestRefused has errors of calls, with what a person said.
func TestRefused(t *testing.T) {
	const refused = "The user rejected permission to use this specific tool call"
	for failure, want := range map[string]string{
		refused + ".": "refused ",
		refused + " with the following feedback: use the small pump":                                             "refused use the small pump",
		refused + " with the following feedback:\nnot on Sundays\n":                                              "refused not on Sundays",
		"QuestionRejectedError: The user dismissed this question":                                                "refused ",
		"The user has specified a rule which prevents you from using this specific tool call. Here are some: []": "refused ",
		"Tool execution aborted":                            "",
		"File not found: with the following feedback: none": "",
		"": "",
	} {
		got := ""
		if words, is := Refused(failure); is {
			got = "refused " + words
		}
		expect.Is(t, got, want, failure)
	}
}

// TestAnswered has answers as a model gets them.
func TestAnswered(t *testing.T) {
	const text = `User has answered your questions: "Which valve?"="Left, both", "Why "now"?"="a "leak". Bad.", "When?"="Unanswered". You can now continue with the user's answers in mind.`
	for question, want := range map[string]string{"Which valve?": "Left, both", `Why "now"?`: `a "leak". Bad.`, "When?": "", "Who?": ""} {
		expect.Is(t, Answered(text, question), want, question)
	}
}

// TestTagged has texts with and without tags.
func TestTagged(t *testing.T) {
	for text, want := range map[string]string{"<task id=\"1\">\n<task_result>\nwas here\n</task_result>": "was here", "<task_result>cut": "cut", " plain ": "plain"} {
		expect.Is(t, Tagged(text, "task_result"), want, text)
	}
}
