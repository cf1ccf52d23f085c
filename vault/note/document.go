package note

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Document is a note taken apart. Offsets count in Raw.
type Document struct {
	Raw     []byte
	EOL     string // of the file: that of its first line
	Front   Frontmatter
	Body    *Region // nil if there is none
	Nav     *Region
	Comment *Comment // for the program, nil if there is none
	ID      string
	Broken  string // as in Note
}

// Parse parses any bytes; Note.Broken reports what it cannot make sense of.
func Parse(path string, text []byte) Note {
	return ParseDocument(text).Note(path)
}

// ParseDocument takes a note apart, see [Parse].
func ParseDocument(raw []byte) *Document {
	doc := &Document{Raw: raw, EOL: LineEnd(raw)}
	doc.Front = ParseFrontmatter(raw)
	doc.Broken = doc.Front.Broken
	if f := doc.Front.Field(KeyID); f != nil && len(f.Entries) == 1 {
		doc.ID = f.Entries[0]
	}
	if doc.Broken != "" {
		doc.ID = SalvageID(raw)
	}
	if broken := doc.findRegions(); doc.Broken == "" {
		doc.Broken = broken
	}
	if doc.Broken == "" && doc.InConflict() {
		doc.Broken = "it holds the conflict markers of a version control system"
	}
	return doc
}

// findRegions also finds the comment for the program, even in broken notes.
func (doc *Document) findRegions() (broken string) {
	comment, doubled := findComment(doc.Raw, doc.Front.After)
	doc.Comment = comment
	found, broken := findMarkers(doc.Raw)
	if broken != "" {
		return broken
	}
	regions, broken := pairRegions(doc.Raw, found)
	if broken != "" {
		return broken
	}
	if len(found) > 0 && found[0].Start < doc.Front.After {
		return "a comment line of ours stands in the frontmatter"
	}
	doc.Body, doc.Nav = regions[RegionBody], regions[RegionNav]
	if doc.ID != "" && doc.Body == nil {
		return "the comment lines around its text are missing"
	}
	if doubled != "" || comment == nil {
		return doubled
	}
	for _, r := range regions {
		if r.Begin.Start < comment.End && comment.Start < r.End.End {
			return "the comment for the program stands inside the text"
		}
	}
	return ""
}

// Note is what the rest of the program sees of a document.
func (doc *Document) Note(path string) Note {
	n := Note{Path: path, Hash: doc.Hash(), ID: doc.ID, Broken: doc.Broken}
	n.Props = make([]Property, len(doc.Front.Fields))
	for i, f := range doc.Front.Fields {
		n.Props[i] = Property{Key: f.Key, Value: f.Value}
	}
	n.Boxes = Boxes(string(ToLF(doc.Raw[doc.Front.After:])))
	if doc.Comment != nil {
		n.Facts = doc.Comment.Facts
	}
	n.Marked = doc.Body != nil || doc.Comment != nil || doc.Broken != "" && HoldsMarker(string(doc.Raw))
	n.Touched = doc.Body != nil && !doc.Body.Untouched()
	return n
}

// Hash is that of [Note.Hash].
func (doc *Document) Hash() string {
	return Hash(ToLF(bytes.TrimPrefix(doc.Raw, ByteOrderMark)))
}

// Outside returns what is neither frontmatter nor a marker nor in a region.
func (doc *Document) Outside() [][]byte {
	var free [][]byte
	at := doc.Front.After
	for _, span := range doc.ours() {
		if span.End > at {
			free = append(free, doc.Raw[at:max(at, span.Start)])
			at = span.End
		}
	}
	return append(free, doc.Raw[at:])
}

// ours returns the lines we manage below the frontmatter, in file order.
func (doc *Document) ours() []Edit {
	var spans []Edit
	if doc.Comment != nil {
		spans = append(spans, Edit{Start: doc.Comment.Start, End: doc.Comment.End})
	}
	for _, r := range []*Region{doc.Body, doc.Nav} {
		if r != nil {
			spans = append(spans, Edit{Start: r.Begin.Start, End: r.End.End})
		}
	}
	sortEdits(spans)
	return spans
}

// Region is the region with a name, nil if there is none or no document.
func (doc *Document) Region(name string) *Region {
	switch {
	case doc == nil:
		return nil
	case name == RegionBody:
		return doc.Body
	}
	return doc.Nav
}

