package merge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/sessionloom/sessionloom/vault/note"
)

// splitLines cuts a text behind each line feed; the lines joined are the text.
func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

// mergeLines merges two versions of a text by line; onConflict says what is to
// stand where both changed the same lines. clean says that there was no such
// place.
func mergeLines(base, ours, theirs string, onConflict func(conflict) string) (text string, clean bool) {
	m := merging{base: base, theirs: udiff.Lines(base, ours), ours: udiff.Lines(base, theirs), onConflict: onConflict}
	for len(m.theirs)+len(m.ours) > 0 {
		m.step()
	}
	m.text.WriteString(base[m.at:])
	return m.text.String(), len(m.rejected) == 0
}

// withMarkers shows both sides of a conflict as version control systems do. In a
// conflict the first side is called theirs.
func withMarkers(c conflict) string {
	return "<<<<<<< ours\n" + closed(c.theirs) + "=======\n" + closed(c.ours) + ">>>>>>> theirs\n"
}

func closed(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// bothStand keeps the lines of one side and adds those that only the other one
// has.
func bothStand(c conflict) string {
	known := slices.Concat(splitLines(c.base), splitLines(c.theirs))
	var b strings.Builder
	b.WriteString(closed(c.theirs))
	for _, line := range splitLines(c.ours) {
		if !slices.Contains(known, line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func commonLines(a, b string) string {
	edits := udiff.Lines(a, b)
	for i := range edits {
		edits[i].New = ""
	}
	return apply(a, 0, len(a), edits)
}

// plainLines is a text without a byte order mark, in LF line ends where all of
// them were others.
func plainLines(b []byte) string {
	b = bytes.TrimPrefix(b, note.ByteOrderMark)
	if allCRLF(b) {
		b = note.ToLF(b)
	}
	return string(b)
}

func allCRLF(b []byte) bool {
	n := bytes.Count(b, []byte("\n"))
	return n > 0 && n == bytes.Count(b, []byte("\r\n"))
}

// spelledLike gives a text the line ends of a file, and its byte order mark.
func spelledLike(file []byte, text string) []byte {
	if allCRLF(file) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if bytes.HasPrefix(file, note.ByteOrderMark) {
		text = string(note.ByteOrderMark) + text
	}
	return []byte(text)
}
