package note

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Frontmatter is the frontmatter of a note. All offsets count in the raw text.
type Frontmatter struct {
	Found      bool
	Broken     string // in plain words why it is unreadable; empty: it is not
	open       int    // of the opening fence line
	Start, end int    // of the block between the two fences
	After      int    // behind the closing fence line
	Fields     []Field
	// rigid says that the lines of the block are not known for sure: its
	// values can be read, nothing may be spliced.
	Rigid     bool
	commented bool // a comment stands somewhere in the block
}

// Field is one top-level entry of the frontmatter.
type Field struct {
	Key        string
	Value      any      // as in Note.Props
	Entries    []string // canonical, see func entries
	Start, End int      // its whole lines
	Items      []int    // start of the first line of each entry of a block list
	Comment    string   // behind the key or scalar, with "#"
	Fixed      bool     // holds other comments or shapes that a splice would lose
}

// Field returns the entry of a key, nil if there is none.
func (f *Frontmatter) Field(key string) *Field {
	if i := slices.IndexFunc(f.Fields, func(f Field) bool { return f.Key == key }); i >= 0 {
		return &f.Fields[i]
	}
	return nil
}

// ParseFrontmatter requires unindented fences, the first on the first line, as Obsidian does.
func ParseFrontmatter(raw []byte) Frontmatter {
	at := len(raw) - len(bytes.TrimPrefix(raw, ByteOrderMark))
	next := NextLine(raw, at)
	if !isFence(raw[at:next]) {
		return Frontmatter{}
	}
	f := Frontmatter{Found: true, open: at, Start: next}
	for pos := next; pos < len(raw); {
		end := NextLine(raw, pos)
		if isFence(raw[pos:end]) {
			f.end, f.After = pos, end
			var ok bool
			if f.Fields, ok = readPlainBlock(raw, f.Start, f.end); !ok {
				f.Broken = f.readYAML(raw)
			}
			return f
		}
		pos = end
	}
	f.end, f.After = len(raw), len(raw)
	f.Broken = "the frontmatter is not closed"
	return f
}

func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && len(bytes.TrimRight(line, " \t\r\n")) == 3
}

// readPlainBlock reads exactly what we write, much faster than YAML, or gives up.
func readPlainBlock(raw []byte, start, end int) ([]Field, bool) {
	fields := make([]Field, 0, 24)
	for pos := start; pos < end; {
		f := readPlainField(raw, pos, end)
		again := AppendProperty(nil, Property{Key: f.Key, Value: f.Value})
		if !IsPropertyKey(f.Key) || hasField(fields, f.Key) || !bytes.Equal(again, ToLF(raw[f.Start:f.End])) {
			return nil, false
		}
		f.Entries = Entries(f.Key, f.Value)
		fields, pos = append(fields, f), f.End
	}
	return fields, true
}

// readPlainField reads a field in the form that we write.
func readPlainField(raw []byte, pos, end int) Field {
	f := Field{Start: pos, End: NextLine(raw, pos)}
	var value string
	f.Key, value, _ = strings.Cut(lineText(raw[f.Start:f.End]), ":")
	switch value {
	case "":
		list := []string{}
		for f.End < end && bytes.HasPrefix(raw[f.End:], []byte("  - ")) {
			f.Items = append(f.Items, f.End)
			f.End = NextLine(raw, f.End)
			s, _ := strconv.Unquote(lineText(raw[f.Items[len(f.Items)-1]+len("  - ") : f.End]))
			list = append(list, s)
		}
		f.Value = list
	case " []":
		f.Value = []string{}
	case " true", " false":
		f.Value = value == " true"
	default:
		f.Value = readPlainScalar(strings.TrimPrefix(value, " "))
	}
	return f
}

func lineText(line []byte) string { return strings.TrimRight(string(line), "\r\n") }

func readPlainScalar(s string) any {
	if text, err := strconv.Unquote(s); err == nil {
		return text
	}
	if t, err := time.Parse(timeLayout, s); err == nil {
		return t
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return nil
}

func hasField(fields []Field, key string) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Key == key })
}

// unquote reads a double-quoted scalar as [AppendQuoted] writes it.
func unquote(s string) (string, bool) {
	text, err := strconv.Unquote(s)
	return text, err == nil && string(AppendQuoted(nil, text)) == s
}
