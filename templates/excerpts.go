package templates

import (
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/templates/escape"
)

const (
	digestBytes = 1200 // of an answer in a digest
	digestSlack = 300  // an answer this little longer is shown whole
	titleBytes  = 160  // of a prompt in the title of its callout
	remarkBytes = 160  // of an overview or a summary in a list
)

// excerpt is text that may have been shortened.
type excerpt struct {
	text string
	more int // characters left out
}

// shorten cuts markdown after a paragraph, line or sentence within limit bytes.
// What it opened, such as a fence, is closed by [escape.Block].
func shorten(s string, limit int) excerpt {
	s = strings.TrimSpace(s)
	if len(s) <= limit+limit/4 {
		return excerpt{text: s}
	}
	end := limit
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	for _, boundary := range [...]string{"\n\n", "\n", ". ", "。", " "} {
		if i := strings.LastIndex(s[:end], boundary); i >= limit/2 {
			end = i + len(strings.TrimRight(boundary, " \n"))
			break
		}
	}
	end = escape.BeforeMask(s, end)
	rest := strings.TrimSpace(s[end:])
	return excerpt{text: strings.TrimSpace(s[:end]), more: utf8.RuneCountInString(rest)}
}

// answer gives the answer of a turn, shortened in a digest.
func answer(t Turn) Text {
	if !t.Digest || len(t.Answer) <= digestBytes+digestSlack {
		return t.Answer
	}
	return Text(withRest(shorten(string(t.Answer), digestBytes)))
}

// withRest says behind a shortened text how much is missing.
func withRest(e excerpt) string {
	if e.more == 0 {
		return e.text
	}
	return escape.CloseFence(e.text) + "\n\n… (" + count(e.more, "character", "characters") + " more)"
}

// promptTitle gives the line of a prompt that names its turn.
func promptTitle(prompt string) string {
	title, _ := splitPrompt(prompt)
	if title == "" && strings.TrimSpace(prompt) == "" {
		return "(the prompt is not on record)"
	}
	return title
}

// promptRest gives what its title does not show of a prompt.
func promptRest(prompt string) string {
	_, rest := splitPrompt(prompt)
	return rest
}

// splitPrompt splits a prompt after its first line, if that is short and plain;
// else the whole prompt is the rest.
func splitPrompt(prompt string) (title, rest string) {
	prompt = strings.TrimSpace(escape.Clean(prompt))
	title, rest, _ = strings.Cut(prompt, "\n")
	title = strings.TrimSpace(title)
	rest = strings.TrimLeft(rest, "\n")
	if escape.OpensBlock(title) {
		return firstPlain(rest, title), prompt
	}
	if short := escape.Cut(title, titleBytes); short != title {
		return short, prompt
	}
	return title, rest
}

// firstPlain gives the first line with a letter in it.
func firstPlain(s, otherwise string) string {
	for text := range strings.SplitSeq(s, "\n") {
		if text = strings.TrimSpace(text); strings.IndexFunc(text, isLetter) >= 0 {
			return escape.Cut(text, titleBytes)
		}
	}
	return otherwise
}

func isLetter(r rune) bool { return r >= 0x80 || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// remark gives the first sentence of a text for a list.
func remark(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(escape.Clean(s)), "\n\n")
	s = escape.OneLine(s)
	for i := 0; i+1 < len(s); i++ {
		if (s[i] == '.' || s[i] == '?' || s[i] == '!') && s[i+1] == ' ' && i > 20 {
			s = s[:i+1]
			break
		}
	}
	return escape.Cut(s, remarkBytes)
}
