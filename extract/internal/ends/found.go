package ends

import "unicode"

// Found is something that a text leaves open, or shows as done.
type Found struct {
	Text string // markdown of one line
	How  How
	Done bool // a ticked box
}

// How tells in which form a text says it.
type How int

// The forms, the surest first.
const (
	Boxed  How = iota // a task box
	Led               // a paragraph or item behind a lead-in such as "Left open:"
	Passed            // a sentence that says so in passing
)

// tells says that a character can be what is open: a box may hold a number alone.
func (h How) tells(r rune) bool { return unicode.IsLetter(r) || h == Boxed && unicode.IsDigit(r) }
