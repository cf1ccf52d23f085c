package vault

import (
	"bytes"
	"strings"
)

var byteOrderMark = []byte("\xEF\xBB\xBF")

// document is a note taken apart. Offsets count in raw.
type document struct {
	raw    []byte
	eol    string // of the file: that of its first line
	front  front
	props  *marker // line of the fingerprints, nil if there is none
	body   *region
	nav    *region
	id     string
	broken string
}

// Parse takes a note apart. It accepts any bytes; what it cannot make sense of
// is told in Note.Broken. The id of a broken note is read where that is
// possible, so that it is found again.
func Parse(path string, text []byte) Note {
	return takeApart(text).note(path)
}

func takeApart(raw []byte) *document {
	doc := &document{raw: raw, eol: lineEnd(raw)}
	start := 0
	if bytes.HasPrefix(raw, byteOrderMark) {
		start = len(byteOrderMark)
	}
	doc.front, doc.broken = parseFront(raw, start)
	if f := doc.front.field(keyID); f != nil && len(f.entries) == 1 {
		doc.id = f.entries[0]
	}
	if doc.broken != "" {
		doc.id, _ = salvageID(raw)
	}
	if broken := doc.findRegions(); doc.broken == "" {
		doc.broken = broken
	}
	if doc.broken == "" && doc.holdsConflict() {
		doc.broken = "it holds the conflict markers of a version control system"
	}
	return doc
}

func (doc *document) findRegions() (broken string) {
	found, broken := findMarkers(doc.raw)
	if broken != "" {
		return broken
	}
	props, regions, broken := pairRegions(doc.raw, found)
	if broken != "" {
		return broken
	}
	if len(found) > 0 && found[0].start < doc.front.after {
		return "a region marker stands in the frontmatter"
	}
	doc.props, doc.body, doc.nav = props, regions[regionBody], regions[regionNav]
	if doc.id != "" && doc.body == nil {
		return "the markers of its body are missing"
	}
	return ""
}

// note is what the rest of the program sees of a document.
func (doc *document) note(path string) Note {
	text := toLF(bytes.TrimPrefix(doc.raw, byteOrderMark))
	n := Note{Path: path, Hash: textHash(text), ID: doc.id, Broken: doc.broken}
	n.Props = make([]Property, len(doc.front.fields))
	for i, f := range doc.front.fields {
		n.Props[i] = Property{Key: f.key, Value: f.value}
	}
	n.Boxes = Boxes(string(toLF(doc.raw[doc.front.after:])))
	n.Marked = doc.body != nil || doc.props != nil || doc.broken != "" && holdsMarker(string(doc.raw))
	n.Touched = doc.body != nil && !doc.body.untouched()
	return n
}

// outside returns the stretches of text that are not ours: neither frontmatter
// nor a marker nor in a region.
func (doc *document) outside() [][]byte {
	var free [][]byte
	at := doc.front.after
	for _, span := range doc.ours() {
		if span.end > at {
			free = append(free, doc.raw[at:max(at, span.start)])
			at = span.end
		}
	}
	return append(free, doc.raw[at:])
}

// ours returns the lines we manage below the frontmatter, in file order.
func (doc *document) ours() []edit {
	var spans []edit
	if doc.props != nil {
		spans = append(spans, edit{start: doc.props.start, end: doc.props.end})
	}
	for _, r := range []*region{doc.body, doc.nav} {
		if r != nil {
			spans = append(spans, edit{start: r.begin.start, end: r.end.end})
		}
	}
	sortEdits(spans)
	return spans
}

// holdsConflict looks for the markers of an unresolved merge, except in regions
// as we rendered them: a transcript may well speak of such markers.
func (doc *document) holdsConflict() bool {
	if !bytes.Contains(doc.raw, []byte(">>>>>>> ")) {
		return false
	}
	texts := append(doc.outside(), doc.raw[:doc.front.after])
	for _, r := range []*region{doc.body, doc.nav} {
		if r != nil && !r.untouched() {
			texts = append(texts, []byte(r.text))
		}
	}
	var all []byte
	for _, t := range texts {
		all = append(append(all, '\n'), t...)
	}
	ours, theirs := []byte("\n<<<<<<< "), []byte("\n>>>>>>> ")
	return bytes.Contains(all, ours) && bytes.Contains(all, []byte("\n=======")) && bytes.Contains(all, theirs)
}

// salvageID reads the id from the lines at the head of a text without
// understanding the rest. Only the first 2000 lines count. open says that the
// frontmatter goes on behind the head.
func salvageID(head []byte) (id string, open bool) {
	head = bytes.TrimPrefix(head, byteOrderMark)
	lines := 0
	for line := range bytes.Lines(head) {
		lines++
		if lines == 1 {
			if !isFence(line) {
				return "", false
			}
			continue
		}
		if isFence(line) || lines > 2000 {
			return "", false
		}
		if rest, ok := bytes.CutPrefix(line, []byte(keyID+":")); ok {
			if !bytes.HasSuffix(line, []byte("\n")) {
				return "", true // the rest of it was cut off: half an id is that of no note
			}
			s := strings.TrimSpace(string(rest))
			if id, ok := unquote(s); ok {
				return id, false
			}
			return strings.Trim(s, `"'`), false
		}
	}
	return "", lines > 0
}
