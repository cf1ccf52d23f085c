package note

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// ByteOrderMark is what some programs begin a text with. It belongs to no line.
var ByteOrderMark = []byte("\xEF\xBB\xBF")

// LineEnd is how a file ends its lines: its first one.
func LineEnd(raw []byte) string {
	if i := bytes.IndexByte(raw, '\n'); i > 0 && raw[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// ToLF returns the text with LF line ends.
func ToLF(b []byte) []byte {
	if bytes.IndexByte(b, '\r') < 0 {
		return b
	}
	return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
}

// NextLine returns the offset behind the line that holds offset at.
func NextLine(raw []byte, at int) int {
	if i := bytes.IndexByte(raw[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(raw)
}

// LineOf is the number of the line that holds an offset, from 1.
func LineOf(raw []byte, at int) int { return 1 + bytes.Count(raw[:at], []byte("\n")) }

// Hash is the hash in region markers and of [Note.Hash]: 16 hex digits.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Texts are the parts of a note that show something, each as a search for secrets
// is to see it: the regions, the values of properties as we wrote them, and all
// else as it stands there.
func Texts(raw []byte) []string {
	doc := ParseDocument(raw)
	if doc.Broken != "" {
		return []string{string(raw)}
	}
	var out []string
	for _, f := range doc.Front.Fields {
		if doc.Props != nil && doc.Props.Prints.Wrote(f.Key, f.Entries) || f.Key == KeyID {
			out = append(out, f.Entries...)
		} else {
			out = append(out, string(raw[f.Start:f.End]))
		}
	}
	for _, r := range []*Region{doc.Body, doc.Nav} {
		if r != nil {
			out = append(out, r.Text)
		}
	}
	for _, free := range doc.Outside() {
		out = append(out, string(free))
	}
	return out
}

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
