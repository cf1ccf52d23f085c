package redact

import (
	"encoding/base64"
	"sort"
	"strings"
)

// A secret may be torn apart: by the colours of a terminal, by characters nobody
// sees, by the escapes of JSON and of URLs, by the line ends a terminal or a mail
// makes. Where a break lies in the middle of something, the text around it is put
// together, searched as any other, and the whole stretch is masked.
//
// Not put together: what is packed or encoded as a whole (base64 but of
// credentials and private keys), what two lines hold that are shorter than
// shortWrap, and what code makes of several strings.

func (m *Masker) hidden(found []secret, set *ruleSet, s string) []secret {
	for p := range pieces(s) {
		r := &textBreaks{s: s[:p.to], at: p.from, line: p.from}
		floor := p.from
		for r.next(); r.ok; {
			v := nextView(r, floor)
			found = m.lookAt(found, set, v, r.s)
			floor = v.end
		}
	}
	return found
}

func (m *Masker) lookAt(found []secret, set *ruleSet, v *view, s string) []secret {
	for _, f := range inOrder(m.scan(nil, set, v.text)) {
		at := v.untorn(f)
		text := v.text[at.from:at.to]
		src := span{v.source(at.from), v.sourceEnd(at.to)}
		if src.to == v.end && at == f.span {
			src.to = run(s, src.to, isBase64URL)
		}
		found = append(found, secret{src, f.rule, text, f.lowConfidence})
	}
	return found
}

type view struct {
	text  string
	marks []mark
	end   int // of what it shows, in the source
}

// mark tells that view[i:] shows source[at:], up to the next mark.
type mark struct {
	i, at int
	wrap  bool
}

// nextView puts together what lies around the break that was read and around those
// close by. Nothing before floor is shown.
func nextView(r *textBreaks, floor int) *view {
	const longestToken = 4096 // how far something without a blank is shown, in bytes
	const around = 96         // bytes in front and behind that are shown
	s, shown := r.s, func(c byte) bool { return c > ' ' }
	from := max(floor, back(s, r.from, max(floor, r.from-longestToken), shown)-around)
	var b strings.Builder
	v := &view{marks: []mark{{0, from, false}}}
	last := from
	for {
		b.WriteString(s[last:r.from])
		if r.with != 0 {
			v.marks = append(v.marks, mark{b.Len(), r.from, false})
			b.WriteByte(r.with)
		}
		last = r.to
		v.marks = append(v.marks, mark{b.Len(), last, r.wrap})
		v.end = min(len(s), run(s[:min(len(s), last+longestToken)], last, shown)+around) // where the text goes on without a blank, and some more
		if r.next(); !r.ok || r.from >= v.end {
			break
		}
	}
	b.WriteString(s[last:v.end])
	v.text = b.String()
	return v
}

// markOf is the number of the last mark at or before i.
func (v *view) markOf(i int) int {
	return sort.Search(len(v.marks), func(n int) bool { return v.marks[n].i > i }) - 1
}

// source is where the byte of the view at i comes from.
func (v *view) source(i int) int {
	k := v.marks[v.markOf(i)]
	return k.at + i - k.i
}

// sourceEnd is where the source of view[:i] ends.
func (v *view) sourceEnd(i int) int {
	n := v.markOf(i - 1)
	if n+1 < len(v.marks) && v.marks[n+1].i == i && v.marks[n].i == i-1 {
		return v.marks[n+1].at // an escape
	}
	return v.source(i-1) + 1
}

// untorn takes from a secret the words of a next line that only stand behind it.
func (v *view) untorn(f secret) span {
	const whole = 40 // bytes of a token of GitHub but for the fine-grained ones
	sp := f.span
	for n := v.markOf(sp.to - 1); n > 0 && v.marks[n].i > sp.from; n-- {
		k := v.marks[n]
		if !k.wrap {
			continue
		}
		tail := statsOf(v.text[k.i:sp.to])
		full := f.rule == "github-token" && k.i-sp.from == whole && v.text[sp.from+3] == '_'
		if !full && (tail.digits > 0 || tail.mixed || tail.letters > 16) || tail.others > 0 && !isName(v.text[k.i:sp.to]) {
			break
		}
		sp.to = k.i
	}
	return sp
}

