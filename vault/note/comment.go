package note

import (
	"bytes"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Comment is the comment for the program, at the end of a note:
//
//	%% sessionloom facts
//	version 2
//	layer copilot-cli/events ¦ prop created=k1_0aT title=U_bcRF ¦ ref 2026-11-03T08:36:43 t-fa053c09 commit:63eee27 ¦ ~q3_Zk1
//	%%
//
// A row holds facts, sorted, and ends with the fingerprint of what is in front of it: what
// follows behind that, and a row whose fingerprint is another, was typed by a human. Notes of
// version 1 had a row for each fact, without a fingerprint. The comment is found wherever it
// is outside of the regions, since people append to notes.
type Comment struct {
	Version    int
	Prints     Rendered // of the properties as we last wrote them
	NoNav      bool     // we wrote no nav region: without it the user took the region away
	Facts      []Fact   // in order
	Foreign    []Edit   // lines that are none of ours; they stay
	Start, End int      // from its first line to behind its last
}

// Fact is a row of the comment. Value is a text of one line.
type Fact struct{ Key, Value string }

// The keys of rows that this package knows; others are facts of the caller.
const (
	keyProp    = "prop"
	keyNav     = "nav"
	keyVersion = "version"
	// KeyLayer names what a note was made from, one layer a row. A draft that is made from less
	// must not replace it.
	KeyLayer = "layer"
)

const commentWord = "facts"

// plainKeys are facts of one word. Others begin with a time, a date or "-".
var plainKeys = map[string]bool{
	KeyLayer: true, "alias": true, "archived": true, "checkpoints": true, "files_more": true, "folder": true, "joined": true,
	"model": true, "own": true, "parent": true, "pinned": true, "project": true, "repository": true, "sessions": true, "untitled": true,
}

// timedKeys are the facts with a value that begins with a time.
var timedKeys = map[string]bool{
	"ask": true, "check": true, "closing": true, "cmd": true, "cwd": true, "day": true, "decision": true, "detail": true,
	"done": true, "fact": true, "file": true, "fix": true, "named": true, "open": true, "prompt": true, "ref": true, "step": true, "tokens": true, "words": true,
}

// findComment looks for the comment from an offset on. It returns nil if there is none.
func findComment(raw []byte, at int) (c *Comment, broken string) {
	for at < len(raw) {
		i := bytes.Index(raw[at:], []byte(MarkerWord))
		if i < 0 {
			return c, ""
		}
		start := bytes.LastIndexByte(raw[:at+i], '\n') + 1
		at = NextLine(raw, at+i)
		if !opensComment(raw[start:at]) {
			continue
		}
		if c != nil {
			return nil, "the comment for the program is doubled"
		}
		c = &Comment{Version: 1, Prints: Rendered{}, Start: start}
		if at = c.read(raw, at); at < 0 {
			return nil, "the comment for the program is not closed"
		}
	}
	return c, ""
}

func opensComment(line []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("%%"))
	f := bytes.Fields(rest)
	return ok && len(f) == 2 && string(f[0]) == MarkerWord && string(f[1]) == commentWord
}

// read takes the rows in, and returns the offset behind the closing line, or -1.
func (c *Comment) read(raw []byte, at int) int {
	var odd []Edit // what is no row of ours
	signed := false
	for at < len(raw) {
		start := at
		at = NextLine(raw, at)
		line := strings.TrimRight(string(raw[start:at]), "\r\n")
		switch {
		case strings.TrimSpace(line) == "%%":
			c.End = at
			c.takeOdd(raw, odd, signed)
			return at
		case strings.Contains(line, "%%"):
			return -1
		}
		own := signedPart(line)
		for fact := range strings.SplitSeq(line[:own], factSep) {
			signed = c.take(fact) || signed
		}
		if own > 0 || !strings.HasPrefix(line, keyVersion+" ") || !c.take(line) {
			odd = append(odd, Edit{Start: start + own, End: at})
		}
	}
	return -1
}

