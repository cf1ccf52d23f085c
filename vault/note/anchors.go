package note

import "strings"

// Anchors lists the headings and block ids of a note.
func Anchors(text string) []string {
	var names []string
	var code fencing
	for line := range strings.Lines(text) {
		if code.holds(line) {
			continue
		}
		_, line = unquoteLine(line)
		if title, ok := heading(line); ok {
			names = append(names, PlainHeading(title))
		} else if i := strings.LastIndexByte(line, '^'); i >= 0 && (i == 0 || line[i-1] == ' ') {
			names = append(names, strings.ToLower(line[i:]))
		}
	}
	return names
}

// PartName is the last of the headings that a link names, without regard to the
// spelling that Obsidian forgives.
func PartName(part string) string {
	if strings.HasPrefix(part, "^") {
		return strings.ToLower(part)
	}
	return PlainHeading(part[strings.LastIndexByte(part, '#')+1:])
}

// PlainHeading leaves of a heading what a link to it can hold.
func PlainHeading(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("#|^:[]%\\", r) {
			return ' '
		}
		return r
	}, strings.ToLower(s))
	return strings.Join(strings.Fields(s), " ")
}
