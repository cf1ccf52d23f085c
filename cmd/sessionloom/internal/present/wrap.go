package present

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"
)

// Widths of a table that reads well on 80 columns.
const (
	Screen    = 80
	pathWidth = 38
)

// row sets a path and what is to be said of it side by side, or below each other
// where the path is long.
func row(path, text string) []string {
	if w := lipgloss.Width(path); w <= pathWidth && pathWidth+4+lipgloss.Width(text) <= Screen {
		return []string{"  " + path + strings.Repeat(" ", pathWidth-w+2) + text}
	}
	return append([]string{"  " + path}, Wrap(text, 6)...)
}

// Wrap breaks text to lines that fit a screen as it used to be.
func Wrap(text string, indent int) []string { return WrapTo(text, indent, Screen) }

// WrapTo breaks text between words to lines that fit so many columns, indented by
// so many spaces. A word that does not fit has a line of its own.
func WrapTo(text string, indent, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && indent+lipgloss.Width(line)+1+lipgloss.Width(word) > width {
			lines, line = append(lines, strings.Repeat(" ", indent)+line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, strings.Repeat(" ", indent)+line)
}

// hang wraps a text, its first line at the edge and the others indented.
func hang(text string, width int) []string {
	lines := WrapTo(text, 2, width)
	lines[0] = strings.TrimLeft(lines[0], " ")
	return lines
}

// clock is a time as the clock on the wall shows it.
func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