// takeOdd keeps lines that are not ours, except rows of version 1 and torn rows.
func (c *Comment) takeOdd(raw []byte, odd []Edit, signed bool) {
	for _, e := range odd {
		line := strings.TrimRight(string(raw[e.Start:e.End]), "\r\n")
		taken := false
		if !signed {
			taken = true
			for fact := range strings.SplitSeq(line, factSep) {
				taken = c.take(fact) && taken
			}
		}
		if !taken && strings.TrimSpace(line) != "" {
			c.Foreign = append(c.Foreign, e)
		}
	}
}

// factSep is between the facts of a row, signMark in front of its fingerprint.
const (
	factSep  = " ¦ "
	signMark = factSep + "~"
)

// signedPart is how much of a line, from its start, is a row of ours with its fingerprint.
func signedPart(line string) int {
	for at := 0; ; {
		i := strings.Index(line[at:], signMark)
		if i < 0 {
			return 0
		}
		i += at
		if at = i + len(signMark) + printSize; at > len(line) {
			return 0
		}
		if signed(line[:i]) == line[:at] {
			return at
		}
		at = i + len(signMark)
	}
}

func signed(row string) string { return row + signMark + fingerprint(commentWord, row) }

func (c *Comment) take(line string) bool {
	key, coded, _ := strings.Cut(line, " ")
	value, ok := decodeFact(coded)
	first, rest, more := strings.Cut(value, " ")
	switch {
	case !ok:
		return false
	case key == keyProp && strings.Contains(first, "="):
		return c.takeProps(strings.Fields(value))
	case key == keyProp: // of version 1
		return IsPropertyKey(first) && c.takeProp(first, rest, more)
	case key == keyNav && value == "none":
		c.NoNav = true
	case key == keyVersion:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return false
		}
		c.Version = n
	case !strings.Contains(coded, " ") && plainKeys[key] || timedKeys[key]:
		f := Fact{key, value}
		if !f.isWhole() {
			return false
		}
		c.Facts = append(c.Facts, f)
	default:
		return false
	}
	return true
}

// takeProps takes fingerprints as Rows writes them: key=print,print of each property.
func (c *Comment) takeProps(props []string) bool {
	whole := true
	for _, p := range props {
		i := strings.LastIndexByte(p, '=')
		if i < 0 || !IsPropertyKey(p[:i]) {
			whole = false
			continue
		}
		prints := strings.Split(p[i+1:], ",")
		for _, print := range prints {
			whole = c.takeProp(p[:i], print, p[i+1:] != "") && whole
		}
	}
	return whole
}

func (c *Comment) takeProp(key, print string, some bool) bool {
	if some && len(print) != printSize {
		return false
	}
	if some {
		c.Prints[key] = append(c.Prints[key], print)
	} else if c.Prints[key] == nil {
		c.Prints[key] = []string{}
	}
	return true
}

// isWhole reports whether the fact can be read back.
func (f Fact) isWhole() bool {
	first, _, _ := strings.Cut(f.Value, " ")
	return plainKeys[f.Key] && f.Value != "" || timedKeys[f.Key] && isTime(first)
}

// isTime knows a time or date as the rows have them, and the sign that there is none.
func isTime(word string) bool {
	return word == "-" || len(word) >= 10 && word[4] == '-' && word[7] == '-' &&
		strings.Trim(word, "0123456789-T:") == ""
}

func (c *Comment) values(key string) (out []string) {
	if c == nil {
		return nil
	}
	for _, f := range c.Facts {
		if f.Key == key {
			out = append(out, f.Value)
		}
	}
	return out
}

// Forget drops the facts that quote a session.
func (c *Comment) Forget() {
	c.Facts = slices.DeleteFunc(slices.Clone(c.Facts), func(f Fact) bool { return timedKeys[f.Key] })
}

// Text is the whole comment with its rows.
func (c *Comment) Text() string {
	return "%% " + MarkerWord + " " + commentWord + "\n" + c.Rows() + "%%\n"
}

