package present

import (
	"regexp"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// noteTable is a table of a note.
type noteTable struct {
	indent int
	rows   [][]string
}

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
	t.indent = 2 * strings.Count(line[:len(line)-len(row)], ">")
	cells := strings.Split(cellEnd.ReplaceAllString(strings.TrimSpace(row)[1:], "$1\x00"), "\x00")
	cells = cells[:max(1, len(cells)-1)] // the text after the last bar is empty
	if slices.ContainsFunc(cells, func(c string) bool { return !ruleCell.MatchString(strings.TrimSpace(c)) }) {
		for i, c := range cells {
			cells[i] = readable(strings.TrimSpace(c))
		}
		t.rows = append(t.rows, cells)
	}
	return true
}

// lines aligns the table in columns. Text that does not fit into a cell continues below it.
func (t *noteTable) lines(width int) []string {
	const narrowest = 12 // least width of a narrowed column
	widths := make([]int, len(slices.MaxFunc(append(t.rows, nil), func(a, b []string) int { return len(a) - len(b) })))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	whole := 2 * (len(widths) - 1)
	for _, w := range widths {
		whole += w
	}
	for whole+t.indent > width {
		i := slices.Index(widths, slices.Max(widths))
		if widths[i] <= narrowest {
			break
		}
		widths[i], whole = widths[i]-1, whole-1
	}
	var out []string
	for n, row := range t.rows {
		for more := true; more; {
			line := strings.Repeat(" ", t.indent)
			more = false
			for i, cell := range row {
				first, rest, _ := strings.Cut(ansi.Wrap(cell, widths[i], "/"), "\n")
				line += first + strings.Repeat(" ", max(0, widths[i]-lipgloss.Width(first))+2)
				row[i], more = rest, more || rest != ""
			}
			out = append(out, strings.TrimRight(line, " "))
		}
		if n == 0 {
			out = append(out, strings.Repeat(" ", t.indent)+strings.Repeat("─", whole))
		}
	}
	return out
}