// Layers are those that the note was made from.
func (doc *Document) Layers() []string {
	return doc.Comment.values(KeyLayer)
}

// Unwritable explains why nothing of the note may be written, empty if it may.
func (doc *Document) Unwritable(id string) string {
	switch {
	case len(doc.Raw) == 0:
		return "the note is empty: it is being saved"
	case doc.Broken != "":
		return doc.Broken
	case doc.ID != id:
		return "it is no longer the note it was: its id is missing or another"
	}
	return ""
}

// Newer reports whether a newer version wrote the note, which may hold more.
func (doc *Document) Newer() bool { return doc.Comment != nil && doc.Comment.Version > Version }

// Edited reports which parts of a note are not as we rendered them, empty if all are.
func (doc *Document) Edited() string {
	switch {
	case doc.Newer():
		return "it was written by a newer version"
	case !doc.Body.Untouched():
		return "body edited"
	case doc.Nav != nil && !doc.Nav.Untouched(), doc.Nav == nil && doc.Comment != nil && !doc.Comment.NoNav:
		return "links edited"
	case doc.Comment == nil || doc.Front.commented || !doc.onlyOurProps():
		return "frontmatter edited"
	case len(doc.Comment.Foreign) > 0 || doc.hasTextOutside():
		return "text was added"
	}
	return ""
}

func (doc *Document) hasTextOutside() bool {
	text := bytes.TrimSpace(bytes.Join(doc.Outside(), nil))
	return len(text) > 0 && string(text) != OwnLine
}

func (doc *Document) onlyOurProps() bool {
	last := doc.Comment.Prints
	count := 0
	for _, f := range doc.Front.Fields {
		if f.Key == KeyID {
			continue
		}
		count++
		prints := Fingerprints(f.Key, f.Entries)
		if !last.Wrote(f.Key, f.Entries) || len(prints) != len(last[f.Key]) {
			return false
		}
	}
	return count == len(last)
}

// MaxSize is the most bytes of a file that are read, far more than we write.
const MaxSize = 64 << 20

// ErrTooLarge means that a file is larger than anything we write.
var ErrTooLarge = fmt.Errorf("larger than %d MB", MaxSize>>20)

// Property is one of our lines of frontmatter. Value is a string, int, bool,
// time.Time (written as Obsidian's Date & time, UTC) or []string (written as a
// block list, [] when empty). A nil Value is no property. Key is made of ASCII
// letters, digits, "_" and "-".
type Property struct {
	Key   string
	Value any
}

// Note is a note in the vault, whoever wrote it.
type Note struct {
	Path  string
	Stamp Stamp
	Hash  string // 16 hex digits of the SHA-256 of the text with LF line ends
	ID    string // property id, read from a broken note where possible; empty: no note of ours
	// Props is all of the frontmatter by value, in file order. Values are those
	// of Property, nil for YAML's null, and the YAML text for anything else.
	Props []Property
	Facts []Fact // of the comment for the program
	Boxes []Box
	// Touched says that the user changed the body region.
	Touched bool
	// Marked says that a line of ours is in it, even if damaged: no human gave
	// it its id.
	Marked bool
	// Broken says in plain words why the note must not be written: unreadable
	// frontmatter, conflict markers, region markers missing or doubled.
	Broken string
}

// Stamp reports whether a file moved since it was last seen.
type Stamp struct {
	Size, MTime, CTime int64
	Inode              uint64
}

// Entry is one file with its path.
type Entry struct {
	Path  string
	Stamp Stamp
}

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

// Texts are the parts of a note that show something, for a search for secrets.
func Texts(raw []byte) []string {
	doc := ParseDocument(raw)
	if doc.Broken != "" {
		return []string{string(raw)}
	}
	var out []string
	for _, f := range doc.Front.Fields {
		if doc.Comment != nil && doc.Comment.Prints.Wrote(f.Key, f.Entries) || f.Key == KeyID {
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
	if doc.Comment != nil {
		for _, f := range doc.Comment.Facts {
			out = append(out, f.Value)
		}
		for _, line := range doc.Comment.Foreign {
			out = append(out, string(raw[line.Start:line.End]))
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

// sortEdits orders by place, insertions first and in their order.
func sortEdits(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// Splice carries out edits that do not overlap, in the line ends of the file.
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
