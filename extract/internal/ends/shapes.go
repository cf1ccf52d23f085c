package ends

import "strings"

// isBoldLine says that a text is a heading by its stars.
func isBoldLine(text string) bool {
	return len(text) > 4 && strings.HasPrefix(text, "**") && strings.Index(text[2:], "**") == len(text)-4
}

// maxTerm is how long the term of a definition is, in bytes.
const maxTerm = 60

// isDefinition says that a paragraph is an entry of a list of definitions, whose second line begins
// with a colon.
func isDefinition(text string) bool {
	i := strings.Index(text, " : ")
	return i > 0 && i <= maxTerm
}

// isSentence says that a bold line ends as a sentence does: it tells of something itself.
func isSentence(text string) bool {
	text = strings.TrimRight(text, "*_ ")
	return strings.HasSuffix(text, ".") || strings.HasSuffix(text, "。")
}

// introduces says that a text leads to the list below it.
func introduces(text string) bool {
	text = strings.TrimRight(text, "*_ ")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") || strings.Contains(text, "以下")
}
