package main

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Widths of a table that reads well on 80 columns.
const (
	screen    = 80
	pathWidth = 38
)

// table words the inventory: the roots of each source, a line or two for each.
func (inv *inventory) table(home string) []string {
	var lines []string
	last := ""
	for _, s := range inv.Sources {
		if s.Name != last {
			lines, last = append(lines, s.Name), s.Name
		}
		lines = append(lines, row(tilde(s.Root, home), s.found())...)
		for _, n := range s.Notes {
			lines = append(lines, wrap(n, 6)...)
		}
		if s.Expiring > 0 {
			lines = append(lines, wrap(commas(s.Expiring)+" expiring, which status tells of", 6)...)
		}
		if unknown := tally(s.Unknown); unknown != "" {
			lines = append(lines, wrap("unknown kinds: "+unknown, 6)...)
		}
		for _, d := range s.Details {
			item := wrap(d, 8)
			item[0] = "      - " + strings.TrimLeft(item[0], " ")
			lines = append(lines, item...)
		}
	}
	if len(lines) == 0 {
		return []string{"no place to look at: every source is switched off"}
	}
	return lines
}

func (s lookedAt) found() string {
	if !s.Found {
		if s.Why == "" {
			return "not found"
		}
		return s.Why
	}
	text := count(s.Items, "item") + ", " + bytesize(s.Bytes)
	if !s.Newest.IsZero() {
		text += ", newest " + s.Newest.Format("2006-01-02")
	}
	if s.Why != "" {
		text += ": " + s.Why
	}
	return text
}

// row sets a path and what is to be said of it side by side, or below each other
// where the path is long.
func row(path, text string) []string {
	if w := lipgloss.Width(path); w <= pathWidth && pathWidth+4+lipgloss.Width(text) <= screen {
		return []string{"  " + path + strings.Repeat(" ", pathWidth-w+2) + text}
	}
	return append([]string{"  " + path}, wrap(text, 6)...)
}

// wrap breaks text to lines that fit a screen as it used to be.
func wrap(text string, indent int) []string { return wrapTo(text, indent, screen) }

// wrapTo breaks text between words to lines that fit so many columns, indented by
// so many spaces. A word that does not fit has a line of its own.
func wrapTo(text string, indent, width int) []string {
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
