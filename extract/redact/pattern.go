package redact

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
	"unicode"
)

// pattern is a regular expression that is only run where what it looks for can
// stand: it knows which bytes the secret is made of and how many it has at least.
type pattern struct {
	least   int       // bytes of the shortest secret
	most    int       // bytes of the longest, as far as the pattern bounds them
	allowed [256]bool // bytes secrets are made of
	group   int       // of the secret; 0: the first that is not empty, or the whole match
	whole   bool      // the whole match is the secret, whatever groups there are
	tree    *syntax.Regexp
	re      func() *regexp.Regexp // compiled when first needed
	at0     func() *regexp.Regexp // the same, for matches at the start
}

// wholeMatch in place of a group says that the groups are parts of the secret.
const wholeMatch = -1

// newPattern reads a regular expression. group is that of the secret, 0 for the
// first one, or wholeMatch.
func newPattern(source string, group int) (*pattern, error) {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("read the pattern %q: %w", source, err)
	}
	p := &pattern{group: group, tree: tree}
	secrets := groupsOf(tree, group)
	if p.whole = group == wholeMatch; p.whole || len(secrets) == 0 {
		secrets = []*syntax.Regexp{tree}
	}
	for i, secret := range secrets {
		least, most := p.measure(secret)
		if i == 0 || least < p.least {
			p.least = least
		}
		p.most = max(p.most, most)
	}
	p.re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
	p.at0 = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(?:" + source + ")") })
	return p, nil
}

func groupsOf(re *syntax.Regexp, number int) []*syntax.Regexp {
	if re.Op == syntax.OpCapture && (number == 0 || re.Cap == number) {
		return []*syntax.Regexp{re}
	}
	var groups []*syntax.Regexp
	for _, sub := range re.Sub {
		groups = append(groups, groupsOf(sub, number)...)
	}
	return groups
}

// measure returns the least and the greatest number of ASCII bytes that re matches; the bytes it may match
// are added to the allowed ones.
func (p *pattern) measure(re *syntax.Regexp) (least, most int) {
	const unbounded = 1 << 20
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			p.allow(r, r)
			if re.Flags&syntax.FoldCase != 0 && isLetter(byte(min(r, 0x7f))) {
				p.allow(r^0x20, r^0x20)
			}
		}
		return len(re.Rune), len(re.Rune)
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			p.allow(re.Rune[i], re.Rune[i+1])
		}
		return 1, 1
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		p.allow(0, 0xff)
		return 1, 1
	}
	smallest, greatest := unbounded, 0
	for _, sub := range re.Sub {
		l, m := p.measure(sub)
		least, most = least+l, min(most+m, unbounded)
		smallest, greatest = min(smallest, l), max(greatest, m)
	}
	switch re.Op {
	case syntax.OpAlternate:
		return smallest, greatest
	case syntax.OpQuest:
		return 0, most
	case syntax.OpStar:
		return 0, unbounded
	case syntax.OpPlus:
		return least, unbounded
	case syntax.OpRepeat:
		if re.Max < 0 {
			return least * re.Min, unbounded
		}
		return least * re.Min, min(most*re.Max, unbounded)
	}
	return least, most // of an anchor, none
}

// allow adds the runes from lo to hi; those beyond ASCII are taken together.
func (p *pattern) allow(lo, hi rune) {
	for r := lo; r <= min(hi, 0x7f); r++ {
		p.allowed[r] = true
	}
	if hi > 0x7f {
		for c := 0x80; c <= 0xff; c++ {
			p.allowed[c] = true
		}
	}
}

// startsWith reports whether a match can start with the word, ignoring case: the search can begin
// at the word then.
func (p *pattern) startsWith(word string) bool {
	return spelled(p.tree, word, 1)>>len(word) == 1
}

// spelled returns how much of a word can stand before the end of a match of re, as a set of lengths: begun is
// that for its start. Anything may follow the whole word.
func spelled(re *syntax.Regexp, word string, begun uint64) (ended uint64) {
	least, most := 1, 1
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			begun = spelledBy([]rune{r, r}, word, begun)
		}
		return begun
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return spelledBy(re.Rune, word, begun)
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			ended |= spelled(sub, word, begun)
		}
		return ended
	case syntax.OpQuest:
		least = 0
	case syntax.OpStar:
		least, most = 0, len(word)
	case syntax.OpPlus:
		most = len(word)
	case syntax.OpRepeat:
		least, most = re.Min, max(re.Min, len(word))
	}
	for i := range most {
		if i >= least {
			ended |= begun
		}
		for _, sub := range re.Sub {
			begun = spelled(sub, word, begun)
		}
	}
	return ended | begun
}

// spelledBy is spelled for one letter out of some ranges.
func spelledBy(ranges []rune, word string, begun uint64) (ended uint64) {
	const few = 4 // letters a place of the word may have; more, and it is no word of the pattern's
	for i, c := range word {
		n, matches := 0, false
		for k := 0; k < len(ranges) && begun>>i&1 == 1; k += 2 {
			lo, hi, upper := ranges[k], ranges[k+1], unicode.ToUpper(c)
			n += int(hi-lo) + 1
			matches = matches || lo <= c && c <= hi || lo <= upper && upper <= hi
		}
		if matches && n <= few {
			ended |= 1 << (i + 1)
		}
	}
	return ended | begun&(1<<len(word))
}

func leading(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCapture, syntax.OpConcat:
		return leading(re.Sub[0])
	}
	return ""
}

// holds reports whether s[i:] starts with enough bytes for a secret.
func (p *pattern) holds(s string, i int) bool {
	if len(s)-i < p.least {
		return false
	}
	for _, c := range []byte(s[i : i+p.least]) {
		if !p.allowed[c] {
			return false
		}
	}
	return true
}

// surrounds reports whether the run of bytes of secrets around s[from:to] is long
// enough for one. It looks no further than that.
func (p *pattern) surrounds(s string, from, to int) bool {
	for _, c := range []byte(s[from:to]) {
		if !p.allowed[c] {
			return true // the word stands beside the secret
		}
	}
	for n := to - from; n < p.least; n++ {
		switch {
		case from > 0 && p.allowed[s[from-1]]:
			from--
		case to < len(s) && p.allowed[s[to]]:
			to++
		default:
			return false
		}
	}
	return true
}

// secretIn returns the secret of a match, as offsets of the groups, moved by base.
func (p *pattern) secretIn(groups []int, base int) (secret, match span) {
	match = span{base + groups[0], base + groups[1]}
	if p.whole {
		return match, match
	}
	for n := 1; 2*n < len(groups); n++ {
		if at := groups[2*n]; at >= 0 && groups[2*n+1] > at && (p.group == 0 || p.group == n) {
			return span{base + at, base + groups[2*n+1]}, match
		}
	}
	return match, match
}
