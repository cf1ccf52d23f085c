package note

import "strings"

// Boxes returns the task boxes of a markdown text in order. Boxes in fenced
// code and in quotes do not count: those are quoted, not meant.
func Boxes(text string) []Box {
	var boxes []Box
	var section, fence string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if fence != "" {
			if strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		switch line[0] {
		case '`', '~':
			fence = openFence(line)
		case '#':
			if title, ok := heading(line); ok {
				section = title
			}
		default:
			if box, ok := taskBox(line); ok {
				box.Section = section
				boxes = append(boxes, box)
			}
		}
	}
	return boxes
}

// openFence returns the run of backticks or tildes that opens fenced code.
func openFence(line string) string {
	rest := strings.TrimLeft(line, line[:1])
	run := line[:len(line)-len(rest)]
	if len(run) < 3 || run[0] == '`' && strings.Contains(rest, "`") {
		return ""
	}
	return run
}

func heading(line string) (string, bool) {
	rest := strings.TrimLeft(line, "#")
	if len(line)-len(rest) > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), "#")), true
}

// taskBox reads "- [x] text" and its like; any mark but a space is a tick.
func taskBox(line string) (Box, bool) {
	rest := strings.TrimLeft(line, "0123456789")
	switch {
	case rest == "":
		return Box{}, false
	case len(rest) < len(line) && rest[0] != '.' && rest[0] != ')':
		return Box{}, false
	case len(rest) == len(line) && rest[0] != '-' && rest[0] != '*' && rest[0] != '+':
		return Box{}, false
	}
	rest = rest[1:]
	inner := strings.TrimLeft(rest, " \t")
	if len(inner) == len(rest) || !strings.HasPrefix(inner, "[") {
		return Box{}, false
	}
	mark, text, ok := strings.Cut(inner[1:], "]")
	if !ok || len([]rune(mark)) != 1 || !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") {
		return Box{}, false
	}
	text = strings.TrimSpace(text)
	return Box{Text: text, Ticked: mark != " "}, text != ""
}
