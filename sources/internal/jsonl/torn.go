package jsonl

import "bytes"

// torn is a record that has no end on its line: a program wrote line ends into its texts as they
// are. The lines that follow are its rest, as long as they do not begin a record.
type torn struct {
	parts [][]byte
	size  int
	tries int
}

// Bounds of what is joined.
const (
	maxTorn  = 1 << 20 // bytes
	maxTries = 64
)

func (l *Log[R]) hold(line []byte) bool {
	if len(line) > maxTorn || !bytes.HasPrefix(bytes.TrimLeft(line, blank), []byte("{")) {
		return false
	}
	l.torn = torn{parts: [][]byte{bytes.Clone(line)}, size: len(line)}
	return true
}

// goOn takes in a line that may be the rest of a record, and reports whether it is.
func (l *Log[R]) goOn(line []byte) bool {
	t := &l.torn
	if t.size += len(line); t.size > maxTorn || t.tries > maxTries || l.begins(line) {
		l.giveUp()
		return false
	}
	t.parts = append(t.parts, bytes.Clone(line))
	if pretty := len(t.parts[0]) == 1; !ends(line) && (!pretty || !bytes.Equal(line, []byte("}"))) {
		return true
	}
	t.tries++
	for _, between := range []string{`\n`, "\n"} { // within a text, or between tokens
		if whole := bytes.Join(t.parts, []byte(between)); l.whole(whole) {
			l.torn = torn{}
			l.take(true)
			return true
		}
	}
	return true
}

func (l *Log[R]) begins(line []byte) bool {
	for _, h := range l.Heads {
		if bytes.HasPrefix(line, []byte(h)) {
			return true
		}
	}
	counted := l.Decoder.Misfits
	l.Decoder.Misfits = nil
	defer func() { l.Decoder.Misfits = counted }()
	size, ok := l.read(line)
	return ok && size > 0 && bytes.HasPrefix(line, []byte("{")) && len(line) > 2
}

func ends(line []byte) bool {
	line = bytes.TrimRight(line, blank)
	n := len(line)
	return n > 1 && line[n-1] == '}' && bytes.IndexByte([]byte(`"}]0123456789el`), line[n-2]) >= 0
}

// giveUp counts a record whose end was not found. The lines behind its beginning may hold others.
func (l *Log[R]) giveUp() {
	parts := l.torn.parts
	if l.torn = (torn{}); parts == nil {
		return
	}
	l.take(false)
	for _, line := range parts[1:] {
		if l.records(line); l.torn.parts != nil { // it has no end either
			l.torn = torn{}
			l.take(false)
		}
	}
}
