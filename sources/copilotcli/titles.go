package copilotcli

import (
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/sessionloom/sessionloom/sources"
)

// storeCut is where the CLI cuts the first prompt for the store's summary, in
// UTF-16 units, before it adds "..." (formats/copilot-cli.md, section 1).
const storeCut = 100

// promptForms are the texts that are no title but the first prompt: it whole, its
// first line, its cut. Each is in one line.
func promptForms(prompt string) []string {
	prompt = strings.TrimSpace(prompt)
	line, _, _ := strings.Cut(prompt, "\n")
	whole := oneLine(prompt)
	return []string{whole, oneLine(line), oneLine(cutUTF16(prompt, storeCut)), oneLine(cutUTF16(whole, storeCut))}
}

// isPrompt says that a name is only the first prompt, whole or cut.
func isPrompt(first []string, title string) bool {
	t := oneLine(title)
	if slices.Contains(first, t) {
		return true
	}
	cut, was := cutDots(t)
	if !was {
		return false
	}
	// A cut of full length is one of a prompt, even of one that was taken back.
	return slices.Contains(first, oneLine(cut)) || len(utf16.Encode([]rune(cut))) >= storeCut-1
}

func cutDots(s string) (string, bool) {
	if t, ok := strings.CutSuffix(s, "..."); ok {
		return t, true
	}
	return strings.CutSuffix(s, "…")
}

// oneLine folds white space into single blanks. It lists no words: a prompt may
// have millions.
func oneLine(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for word := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// cutUTF16 cuts a text after n UTF-16 units, never inside a character.
func cutUTF16(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// offer sets the title where it is trusted more than the one that stands.
func offer(s *sources.Session, title string, trust sources.Trust) {
	title = strings.TrimSpace(title)
	if title != "" && trust > s.TitleFrom {
		s.Title, s.TitleFrom = title, trust
	}
}

// trustOf lowers the trust of a name that is only the first prompt.
func trustOf(first []string, title string, trust sources.Trust) sources.Trust {
	if isPrompt(first, title) {
		return sources.TrustPrompt
	}
	return trust
}
