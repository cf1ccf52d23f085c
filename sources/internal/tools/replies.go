package tools

import (
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

var (
	// repliedBy precedes a person's answer: Copilot CLI.
	repliedBy = pattern.Lazy(`^User (?:selected|responded|response|answered|chose)[^:\n]{0,40}:\s*`)
	// declinedBy says that the person declined to answer, repliedByNobody that nobody was there.
	declinedBy      = pattern.Lazy(`^User (?:skipped|cancelled|declined|dismissed)\b`)
	repliedByNobody = pattern.Lazy(`^(?:User responded: )?The user (?:is not available|was unable) to respond|^User accepted but provided no`)
)

// Replies returns the answers to the questions of a call; declined: the person declined to answer.
func Replies(text string, asked []Question) (answers []string, declined bool) {
	if declinedBy().MatchString(text) {
		return nil, true
	}
	if repliedByNobody().MatchString(text) {
		text = ""
	}
	answers = make([]string, len(asked))
	text = repliedBy().ReplaceAllString(text, "")
	if len(asked) > 0 && !numbered(text, answers) && (len(asked) == 1 || !formValues(text, asked, answers)) {
		answers[0] = text
	}
	return answers, false
}

// numbered reads answers by the numbers of their questions, and reports whether a text has such: Gemini CLI.
func numbered(text string, answers []string) bool {
	var given struct {
		Answers *decode.Table[string] `json:"answers"`
	}
	if !strings.HasPrefix(text, `{"answers":`) || decode.Text(text, &given) != nil || given.Answers == nil {
		return false
	}
	for number, answer := range given.Answers.All() {
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(answers) {
			answers[i] = answer
		}
	}
	return true
}

// formValues reads answers from the values of a form, "host=a, port=1", and reports whether a text has any.
func formValues(text string, asked []Question, answers []string) (found bool) {
	places, met := map[string]int{}, map[int]bool{}
	for i, q := range asked {
		places[q.ID] = i
	}
	delete(places, "")
	open, from := -1, 0 // the question whose value continues
	shut := func(at int) {
		if open >= 0 {
			answers[open] = text[from:at]
		}
	}
	for at, more := 0, true; more; {
		var part string
		part, _, more = strings.Cut(text[at:], ", ")
		name, _, named := strings.Cut(part, "=")
		if i, known := places[name]; named && known && i != open {
			shut(at - len(", "))
			if open, from = i, at+len(name+"="); met[i] {
				open = -1
			}
			met[i], found = true, true
		}
		at += len(part + ", ")
	}
	shut(len(text))
	return found
}

// Feedback returns what a person said when they refused a call.
func Feedback(text string) string {
	_, said, _ := strings.Cut(text, "User feedback:")
	said, _, _ = strings.Cut(said, "\n\nPlease update the plan")
	said, _, _ = strings.Cut(said, "\n\nThe plan is stored at: ")
	if said = strings.TrimSpace(said); strings.HasPrefix(said, "User requested changes but did not") {
		return ""
	}
	return said
}

// IsPlanRefused reports whether the result of a call that showed a plan says that it was refused.
func IsPlanRefused(text string) bool {
	return strings.HasPrefix(text, "Plan not approved") || strings.HasPrefix(text, "Plan rejected.") || strings.HasPrefix(text, "User cancelled the plan approval")
}

// refusals occur in the errors of calls that a person or rule kept from running. After the first, the
// person's words follow: opencode.
var refusals = []string{
	"The user rejected permission to use this specific tool call with the following feedback:",
	"The user rejected permission to use this specific tool call",
	"The user dismissed this question",
	"The user has specified a rule which prevents you from using this specific tool call",
	"User denied execution", // Gemini CLI, as the next
	"User did not allow tool call",
	"denied by policy",
}

// Refused reports whether an error says that a call was kept from running, and returns the person's words.
func Refused(failure string) (words string, refused bool) {
	_, said, _ := strings.Cut(failure, refusals[0])
	return strings.TrimSpace(said), hasAny(failure, refusals...)
}

// Answered returns a person's answer to a question from the text for the model: User has answered your
// questions: "question"="answer", "question"="answer". You can now continue with ….
func Answered(text, question string) string {
	_, said, _ := strings.Cut(text, `"`+question+`"="`)
	said, _, _ = strings.Cut(said, `". You can now continue`)
	said, _, _ = strings.Cut(said, `", "`)
	return strings.TrimPrefix(said, "Unanswered")
}

// Tagged returns the text between tags of a name, or the whole text without tags.
func Tagged(text, tag string) string {
	if _, inner, found := strings.Cut(text, "<"+tag+">"); found {
		text, _, _ = strings.Cut(inner, "</"+tag+">")
	}
	return strings.TrimSpace(text)
}
