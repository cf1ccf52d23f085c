package tools

import "strings"

// refusals are in the errors of calls that a person, or a rule of theirs, kept from running. What
// the person said to it follows the first: opencode.
var refusals = []string{
	"The user rejected permission to use this specific tool call with the following feedback:",
	"The user rejected permission to use this specific tool call",
	"The user dismissed this question",
	"The user has specified a rule which prevents you from using this specific tool call",
	"User denied execution", // Gemini CLI, as the next
	"User did not allow tool call",
	"denied by policy",
}

// Refused reports whether an error says that a call was kept from running, and what the person said.
func Refused(failure string) (words string, refused bool) {
	for i, mark := range refusals {
		if _, said, found := strings.Cut(failure, mark); found {
			if i > 0 {
				said = ""
			}
			return strings.TrimSpace(said), true
		}
	}
	return "", false
}

// Answered returns what a person answered to a question, as the model gets it: User has answered
// your questions: "question"="answer", "question"="answer". You can now continue with ….
func Answered(text, question string) string {
	_, said, _ := strings.Cut(text, `"`+question+`"="`)
	said, _, _ = strings.Cut(said, `". You can now continue`)
	said, _, _ = strings.Cut(said, `", "`)
	return strings.TrimPrefix(said, "Unanswered")
}

// Tagged returns what a text has between tags of a name, all of it where it has none.
func Tagged(text, tag string) string {
	if _, inner, found := strings.Cut(text, "<"+tag+">"); found {
		text, _, _ = strings.Cut(inner, "</"+tag+">")
	}
	return strings.TrimSpace(text)
}
