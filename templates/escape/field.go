package escape

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Dataview makes fields of "key:: value", also in code. In prose a backslash helps, in code only
// another character: a colon gives way to its look-alike where Dataview would find a key.
const fieldBreak = ":\u2236"

// fieldWatch reads a line as Dataview does, to know whether "::" makes a field.
type fieldWatch struct {
	stage keyStage
	open  bool // the bracket nearest before this place opens, and has no field yet
	named bool // a key stands behind that bracket
}

// keyStage is how far a line goes as a key: signs, words, signs of emphasis.
type keyStage byte

const (
	beforeKey keyStage = iota
	inKey
	behindKey
	noKey
	anyStage // nobody knows what stands before
)

// watchAnywhere is the watch for text behind something unknown.
func watchAnywhere() fieldWatch { return fieldWatch{stage: anyStage, open: true, named: true} }

// pass reads on. It takes time in proportion to s.
func (w *fieldWatch) pass(s string) {
	for i := 0; i < len(s); {
		c, n := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(s[i:])
		}
		if c == ':' && strings.HasPrefix(s[i:], "::") {
			w.separate()
			n = 2
		} else {
			w.step(c)
		}
		i += n
	}
}

func (w *fieldWatch) step(c rune) {
	switch c {
	case '[', '(':
		w.open, w.named = true, false
	case ']', ')':
		w.open = false
	case ' ', '\t':
	default:
		w.named = true
	}
	word := c == '_' || isKeyLetter(c)
	switch {
	case (w.stage == beforeKey || w.stage == anyStage) && word:
		w.stage = inKey
	case w.stage == anyStage && c < utf8.RuneSelf && !strings.ContainsRune(" \t-/*~`", c):
		w.stage = beforeKey
	case w.stage == inKey && strings.ContainsRune("*~`", c):
		w.stage = behindKey
	case w.stage == inKey && !word && c < utf8.RuneSelf && !strings.ContainsRune(" \t-/", c),
		w.stage == behindKey && c < utf8.RuneSelf && !strings.ContainsRune("_*~` \t", c):
		w.stage = noKey
	}
}

// isKeyLetter reports whether a key can start with r.
func isKeyLetter(r rune) bool {
	return r < utf8.RuneSelf && isWord(byte(r)) || r >= utf8.RuneSelf && unicode.IsLetter(r)
}

// live reports whether "::" would start a field here.
func (w *fieldWatch) live() bool {
	return w.stage != beforeKey && w.stage != noKey || w.open && w.named
}

func (w *fieldWatch) separate() {
	w.stage, w.open = noKey, false
}

// reveals reports whether code has a field in it, read from this place on.
func (w fieldWatch) reveals(code string) bool {
	for {
		i := strings.Index(code, "::")
		if i < 0 {
			return false
		}
		w.pass(code[:i])
		if w.live() {
			return true
		}
		w.separate()
		code = code[i+2:]
	}
}

func defuseFields(s string) string {
	if !strings.Contains(s, "::") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for line := range strings.Lines(s) {
		var w fieldWatch
		closed := len(line) - 1 - strings.LastIndexAny(line, ")]") // bytes behind the last closing bracket
		for {
			i := strings.Index(line, "::")
			if i < 0 {
				break
			}
			w.pass(line[:i])
			b.WriteString(line[:i])
			if w.live() && (w.stage != noKey || closed < len(line)-i-2) {
				b.WriteString(fieldBreak)
				w.pass(fieldBreak)
			} else {
				b.WriteString("::")
				w.separate()
			}
			line = line[i+2:]
		}
		b.WriteString(line)
	}
	return b.String()
}
