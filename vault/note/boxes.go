package note

import (
	"maps"
	"strings"
)

// Box is a task box of a note.
type Box struct {
	Section string // text of the nearest heading above
	Text    string // inline markdown after the box
	Ticked  bool
	ID      string `json:",omitempty"` // of its block, where it is one of ours
}

// Boxes returns the task boxes of a markdown text in order. Boxes in fenced
// code and in quotes do not count: those are quoted, not meant.
func Boxes(text string) []Box {
	var boxes []Box
	var section, fence string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if fence != "" {
			if strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		switch line[0] {
		case '`', '~':
			fence = openFence(line)
		case '#':
			if title, ok := heading(line); ok {
				section = title
			}
		default:
			if box, ok := taskBox(line); ok {
				box.Section = section
				boxes = append(boxes, box)
			}
		}
	}
	return boxes
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
	if len(line)-len(rest) > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
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

// Ticks are the marks of boxes of ours by the id of their block, such as "open-447216": how their
// user left them. A mark is what stands between the brackets, and behind it the signs that plugins
// add to a task that is done.
//
// The mark of such a box is no part of our text. Whether it is ticked is a fact that its user
// tells, so it neither counts as an edit of the region nor stands in the way of one of ours.
type Ticks map[string]Tick

// Tick is the mark of a box.
type Tick struct {
	Mark  string // one character
	Signs string // " ✅ 2026-11-22", empty: none
}

// IsOpen says that the box is not ticked.
func (t Tick) IsOpen() bool { return t.Mark == " " }

// TicksIn finds the boxes of ours in a text. One that stands there twice is a copy by its user,
// and none of ours.
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

// Set is a text with the boxes of ours marked so.
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

// eachOwnBox has the boxes of ours in a text changed, but for those in fenced code.
func eachOwnBox(text string, change func(*ownBox)) string {
	if !strings.Contains(text, "^open-") {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	fence := ""
	for line := range strings.Lines(text) {
		plain := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(plain, fence) && strings.Trim(plain, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(plain, "```"), strings.HasPrefix(plain, "~~~"):
			fence = openFence(plain)
		case strings.Contains(line, "^open-"):
			if box, ok := ownBoxIn(line); ok {
				change(&box)
				box.appendTo(&out)
				continue
			}
		}
		out.WriteString(line)
	}
	return out.String()
}
