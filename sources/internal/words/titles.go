package words

import (
	"strings"
	"unicode/utf16"
)

// IsPrompt reports whether a title is only the first prompt: it whole, its first line, or cut. A cut
// of that many UTF-16 units is one of a prompt, even of one that was taken back.
func IsPrompt(prompt, title string, cutAt int) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	prompt, title = foldBlanks(prompt), foldBlanks(title)
	cut := strings.TrimSuffix(strings.TrimSuffix(title, "…"), "...")
	if cut == title {
		return title == prompt || title == foldBlanks(line)
	}
	return strings.HasPrefix(prompt, strings.TrimSpace(cut)) || len(utf16.Encode([]rune(cut))) >= cutAt-1
}

// foldBlanks folds white space into single blanks, in as much of a text as a title may have.
func foldBlanks(s string) string { return strings.Join(strings.Fields(s[:min(len(s), 64<<10)]), " ") }
