package escape

import "strings"

// headingText gives the text of a heading of the "#" kind.
func headingText(s string) (string, bool) {
	n := span(s, '#', '#')
	if n == 0 || n > 6 || n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return "", false
	}
	title := strings.TrimSpace(s[n:])
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return title, true
}

func isHeading(s string) bool {
	_, ok := headingText(s)
	return ok
}

// rule says that s is a horizontal rule, or the line under a heading.
func rule(s string) bool {
	c := s[0]
	if c != '-' && c != '*' && c != '_' {
		return false
	}
	return strings.Count(s, s[:1]) >= 3 && strings.Trim(s, s[:1]+" \t") == ""
}

// listMarker splits a list item into its marker and text.
func listMarker(s string) (marker, text string) {
	n := 1
	if isDigit(s[0]) {
		n = span(s, '0', '9')
		if n > 9 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return "", ""
		}
		n++
	} else if s[0] != '-' && s[0] != '*' && s[0] != '+' {
		return "", ""
	}
	if n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return "", ""
	}
	return s[:n], strings.TrimLeft(s[n:], " \t")
}

// taskBox turns the box of a task into a sign: only boxes of our own pages are
// tasks.
func taskBox(s string) (box, text string) {
	if len(s) < 3 || s[0] != '[' || s[2] != ']' || len(s) > 3 && s[3] != ' ' && s[3] != '\t' {
		return "", s
	}
	switch s[1] {
	case ' ':
		box = "☐ "
	case 'x', 'X':
		box = "☑ "
	default:
		return "", s
	}
	return box, strings.TrimLeft(s[3:], " \t")
}

// endsMarker says that what follows a list marker leaves it one.
func endsMarker(rest string) bool { return rest == "" || rest[0] == ' ' }

// delimiterRow says that s could be the line that makes a table of its
// neighbours.
func delimiterRow(s string) bool {
	dash := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '-':
			dash = true
		case '|', ':', ' ':
		default:
			return false
		}
	}
	return dash
}

// fenceMark gives the run of backticks or tildes that opens a fence and its info
// string; an empty mark: s opens none.
func fenceMark(s string) (mark, info string) {
	if len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return "", ""
	}
	n := span(s, s[0], s[0])
	info = strings.TrimSpace(s[n:])
	if n < 3 || s[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return "", ""
	}
	return s[:n], info
}

// OpensBlock says that a line begins a fence or a table, so that it is no title.
func OpensBlock(s string) bool {
	mark, _ := fenceMark(s)
	return mark != "" || delimiterRow(s) || strings.HasPrefix(s, "|")
}
