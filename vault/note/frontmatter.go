package note

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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
	Fixed      bool     // holds comments or shapes that a splice would lose
	Spread     bool     // a block list whose entries do not begin on lines of their own
}

// Field returns the entry of a key, nil if there is none.
func (f *Frontmatter) Field(key string) *Field {
	for i := range f.Fields {
		if f.Fields[i].Key == key {
			return &f.Fields[i]
		}
	}
	return nil
}

// ParseFrontmatter finds and reads the frontmatter of a note. Like Obsidian it wants
// the opening fence on the first line and takes only unindented fences.
func ParseFrontmatter(raw []byte) Frontmatter {
	at := 0
	if bytes.HasPrefix(raw, ByteOrderMark) {
		at = len(ByteOrderMark)
	}
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

// readPlainBlock reads a block in exactly the form we write, some forty times
// faster than YAML does. Any other line makes it give up.
func readPlainBlock(raw []byte, start, end int) ([]Field, bool) {
	fields := make([]Field, 0, 24)
	for pos := start; pos < end; {
		next := NextLine(raw, pos)
		line := string(bytes.TrimSuffix(bytes.TrimSuffix(raw[pos:next], []byte("\n")), []byte("\r")))
		if item, ok := strings.CutPrefix(line, "  - "); ok {
			if !addPlainItem(fields, item, pos, next) {
				return nil, false
			}
		} else {
			f, ok := readPlainLine(line)
			if !ok || hasField(fields, f.Key) || emptyList(fields) {
				return nil, false
			}
			f.Start, f.End = pos, next
			fields = append(fields, f)
		}
		pos = next
	}
	if emptyList(fields) {
		return nil, false
	}
	for i := range fields {
		fields[i].Entries = Entries(fields[i].Key, fields[i].Value)
	}
	return fields, true
}

// addPlainItem adds an entry to the block list that the last field opened.
func addPlainItem(fields []Field, item string, pos, next int) bool {
	if len(fields) == 0 {
		return false
	}
	f := &fields[len(fields)-1]
	list, ok := f.Value.([]string)
	if !ok || f.Items == nil {
		return false
	}
	s, ok := unquote(item)
	list = append(list, s)
	f.Value, f.Items, f.End = list, append(f.Items, pos), next
	return ok
}

// emptyList says that the last field opened a block list and has no entry:
// to YAML that is no list at all.
func emptyList(fields []Field) bool {
	if len(fields) == 0 {
		return false
	}
	last := fields[len(fields)-1]
	return last.Items != nil && len(last.Items) == 0
}

func hasField(fields []Field, key string) bool {
	for i := range fields {
		if fields[i].Key == key {
			return true
		}
	}
	return false
}

func readPlainLine(line string) (Field, bool) {
	key, rest, ok := strings.Cut(line, ":")
	if !ok || !IsPropertyKey(key) {
		return Field{}, false
	}
	f := Field{Key: key}
	switch {
	case rest == "":
		f.Value, f.Items = []string{}, []int{}
		return f, true
	case rest == " []":
		f.Value = []string{}
		return f, true
	case rest[0] != ' ' || len(rest) < 2:
		return Field{}, false
	}
	f.Value, ok = readPlainScalar(rest[1:])
	return f, ok
}

func readPlainScalar(s string) (any, bool) {
	switch {
	case s[0] == '"':
		return unquote(s)
	case s == "true" || s == "false":
		return s == "true", true
	case len(s) == len(timeLayout):
		t, err := time.Parse(timeLayout, s)
		return t, err == nil
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && strconv.Itoa(n) == s
}

// unquote reads a double-quoted scalar with the escapes of appendQuoted alone.
func unquote(s string) (string, bool) {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' || !utf8.ValidString(s) {
		return "", false
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s, strings.IndexByte(s, '"') < 0 && !holdsBreak(s)
	}
	if holdsBreak(s) {
		return "", false
	}
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		c := s[0]
		if c == '"' {
			return "", false
		}
		if c != '\\' {
			b, s = append(b, c), s[1:]
			continue
		}
		r, n := unescape(s[1:])
		if n == 0 {
			return "", false
		}
		b, s = utf8.AppendRune(b, r), s[1+n:]
	}
	return string(b), true
}

// unescape reads what follows a backslash: the rune and the bytes taken, 0 for
// an escape we do not write.
func unescape(s string) (rune, int) {
	if s == "" {
		return 0, 0
	}
	digits := 0
	switch s[0] {
	case '"', '\\':
		return rune(s[0]), 1
	case 'n':
		return '\n', 1
	case 't':
		return '\t', 1
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	if digits == 0 || len(s) < 1+digits {
		return 0, 0
	}
	n, err := strconv.ParseUint(s[1:1+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return 0, 0
	}
	return rune(n), 1 + digits
}

// holdsBreak says that a text holds characters which YAML may take for a line
// break or refuses: they send the block to the real parser.
func holdsBreak(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r == 0x7F || r >= 0x80 && r < 0xA0 || r == '\u2028' || r == '\u2029' || r == '\uFEFF'
	})
}
