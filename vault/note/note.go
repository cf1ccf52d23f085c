package note

import "fmt"

// MaxSize is the most bytes of a file that are read. Whatever we write is far
// smaller.
const MaxSize = 64 << 20

// ErrTooLarge says that a file is larger than anything we write.
var ErrTooLarge = fmt.Errorf("larger than %d MB", MaxSize>>20)

// Property is one of our lines of frontmatter. Value is a string, int, bool,
// time.Time (written as Obsidian's Date & time, UTC) or []string (written as a
// block list, [] when empty). A nil Value is no property. Key is made of ASCII
// letters, digits, "_" and "-".
type Property struct {
	Key   string
	Value any
}

// Note is what stands in the vault, whoever wrote it.
type Note struct {
	Path  string
	Stamp Stamp
	Hash  string // 16 hex digits of the SHA-256 of the text with LF line ends
	ID    string // property id, read from a broken note where possible; empty: no note of ours
	// Props is all of the frontmatter by value, in file order. Values are those
	// of Property, nil for YAML's null, and the YAML text for anything else.
	Props []Property
	Boxes []Box
	// Touched says that the user changed the body region.
	Touched bool
	// Marked says that a line of ours stands in it, be it damaged: no human gave
	// it its id.
	Marked bool
	// Broken says in plain words why the note must not be written: unreadable
	// frontmatter, conflict markers, region markers missing or doubled.
	Broken string
}

// Box is a task box of a note.
type Box struct {
	Section string // text of the nearest heading above
	Text    string // inline markdown after the box
	Ticked  bool
}

// Stamp tells whether a file moved since it was last seen.
type Stamp struct {
	Size, MTime, CTime int64
	Inode              uint64
}

// Entry is one file with its path.
type Entry struct {
	Path  string
	Stamp Stamp
}