// Edits make the comment say what another does. Lines of others stay below the rows.
func (c *Comment) Edits(raw []byte, to Comment) []Edit {
	start, end := NextLine(raw, c.Start), bytes.LastIndex(raw[:c.End], []byte("%%"))
	rows := to.Rows()
	if len(c.Foreign) == 0 && string(ToLF(raw[start:end])) == rows {
		return nil
	}
	var edits []Edit
	for _, f := range append(slices.Clone(c.Foreign), Edit{Start: end}) {
		if f.Start > start || rows != "" {
			edits = append(edits, Edit{Start: start, End: f.Start, Text: rows})
		}
		start, rows = f.End, ""
	}
	return edits
}

// Rows are our lines in the comment.
func (c *Comment) Rows() string {
	var rows []string
	for _, f := range c.Facts {
		rows = append(rows, f.Key+" "+encodeFact(f.Value, plainKeys[f.Key]))
	}
	if len(c.Prints) > 0 {
		var props []string
		for key, prints := range c.Prints {
			props = append(props, key+"="+strings.Join(slices.Compact(slices.Sorted(slices.Values(prints))), ","))
		}
		slices.Sort(props)
		rows = append(rows, keyProp+" "+strings.Join(props, " "))
	}
	if c.NoNav {
		rows = append(rows, keyNav+" none")
	}
	slices.Sort(rows)
	var b strings.Builder
	b.WriteString(keyVersion + " " + strconv.Itoa(max(c.Version, Version)) + "\n")
	for row := range inRows(slices.Compact(rows)) {
		b.WriteString(signed(strings.Join(row, factSep)) + "\n")
	}
	return b.String()
}

// maxRow is how long a row gets, in bytes: facts that need more have a row for each of their keys.
const maxRow = 2000

func inRows(facts []string) iter.Seq[[]string] {
	size := 0
	for _, f := range facts {
		size += len(f) + len(factSep)
	}
	return func(yield func([]string) bool) {
		from := 0
		for i := range facts {
			last := i == len(facts)-1
			if !last && (size <= maxRow || keyOf(facts[i]) == keyOf(facts[i+1])) {
				continue
			}
			if !yield(facts[from : i+1]) {
				return
			}
			from = i + 1
		}
	}
}

func keyOf(fact string) string {
	key, _, _ := strings.Cut(fact, " ")
	return key
}

// ofWeb matches what ends in the scheme of an address that does no harm where an editor opens it.
var ofWeb = regexp.MustCompile(`(?i)(?:^|[^a-z0-9+.-])https?$`)

// encodeFact percent-encodes what could act or end the line; of a word blanks, too.
func encodeFact(text string, word bool) string {
	var b strings.Builder
	before := rune(0)
	text = strings.ToValidUTF8(text, "\uFFFD")
	for i, r := range text {
		switch {
		case r == ' ' && !word && before != ' ' && before != 0:
			b.WriteRune(r)
		case r == ':' && before != ':' && (!strings.HasPrefix(text[i:], "://") || ofWeb.MatchString(b.String()[max(0, b.Len()-len(" https")):])),
			r == '=' && before != '=',
			r != ' ' && r != ':' && r != '=' && unicode.IsPrint(r) && !strings.ContainsRune("%`#[]<{^$¦", r):
			b.WriteRune(r)
		default:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		before = r
	}
	if s, ok := strings.CutSuffix(b.String(), " "); ok {
		return s + "%20"
	}
	return b.String()
}

// decodeFact reads what encodeFact wrote, false for what it did not write.
func decodeFact(coded string) (string, bool) {
	if strings.IndexByte(coded, '%') < 0 {
		return coded, true
	}
	b := make([]byte, 0, len(coded))
	for i := 0; i < len(coded); i++ {
		c := coded[i]
		if c == '%' {
			if i+2 >= len(coded) {
				return "", false
			}
			n, err := strconv.ParseUint(coded[i+1:i+3], 16, 8)
			if err != nil {
				return "", false
			}
			c, i = byte(n), i+2
		}
		b = append(b, c)
	}
	return string(b), utf8.Valid(b)
}
