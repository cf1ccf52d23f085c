package present

import (
	"regexp"
	"slices"
	"strings"
)

// noteTable is a table of a note.
type noteTable struct{ grid }

var (
	ruleCell = regexp.MustCompile(`^:?-+:?$`)
	cellEnd  = regexp.MustCompile(`(^|[^\\])\|`)
)

// add adds a line, and reports whether it belongs to a table.
func (t *noteTable) add(line string) bool {
	row := strings.TrimLeft(line, "> \t")
	if !strings.HasPrefix(row, "|") || !strings.HasSuffix(strings.TrimRight(row, " "), "|") {
		return false
	}
	t.indent = strings.Repeat("  ", strings.Count(line[:len(line)-len(row)], ">"))
	cells := strings.Split(cellEnd.ReplaceAllString(strings.TrimSpace(row)[1:], "$1\x00"), "\x00")
	cells = cells[:max(1, len(cells)-1)] // the text after the last bar is empty
	if slices.ContainsFunc(cells, func(c string) bool { return !ruleCell.MatchString(strings.TrimSpace(c)) }) {
		for i, c := range cells {
			cells[i] = readable(strings.TrimSpace(c))
		}
		t.grid.add(cells...)
	}
	return true
}
