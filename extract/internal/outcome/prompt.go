package outcome

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/sign"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Asked returns the prompt of a turn in a line, or "" if it means nothing without the turns before it.
func Asked(t sources.Turn) string {
	// shortPrompt is the least number of letters of a meaningful prompt: not "write it".
	const shortPrompt = 12
	line := escape.Cut(texts.FirstLine(t.User), maxText/2)
	if sign.Letters(line) < shortPrompt || content.IsNod(t) {
		return ""
	}
	return line
}

// withPrompt returns an answer, or its first sentence below the last prompt that is not a mere nod: a question
// before a short sentence, a task of half a line before an answer that says little alone. It leaves out the title.
func withPrompt(title string, turns []sources.Turn, first, answer string) string {
	// The least numbers of letters of an answer that is clear without its question, and without its task.
	const shortAnswer, shortDone = 40, 20
	question := ""
	for i, t := range slices.Backward(turns) {
		if question = texts.FirstLine(t.User); question != "" && (!content.IsNod(t) || isQuestion(question)) {
			if i < len(turns)-1 && isQuestion(question) {
				question = "" // it was answered before
			}
			break
		}
	}
	half := escape.Cut(question, maxText/2)
	switch {
	case question == "" || question == title:
		return answer
	case isQuestion(question) && sign.Letters(first) < shortAnswer:
		return half + " " + first
	case !isQuestion(question) && half == question && sign.Letters(answer) < shortDone:
		return strings.TrimRight(half, ".:!。 ") + ": " + answer
	}
	return answer
}

// askedMark begins the outcome of a session that has nothing but a prompt.
const askedMark = "asked"

// IsQuestion reports whether an outcome is only a prompt.
func IsQuestion(text string) bool {
	return text == "" || strings.HasPrefix(text, askedMark+": ") || strings.HasPrefix(text, askedMark+", ")
}

// asked returns the last prompt, with what became of it if the log says so.
func asked(s *sources.Session) string {
	line := lastPrompt(s)
	if line == "" {
		return ""
	}
	last := s.Turns[len(s.Turns)-1]
	ended := map[sources.Status]string{sources.Failed: ", not answered", sources.Cancelled: ", then stopped"}[last.Status]
	switch {
	case ended != "" || content.ClosingText(last) != "":
	case len(last.Tools) > 0:
		ended = ", no last answer"
	default:
		ended = ", no answer yet"
	}
	return askedMark + ended + ": " + line
}

// lastPrompt returns the last prompt in one line. A nod, a place or a command gives way to the prompt before it,
// unless that one was answered and the last one was not.
func lastPrompt(s *sources.Session) string {
	short, answered := "", true
	for _, t := range slices.Backward(s.Turns) {
		said := inLine(t.User)
		if said == "" {
			continue
		}
		place, closed := isPlace().MatchString(said), isComplete(t) && content.ClosingText(t) != ""
		switch {
		case short == "":
			answered = closed
		case closed && !answered:
			return short
		}
		switch {
		case !place && !content.IsNod(t):
			return said
		case short == "", place && !isPlace().MatchString(short):
			short = said
		}
	}
	return short
}

// inLine returns a prompt in a line, without the marks of markdown and without code, unless it begins with that.
func inLine(prompt string) string {
	var parts []string
	for _, b := range texts.Blocks(prompt) {
		parts = append(parts, b.Text)
	}
	line, all := texts.FirstLine(prompt), texts.OneLine(strings.Join(parts, " "))
	if _, below, isLed := strings.Cut(line, " – "); isLed && !strings.Contains(all, below) || len(line) > len(all) {
		return line
	}
	return all
}

// isPlace matches a text that is only an address or a path.
var isPlace = pattern.Lazy(`^(?:https?://|~?/|[A-Za-z]:[/\\])\S*$`)
