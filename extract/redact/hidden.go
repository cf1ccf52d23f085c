package redact

import (
	"sort"
	"strings"
)

// A secret may be torn apart: by the colours of a terminal, by characters nobody
// sees, by the escapes of JSON and of URLs, by the line ends a terminal or a mail
// makes. Where a break is in the middle of something, the text around it is put
// together, searched as any other, and the whole stretch is masked.
//
// Not put together: what is packed or encoded as a whole (base64 but of
// credentials and private keys), what two lines hold that are shorter than
// shortWrap, and what code makes of several strings.

func (m *Masker) hidden(found []secret, set *ruleSet, s string) []secret {
	for p := range pieces(s) {
		r := &textBreaks{s: s[:p.to], at: p.from, line: p.from}
		for r.next(); r.ok; {
			found = m.lookAt(found, set, nextView(r, p.from), r.s)
		}
	}
	return found
}

func (m *Masker) lookAt(found []secret, set *ruleSet, v *view, s string) []secret {
	for _, part := range v.parts() {
		for _, f := range inOrder(m.scan(nil, set, v.text[part.from:part.to])) {
			f.span = span{part.from + f.from, part.from + f.to}
			at := v.untorn(f)
			text := v.text[at.from:at.to]
			src := span{v.source(at.from), v.sourceEnd(at.to)}
			if src.to == v.end && at == f.span {
				src.to = run(s, src.to, isBase64URL)
			}
			found = append(found, secret{src, f.rule, text, f.lowConfidence})
		}
	}
	return found
}

// parts are the whole view and, where some of its breaks may part two words, what lies between those: not all
// around a token that something tears has to belong to it.
func (v *view) parts() []span {
	all := []span{{0, len(v.text)}}
	from := 0
	for _, k := range v.marks {
		if k.doubt {
			all = append(all, span{from, k.i})
			from = k.i
		}
	}
	if from > 0 {
		all = append(all, span{from, len(v.text)})
	}
	return all
}

type view struct {
	text  string
	marks []mark
	end   int // of what it shows, in the source
}

// mark says that view[i:] shows source[at:], up to the next mark.
type mark struct {
	i, at       int
	wrap, doubt bool // of the break in front of it
}

// nextView puts together what lies around the break that was read and around those
// close by. Nothing before floor is shown. What two views both show is short: a token that
// begins at the end of one is whole in the next.
func nextView(r *textBreaks, floor int) *view {
	const longestToken = 4096 // how far something without a blank is shown, in bytes
	const around = 96         // bytes in front and behind that are shown
	s, shown := r.s, func(c byte) bool { return c > ' ' }
	from := max(floor, back(s, r.from, max(floor, r.from-longestToken), shown)-around)
	var b strings.Builder
	v := &view{marks: []mark{{at: from}}}
	last := from
	for {
		b.WriteString(s[last:r.from])
		if r.with != 0 {
			v.marks = append(v.marks, mark{i: b.Len(), at: r.from})
			b.WriteByte(r.with)
		}
		last = r.to
		v.marks = append(v.marks, mark{b.Len(), last, r.wrap, r.doubt})
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

// source is the offset in the source of the byte of the view at i.
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

// untorn takes from a secret the words of a next line that only are behind it.
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

// isName recognizes token_accessor and two-words.
func isName(s string) bool {
	return run(s, 0, func(c byte) bool { return isLower(c) || c == '_' || c == '-' }) == len(s) && isLower(s[0]) && isLower(s[len(s)-1])
}
