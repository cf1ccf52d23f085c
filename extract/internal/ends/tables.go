package ends

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// row adds a row of a table below a lead-in, or of a table of planned work, or one
// of whose cells says that it is open.
func (f *finder) row(b texts.Block) {
	if f.scope == ofLine {
		f.items = true
	}
	found := Found{How: Led}
	switch {
	case len(b.Cells) < 2 || slices.IndexFunc(b.Cells, isDoneState) > 0:
		return
	case f.scope != noScope || isPlanned(b.Head) || slices.IndexFunc(b.Cells, isOpenState) > 0:
	case slices.ContainsFunc(b.Cells[1:], says):
		found.How = Passed
	default:
		return
	}
	cells := slices.DeleteFunc(slices.Clone(b.Cells), func(cell string) bool { return !strings.ContainsFunc(cell, unicode.IsLetter) })
	if len(cells) > 0 {
		found.Text = strings.TrimSuffix(cells[0]+": "+strings.Join(cells[1:], ", "), ": ")
		f.add(found)
	}
}

// openSigns begin a cell that says that its row is open.
const openSigns = "❌✘✗✕⏳☐⬜🔲🚧⚠🔴🟠🟡⛔"

// isOpenState tells a cell of a table that says that its row is open: "missing", "❌ not yet".
func isOpenState(cell string) bool {
	if strings.IndexAny(cell, openSigns) == 0 {
		return true
	}
	if i := strings.IndexAny(cell, ",;:(、（"); i > 0 {
		cell = cell[:i]
	}
	bare := bareLead(cell)
	return leads().exact[bare] || len([]rune(bare)) < 8 && strings.HasPrefix(bare, "未")
}

// isDoneState tells a cell of a table that says that its row is done.
func isDoneState(cell string) bool {
	return strings.IndexAny(cell, "✅✔☑") == 0 || slices.Contains(doneWords, bareLead(cell))
}

// planned head a column of a table of work that is left.
var planned = phrases(`estimate|estimated effort|effort|due|due date|deadline|by when|
	aufwand|schätzung|geschätzter aufwand|fällig|frist|bis wann|
	estimación|esfuerzo|plazo|fecha límite|para cuándo|esfuerzo estimado|
	estimation|effort|charge estimée|échéance|pour quand|
	見積り|見積もり|見積|工数|期限|締切|締め切り|期日|
	估时|工作量|预计|截止|截止日期`)

// isPlanned says that the head of a table tells what its rows will cost, or by when they are to be
// done: they are work that is left.
func isPlanned(head []string) bool {
	return slices.ContainsFunc(head, func(cell string) bool { return slices.Contains(planned, bareLead(cell)) })
}
