package vault

import (
	"cmp"
	"slices"
	"strings"
)

// edit replaces the bytes from start to end by text, which has LF line ends.
type edit struct {
	start, end int
	text       string
}

// sortEdits orders by place, insertions before what they precede; insertions at
// one place keep their order.
func sortEdits(edits []edit) {
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
}

// splice carries out edits that do not overlap, in the line ends of the file,
// and leaves every other byte as it is.
func splice(raw []byte, eol string, edits []edit) []byte {
	sortEdits(edits)
	size := len(raw)
	for _, e := range edits {
		size += len(e.text)
	}
	out := make([]byte, 0, size+64)
	at := 0
	for _, e := range edits {
		out = append(out, raw[at:e.start]...)
		text := e.text
		if eol != "\n" {
			text = strings.ReplaceAll(text, "\n", eol)
		}
		out = append(out, text...)
		at = e.end
	}
	return append(out, raw[at:]...)
}
