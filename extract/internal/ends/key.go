package ends

import (
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// Key is what the texts of ends are compared by to be the same: their words, without regard to
// markdown, punctuation, case and white space. A text without words is its own key.
func Key(text string) string {
	words := strings.FieldsFunc(strings.ToLower(plain(text)), func(r rune) bool {
		return !isWordRune(r) && !unicode.Is(unicode.Sm, r)
	})
	if len(words) == 0 {
		return texts.OneLine(text)
	}
	return strings.Join(words, " ")
}
