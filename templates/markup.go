package templates

import "strings"

// Inline escapes a text as the task boxes of a page show it, so that a caller
// can tell beforehand how a box will read. It is idempotent.
func Inline(s string) string { return inline(s) }

// Scalar escapes a text for the frontmatter of a note, where quoting is the
// writer's matter: one honest line, in which no template runs (formats/obsidian.md,
// section 1.3: Templater works on the raw text of a note) and which is not taken
// for a link as a whole. It is idempotent.
func Scalar(s string) string {
	s = oneLine(s)
	for strings.Contains(s, "<%") {
		s = strings.ReplaceAll(s, "<%", "< %")
	}
	if strings.HasPrefix(s, "[[") || strings.HasPrefix(s, "![[") {
		s = strings.Replace(s, "[[", "[ [", 1)
	}
	return s
}
