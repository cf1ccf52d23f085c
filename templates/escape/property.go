package escape

import "strings"

// Property escapes a text for the frontmatter of a note, where quoting is the
// writer's matter: one honest line, in which no template runs (formats/obsidian.md,
// section 1.3: Templater works on the raw text of a note) and which is not taken
// for a link as a whole. It is idempotent.
func Property(s string) string {
	s = OneLine(s)
	for strings.Contains(s, "<%") {
		s = strings.ReplaceAll(s, "<%", "< %")
	}
	if strings.HasPrefix(s, "[[") || strings.HasPrefix(s, "![[") {
		s = strings.Replace(s, "[[", "[ [", 1)
	}
	return s
}
