package note

import (
	"strings"
	"unicode/utf8"
)

// ownBox is a line with a box of ours, "- [x] text ✅ 2026-11-22 ^open-447216", taken apart.
type ownBox struct {
	before string // "- ["
	Tick
	text   string // from the bracket on that closes the mark
	behind string // blanks and "^"
	id     string // of its block
	end    string // blanks and the end of the line
}

const blanks = " \t"

// ownBoxIn takes a line apart, false where it has no box of ours. It is read from its end, for the
// text may hold whatever stands around it.
func ownBoxIn(line string) (b ownBox, ok bool) {
	rest := strings.TrimRight(strings.TrimSuffix(line, "\n"), blanks)
	b.end = line[len(rest):]
	caret := strings.LastIndexByte(rest, '^')
	if caret < 0 || !isOwnBoxID(rest[caret+1:]) {
		return b, false
	}
	rest, b.id = rest[:caret], rest[caret+1:]
	item := strings.TrimLeft(rest, blanks)
	if len(item) < 3 || strings.IndexByte("-*+", item[0]) < 0 || item[1:3] != " [" {
		return b, false
	}
	b.before = rest[:len(rest)-len(item)+3]
	mark, n := utf8.DecodeRuneInString(item[3:])
	words, closed := strings.CutPrefix(item[3+n:], "] ")
	shown := strings.TrimRight(words, blanks)
	if mark == ']' || !closed || len(shown) == len(words) {
		return b, false
	}
	b.Mark, b.behind = item[3:3+n], words[len(shown):]+"^"
	at := signsIn(shown)
	b.text, b.Signs = "] "+shown[:at], shown[at:]
	return b, true
}

func isOwnBoxID(id string) bool {
	digits, ok := strings.CutPrefix(id, "open-")
	return ok && digits != "" && strings.Trim(digits, "0123456789abcdef-") == ""
}

// signsIn is where the signs of plugins begin that end the text of a box, with the blanks before
// them; its end where there are none. A sign without its date is a word of the text.
func signsIn(text string) int {
	end := len(text)
	for {
		at := lastSign(text[:end])
		before := strings.TrimRight(text[:max(at, 0)], blanks)
		if at < 0 || len(before) == at { // no blank parts it from the text
			return end
		}
		end = len(before)
	}
}

// lastSign is where the sign begins that ends a text, -1 where none does: "✅ 2026-11-22" or
// "[completion:: 2026-11-22]".
func lastSign(text string) int {
	const completion = "[completion::"
	if inner, ok := strings.CutSuffix(text, "]"); ok {
		from := strings.LastIndexAny(inner, "]^") + 1
		for _, blank := range blanks {
			if i := strings.Index(inner[from:], string(blank)+completion); i >= 0 {
				return from + i + 1
			}
		}
		return -1
	}
	at := len(text) - len("2026-11-22")
	if at < 0 || !isDate(text[at:]) {
		return -1
	}
	shown := strings.TrimRight(text[:at], blanks)
	for _, sign := range []string{"✅", "❌", "➕"} {
		if rest, ok := strings.CutSuffix(shown, sign); ok {
			return len(rest)
		}
	}
	return -1
}

func isDate(text string) bool {
	for i := range len(text) {
		if dash := i == 4 || i == 7; dash != (text[i] == '-') || !dash && (text[i] < '0' || text[i] > '9') {
			return false
		}
	}
	return true
}

func (b *ownBox) appendTo(out *strings.Builder) {
	for _, part := range []string{b.before, b.Mark, b.text, b.Signs, b.behind, b.id, b.end} {
		out.WriteString(part)
	}
}
