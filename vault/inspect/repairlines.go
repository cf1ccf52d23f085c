package inspect

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/vault/note"
)

// whole is the note as we last wrote it, where that is known and either nothing
// else was last seen, or the file cannot be kept up to date and all that stands in
// it is the note's beginning, be it damaged.
func (k LastKnown) whole(raw []byte) (text []byte, ok bool) {
	if k.Props == nil || k.Body == nil {
		return nil, false
	}
	plain := k.written()
	if k.Hash != "" && k.Hash == note.Hash(plain) {
		return plain, true
	}
	if k.sound(raw) {
		return nil, false
	}
	eol := "\n"
	if bytes.HasPrefix(raw, note.ByteOrderMark) {
		text, raw = append(text, note.ByteOrderMark...), raw[len(note.ByteOrderMark):]
	}
	if bytes.Contains(raw, []byte("\r\n")) {
		eol = "\r\n"
	}
	wrote := bareLines(plain)
	stands := bareLines(raw)
	for len(stands) > 0 && blankLine(stands[len(stands)-1]) {
		stands = stands[:len(stands)-1]
	}
	if len(stands) > len(wrote) {
		return nil, false
	}
	for i, line := range stands {
		last := i == len(stands)-1
		if line != wrote[i] && !damagedForm(line, wrote[i]) && (!last || !strings.HasPrefix(wrote[i], line)) {
			return nil, false
		}
	}
	return append(text, note.Splice(nil, eol, []note.Edit{{Text: string(plain)}})...), true
}

// written is the text of the note as we last wrote it.
func (k LastKnown) written() []byte {
	return note.Render(note.Content{ID: k.ID, Props: k.Props, Body: k.Body, Nav: k.Nav})
}

// bareLines are the lines of a text without their ends.
func bareLines(text []byte) []string {
	all := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// blankLine says that nothing is left of a line.
func blankLine(s string) bool { return strings.Trim(s, "\x00 \r") == "" }

// bad says that a line holds what no editor writes.
func bad(s string) bool { return strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) }

// damagedForm says that a line is another one with some bytes destroyed: NULs and
// broken characters in place of what stood there, or NULs from some point on.
func damagedForm(line, whole string) bool {
	if !bad(line) {
		return false
	}
	if rest := strings.TrimRight(line, "\x00"); len(rest) < len(line) && strings.HasPrefix(whole, rest) {
		return true
	}
	if len(line) != len(whole) {
		return false
	}
	gone := destroyed(line)
	for i := range len(line) {
		if line[i] != whole[i] && !gone[i] {
			return false
		}
	}
	return true
}

// destroyed tells which bytes of a line no editor writes: NULs, and what is no
// UTF-8. A character of whatever script is somebody's word.
func destroyed(line string) []bool {
	out := make([]bool, len(line))
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		out[i] = r == 0 || r == utf8.RuneError && size == 1
		i += size
	}
	return out
}

// repairLines puts back lines of ours that are damaged, each where it is the damaged
// form of one line alone.
func (k LastKnown) repairLines(raw []byte) []byte {
	if !bad(string(raw)) || k.Body == nil || k.Props == nil {
		return raw
	}
	plain := string(k.written())
	var edits []note.Edit
	for at := 0; at < len(raw); at = note.NextLine(raw, at) {
		end := at + len(bytes.TrimRight(raw[at:note.NextLine(raw, at)], "\r\n"))
		if whole, sure := wholeForm(string(raw[at:end]), plain); sure {
			edits = append(edits, note.Edit{Start: at, End: end, Text: whole})
		}
	}
	return note.Splice(raw, "\n", edits)
}

// wholeForm finds the one place of a text that a line is the damaged form of. Ends
// of lines may have been destroyed too: then it is several lines.
func wholeForm(line, plain string) (whole string, sure bool) {
	if !bad(line) {
		return "", false
	}
	for at := 0; at < len(plain); {
		next := at + strings.IndexByte(plain[at:], '\n') + 1
		for _, end := range []int{next - 1, at + len(line)} {
			if end < at || end >= len(plain) || plain[end] != '\n' || !damagedForm(line, plain[at:end]) {
				continue
			}
			if sure && plain[at:end] != whole {
				return "", false
			}
			whole, sure = plain[at:end], true
		}
		at = next
	}
	return whole, sure
}
