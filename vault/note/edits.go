package note

import (
	"cmp"
	"slices"
	"strings"
)

// Edit replaces the bytes from start to end by text, which has LF line ends.
type Edit struct {
	Start, End int
	Text       string
}

// sortEdits orders by place, insertions before what they precede; insertions at
// one place keep their order.
func sortEdits(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// Splice carries out edits that do not overlap, in the line ends of the file,
// and leaves every other byte as it is.
func Splice(raw []byte, eol string, edits []Edit) []byte {
	sortEdits(edits)
	size := len(raw)
	for _, e := range edits {
		size += len(e.Text)
	}
	out := make([]byte, 0, size+64)
	at := 0
	for _, e := range edits {
		out = append(out, raw[at:e.Start]...)
		text := e.Text
		if eol != "\n" {
			text = strings.ReplaceAll(text, "\n", eol)
		}
		out = append(out, text...)
		at = e.End
	}
	return append(out, raw[at:]...)
}
