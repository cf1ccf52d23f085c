package present

import (
	"regexp"
	"strings"

	"charm.land/lipgloss/v2"
)

// NoteText returns a note for reading on a terminal of a width. In a pipe, headings and tables stay markdown.
func NoteText(text string, width int, piped bool) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, body, ok := strings.Cut(rest, "\n---\n"); ok {
			text = body
		}
	}
	var out []string
	rows := noteTable{grid{width: width, rule: "─", wraps: true}}
	comment, fence, before := false, "", ""        // before: the text before a fence
	for line := range strings.Lines(text + "\n") { // the last line ends a table
		line = strings.TrimSuffix(line, "\n")
		bare := strings.TrimLeft(line, "> ")
		if fence == "" && !comment && !piped && rows.add(line) {
			continue
		}
		out = append(out, rows.lines()...)
		rows.rows = nil
		switch {
		case fence == "" && strings.HasPrefix(line, "%%"):
			if comment = !comment; strings.Count(line, "%%") > 1 {
				comment = !comment
			}
			continue
		case comment:
			continue
		case fence != "" && strings.HasPrefix(bare, fence), fence == "" && strings.HasPrefix(bare, "```"):
			if fence == "" {
				fence, before = bare[:len(bare)-len(strings.TrimLeft(bare, "`"))], line[:len(line)-len(bare)]
			} else {
				fence = ""
			}
			continue
		case fence != "":
			if line+" " == before { // an empty line in a callout
				line = ""
			}
			out = append(out, strings.TrimRight("    "+strings.TrimPrefix(line, before), " "))
			continue
		}
		title := strings.TrimLeft(line, "#")
		level := len(line) - len(title)
		if level == 0 || !strings.HasPrefix(title, " ") || piped {
			out = appendShown(out, readable(line), width)
			continue
		}
		heading := appendShown(nil, readable(strings.TrimSpace(title)), width)
		if level < 3 {
			heading = append(heading, strings.Repeat(map[int]string{1: "=", 2: "-"}[level], lipgloss.Width(strings.Join(heading, "\n"))))
		}
		out = append(out, heading...)
	}
	return trimmed(out)
}

// appendShown adds a line, wrapped if too long, without doubling empty lines.
func appendShown(out []string, line string, width int) []string {
	if line == "" {
		if len(out) > 0 && out[len(out)-1] != "" {
			out = append(out, "")
		}
		return out
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if rest := strings.TrimLeft(line, " "); strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "☐ ") || strings.HasPrefix(rest, "☑ ") {
		wrapped := WrapTo(rest, indent+2, width)
		wrapped[0] = strings.Repeat(" ", indent) + strings.TrimLeft(wrapped[0], " ")
		return append(out, wrapped...)
	}
	return append(out, WrapTo(strings.TrimLeft(line, " "), indent, width)...)
}

func trimmed(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

var (
	wikilink    = regexp.MustCompile(`!?\[\[([^\]|]*)(?:\\?\|([^\]]*))?\]\]`)
	address     = regexp.MustCompile(`\[([^\]]+)\]\((https?://[^)\s]+)\)`)
	blockID     = regexp.MustCompile(`(^|\s)\^[A-Za-z0-9-]+$`)
	calloutHead = regexp.MustCompile(`^\[!([a-z]+)\][+-]?\s*`)
	escaped     = regexp.MustCompile(`\\([\\\[\]*_~<>|#^!=%$:{}` + "`" + `-])`)
)

func readable(line string) string {
	depth, bare := 0, strings.TrimLeft(line, "\t")
	line = strings.Repeat("  ", len(line)-len(bare)) + bare
	for {
		rest, ok := strings.CutPrefix(line, ">")
		if !ok {
			break
		}
		depth++
		line = strings.TrimPrefix(rest, " ")
	}
	if head := calloutHead.FindString(line); head != "" {
		depth--
		line = strings.TrimSpace(line[len(head):])
	}
	line = blockID.ReplaceAllString(line, "")
	line = wikilink.ReplaceAllStringFunc(line, linkText)
	line = address.ReplaceAllString(line, "$1 ($2)")
	for mark, shown := range map[string]string{"- [ ] ": "☐ ", "- [x] ": "☑ "} {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), mark); ok {
			line = shown + rest
		}
	}
	line = strings.ReplaceAll(line, "**", "")
	line = escaped.ReplaceAllString(line, "$1")
	return strings.TrimRight(strings.Repeat("  ", max(depth, 0))+line, " ")
}

// linkText returns the visible text of a wikilink; a view that only Obsidian can show is left out.
func linkText(link string) string {
	m := wikilink.FindStringSubmatch(link)
	target, text := strings.TrimSuffix(m[1], `\`), m[2]
	switch {
	case strings.HasPrefix(link, "!") && strings.Contains(target, ".base"):
		return "(a table in Obsidian)"
	case text != "":
		return text
	}
	target, _, _ = strings.Cut(target, "#")
	return target[strings.LastIndexByte(target, '/')+1:]
}