// isName tells token_accessor and two-words.
func isName(s string) bool {
	return run(s, 0, func(c byte) bool { return isLower(c) || c == '_' || c == '-' }) == len(s) && isLower(s[0]) && isLower(s[len(s)-1])
}

// Bounds of what is decoded, in bytes of base64.
const (
	leastEncoded = 40 // a run that is looked at
	sampled      = 64 // its start has to be text, or it is not decoded further
	leastLine    = 60 // of a line that the next one goes on
)

// encoded adds the runs of base64 that hold a secret when they are decoded: the
// whole run is masked, for who has a part of it has a part of the secret. What is
// encoded twice or packed is not found.
func (m *Masker) encoded(found []secret, set *ruleSet, s string) []secret {
	for p := range pieces(s) {
		for at := p.from; ; {
			run := nextEncoded(s[:p.to], at)
			if run.to == 0 {
				break
			}
			at = run.to
			if text := decoded(s[run.from:run.to]); text != "" {
				found = m.addEncoded(found, set, s, run, text)
			}
		}
	}
	return found
}

func (m *Masker) addEncoded(found []secret, set *ruleSet, s string, run span, text string) []secret {
	inside := m.scan(nil, set, text)
	for i := range set.whole {
		inside = m.searchAll(inside, &set.whole[i], text)
	}
	if len(inside) == 0 {
		return found
	}
	return append(found, secret{run, "encoded-secret", s[run.from:run.to], true})
}

// nextEncoded is the next run at or after i. It looks at each leastEncoded-th byte
// until it meets one.
func nextEncoded(s string, i int) span {
	for at := i + leastEncoded - 1; at < len(s); at += leastEncoded {
		if !isBase64Byte(s[at]) {
			continue
		}
		from := run(s[:at], back(s, at, i, isBase64Byte), func(c byte) bool { return !isAlnum(c) }) // the "+" of a diff
		end := run(s, at, isBase64Byte)
		if end-from < leastEncoded {
			continue
		}
		for end-from-1-strings.LastIndexAny(s[from:end], " \t\n>|") >= leastLine {
			next := run(s[:min(len(s), end+leastEncoded)], end, func(c byte) bool { return strings.IndexByte(" \t\r\n>|\\", c) >= 0 })
			more := run(s, next, isBase64Byte)
			if next == end || !strings.Contains(s[end:next], "\n") || more == next || more < len(s) && strings.IndexByte("=\r\n\"'", s[more]) < 0 {
				break
			}
			end = more
		}
		return span{from, run(s, end, func(c byte) bool { return c == '=' })}
	}
	return span{}
}

func isBase64Byte(c byte) bool { return isBase64URL(c) || c == '+' || c == '/' }

// decoded is the text that a run stands for, nothing if it stands for none.
func decoded(s string) string {
	const longest = 1 << 20 // what a longer run has behind is not looked at
	if !isText(decode(s[:min(len(s), sampled)])) {
		return ""
	}
	return string(decode(s[:min(len(s), longest)]))
}

func decode(s string) []byte {
	letters := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == '-':
			letters = append(letters, '+')
		case c == '_':
			letters = append(letters, '/')
		case isBase64Byte(c):
			letters = append(letters, c)
		}
	}
	if len(letters)%4 == 1 { // stands for nothing
		letters = letters[:len(letters)-1]
	}
	text, err := base64.RawStdEncoding.AppendDecode(nil, letters)
	if err != nil {
		return nil
	}
	return text
}

// isText tells the start of a text from bytes: no control characters, and hardly
// anything that is not ASCII.
func isText(s []byte) bool {
	const odd = 8 // one byte in so many may be beyond ASCII
	beyond := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' && c != '\n' && c != '\t' && c != '\r', c == 0x7f:
			return false
		case c > 0x7f:
			beyond++
		}
	}
	return len(s) > 0 && beyond*odd <= len(s)
}
