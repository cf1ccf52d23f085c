package note

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// InConflict looks for the markers of an unresolved merge, except in regions
// as we rendered them: a transcript may well speak of such markers.
func (doc *Document) InConflict() bool {
	if !bytes.Contains(doc.Raw, []byte(">>>>>>> ")) {
		return false
	}
	texts := append(doc.Outside(), doc.Raw[:doc.Front.After])
	for _, r := range []*Region{doc.Body, doc.Nav} {
		if r != nil && !r.Untouched() {
			texts = append(texts, []byte(r.Text))
		}
	}
	var all []byte
	for _, t := range texts {
		all = append(append(all, '\n'), t...)
	}
	ours, theirs := []byte("\n<<<<<<< "), []byte("\n>>>>>>> ")
	return bytes.Contains(all, ours) && bytes.Contains(all, []byte("\n=======")) && bytes.Contains(all, theirs)
}

// DamagedLine is the first line of what no editor and no program of notes writes: a
// NUL anywhere, as after a crash of the system, or broken UTF-8 in a part that is
// ours; 0 where there is none.
func (doc *Document) DamagedLine() int {
	if i := bytes.IndexByte(doc.Raw, 0); i >= 0 {
		return LineOf(doc.Raw, i)
	}
	if utf8.Valid(doc.Raw) {
		return 0
	}
	spans := append(doc.ours(), Edit{Start: doc.Front.open, End: doc.Front.After})
	sortEdits(spans)
	for _, s := range spans {
		for at := s.Start; at < s.End; {
			r, size := utf8.DecodeRune(doc.Raw[at:s.End])
			if r == utf8.RuneError && size == 1 {
				return LineOf(doc.Raw, at)
			}
			at += size
		}
	}
	return 0
}

// SalvageID reads the id from the lines at the head of a text without
// understanding the rest. Only the first 2000 lines count.
func SalvageID(head []byte) string {
	lines := 0
	for line := range bytes.Lines(bytes.TrimPrefix(head, ByteOrderMark)) {
		if lines++; lines > 2000 || isFence(line) != (lines == 1) {
			return ""
		}
		if rest, ok := bytes.CutPrefix(line, []byte(KeyID+":")); ok {
			if !bytes.HasSuffix(line, []byte("\n")) {
				return "" // the rest of it was cut off: half an id is that of no note
			}
			s := strings.TrimSpace(string(rest))
			if id, ok := unquote(s); ok {
				return id
			}
			return strings.Trim(s, `"'`)
		}
	}
	return ""
}
