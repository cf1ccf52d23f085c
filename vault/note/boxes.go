package note

import (
	"maps"
	"strings"
	"unicode/utf8"
)

// Box is a task box of a note.
type Box struct {
	Section string // text of the nearest heading above
	Text    string // inline markdown after the box
	Ticked  bool
	ID      string `json:",omitempty"` // of its block, where it is one of ours
}

// Boxes returns the task boxes of a text, but for those in fenced code and quotes.
func Boxes(text string) []Box {
	var boxes []Box
	var section string
	eachLine(text, func(line string, code bool) {
		line = strings.TrimSpace(line)
		if code || line == "" {
			return
		}
		if title, ok := heading(line); ok {
			section = title
		} else if box, ok := taskBox(line); ok {
			box.Section = section
			boxes = append(boxes, box)
		}
	})
	return boxes
}

// eachLine visits the lines of a text, and tells those of fenced code.
func eachLine(text string, visit func(line string, code bool)) {
	fence := ""
	for line := range strings.Lines(text) {
		plain, code := strings.TrimSpace(line), fence != ""
		switch {
		case code && strings.HasPrefix(plain, fence) && strings.Trim(plain, fence[:1]) == "":
			fence = ""
		case !code && plain != "" && (plain[0] == '`' || plain[0] == '~'):
			fence = openFence(plain)
		}
		visit(line, code || fence != "")
	}
}

// openFence returns the run of backticks or tildes that opens fenced code.
func openFence(line string) string {
	rest := strings.TrimLeft(line, line[:1])
	run := line[:len(line)-len(rest)]
	if len(run) < 3 || run[0] == '`' && strings.Contains(rest, "`") {
		return ""
	}
	return run
}

func heading(line string) (string, bool) {
	rest := strings.TrimLeft(line, "#")
	if level := len(line) - len(rest); level == 0 || level > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), "#")), true
}

func taskBox(line string) (Box, bool) {
	rest := strings.TrimLeft(line, "0123456789")
	switch {
	case rest == "":
		return Box{}, false
	case len(rest) < len(line) && rest[0] != '.' && rest[0] != ')':
		return Box{}, false
	case len(rest) == len(line) && rest[0] != '-' && rest[0] != '*' && rest[0] != '+':
		return Box{}, false
	}
	rest = rest[1:]
	inner := strings.TrimLeft(rest, " \t")
	if len(inner) == len(rest) || !strings.HasPrefix(inner, "[") {
		return Box{}, false
	}
	mark, text, ok := strings.Cut(inner[1:], "]")
	if !ok || len([]rune(mark)) != 1 || !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") {
		return Box{}, false
	}
	box := Box{Text: strings.TrimSpace(text), Ticked: mark != " "}
	if !strings.Contains(line, "^open-") {
		return box, box.Text != ""
	}
	if own, ok := ownBoxIn(line); ok {
		box.ID, box.Text = own.id, strings.TrimSpace(own.text[1:])
	}
	return box, box.Text != ""
}

// Ticks are the marks of our boxes by block id, such as "open-447216": what is between the
// brackets, and signs of plugins behind. They are facts that the user tells: neither an edit of the
// region nor in the way of one of ours.
type Ticks map[string]Tick

// Tick is the mark of a box.
type Tick struct {
	Mark  string // one character
	Signs string // " ✅ 2026-11-22", empty: none
}

// IsOpen reports whether the box is unticked.
func (t Tick) IsOpen() bool { return t.Mark == " " }

// TicksIn finds our boxes in a text. One that is there twice is a copy by its user.
func TicksIn(text string) Ticks {
	var out Ticks
	twice := map[string]bool{}
	eachOwnBox(text, func(b *ownBox) {
		if _, known := out[b.id]; known {
			twice[b.id] = true
		} else if out == nil {
			out = Ticks{}
		}
		out[b.id] = b.Tick
	})
	maps.DeleteFunc(out, func(id string, _ Tick) bool { return twice[id] })
	return out
}

// Open are the same boxes without their ticks, as we write them.
func (t Ticks) Open() Ticks {
	out := Ticks{}
	for id := range t {
		out[id] = Tick{Mark: " "}
	}
	return out
}

// Set marks our boxes in a text.
func (t Ticks) Set(text string) string {
	if len(t) == 0 {
		return text
	}
	return eachOwnBox(text, func(b *ownBox) {
		if tick, known := t[b.id]; known {
			b.Tick = tick
		}
	})
}

// eachOwnBox changes our boxes in a text, except in fenced code.
func eachOwnBox(text string, change func(*ownBox)) string {
	if !strings.Contains(text, "^open-") {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	eachLine(text, func(line string, code bool) {
		if box, ok := ownBoxIn(line); ok && !code {
			change(&box)
			box.appendTo(&out)
		} else {
			out.WriteString(line)
		}
	})
	return out.String()
}

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

// ownBoxIn takes a line apart from its end, for the text may hold anything.
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

// signsIn is where the signs of plugins at the end of a box begin, with blanks.
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

// lastSign is where a last "✅ 2026-11-22" or "[completion:: 2026-11-22]" begins, or -1.
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
