package places

import "strings"

// plainJSON makes JSON of the JSON with comments and trailing commas that people
// write into settings. What is not JSON in another way stays so.
func plainJSON(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	comma := false // one is held back until the next value shows that it parts two
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch c := text[i]; {
		case strings.HasPrefix(rest, "//"):
			i += until(rest, "\n") - 1 // the line's end stays
		case strings.HasPrefix(rest, "/*"):
			i += 2 + until(rest[2:], "*/") + 1
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			b.WriteByte(c)
		case c == ',' && !comma:
			comma = true
		default:
			if comma && c != '}' && c != ']' {
				b.WriteByte(',')
			}
			comma = false
			end := 1
			if c == '"' {
				end = stringEnd(rest)
			}
			b.WriteString(rest[:end])
			i += end - 1
		}
	}
	return b.String()
}

// until is the place of mark in s, or the length of s.
func until(s, mark string) int {
	if i := strings.Index(s, mark); i >= 0 {
		return i
	}
	return len(s)
}

// stringEnd is the length of the string s begins with, its quotes included.
func stringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}
