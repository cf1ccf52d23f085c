package present

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// grid aligns cells in columns within a width. Columns without text are left out.
type grid struct {
	width  int
	indent string
	rule   string         // drawn below the first row, or ""
	wraps  bool           // text that does not fit into a cell continues below it; else it is cut
	right  func(int) bool // reports whether a column is aligned at the right; nil: none
	rows   [][]string
	notes  map[int]string // lines below rows
}

// add adds a row.
func (g *grid) add(cells ...string) {
	for i := range cells {
		cells[i] = strings.Join(strings.Fields(cells[i]), " ")
	}
	g.rows = append(g.rows, cells)
}

// below adds a line below the last row.
func (g *grid) below(text string) {
	if g.notes == nil {
		g.notes = map[int]string{}
	}
	g.notes[len(g.rows)-1] = strings.Join(strings.Fields(text), " ")
}

// widths returns the widths of the columns, the widest ones narrowed to fit.
func (g *grid) widths() (widths []int) {
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	total := len(g.indent) - len(gap)
	for _, w := range widths {
		total += min(w, 1) * (w + len(gap))
	}
	for ; total > g.width; total-- {
		const narrow = 8
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= narrow {
			break
		}
		widths[widest]--
	}
	return widths
}

// gap is between two columns.
const gap = "  "

func (g *grid) lines() (out []string) {
	widths := g.widths()
	for n, row := range g.rows {
		for rest := row; rest != nil; {
			var line string
			line, rest = g.line(rest, widths)
			out = append(out, line)
		}
		if note := g.notes[n]; note != "" {
			out = append(out, ansi.Truncate(g.indent+"    "+note, g.width, "…"))
		}
		if n == 0 && g.rule != "" {
			rules := make([]string, len(widths))
			for i, w := range widths {
				rules[i] = strings.Repeat(g.rule, w)
			}
			line, _ := g.line(rules, widths)
			out = append(out, line)
		}
	}
	return out
}

// line returns the first line of a row, and what is left of it.
func (g *grid) line(row []string, widths []int) (line string, rest []string) {
	line = g.indent
	left := make([]string, len(row))
	for i, cell := range row {
		if widths[i] == 0 {
			continue
		}
		if g.wraps {
			cell, left[i], _ = strings.Cut(ansi.Wrap(cell, widths[i], "/"), "\n")
		} else {
			cell = ansi.Truncate(cell, widths[i], "…")
		}
		pad := strings.Repeat(" ", max(0, widths[i]-lipgloss.Width(cell)))
		if g.right != nil && g.right(i) {
			cell, pad = pad+cell, ""
		}
		line += cell + pad + gap
		if left[i] != "" {
			rest = left
		}
	}
	return strings.TrimRight(line, " "), rest
}
