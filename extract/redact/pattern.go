package redact

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
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
	p.least = -1
	for _, secret := range secrets {
		if n := p.measure(secret); p.least < 0 || n < p.least {
			p.least = n
		}
		p.most = max(p.most, longest(secret))
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

// measure is the least number of bytes re matches; the bytes it may match are
// added to the allowed ones.
func (p *pattern) measure(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			p.allow(r, r)
			if re.Flags&syntax.FoldCase != 0 && isLetter(byte(min(r, 0x7f))) {
				p.allow(r^0x20, r^0x20)
			}
		}
		return len(re.Rune)
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			p.allow(re.Rune[i], re.Rune[i+1])
		}
		return 1
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		p.allow(0, 0xff)
		return 1
	}
	least := make([]int, len(re.Sub))
	for i, sub := range re.Sub {
		least[i] = p.measure(sub)
	}
	sum, smallest := 0, 0
	for i, n := range least {
		sum += n
		if i == 0 || n < smallest {
			smallest = n
		}
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpConcat, syntax.OpPlus:
		return sum
	case syntax.OpAlternate:
		return smallest
	case syntax.OpRepeat:
		return sum * re.Min
	}
	return 0 // an anchor, or something that may be missing
}

// longest is the greatest number of ASCII bytes that re matches, unbounded if there is no limit.
func longest(re *syntax.Regexp) int {
	const unbounded = 1 << 20
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpStar, syntax.OpPlus:
		return unbounded
	}
	sum, greatest := 0, 0
	for _, sub := range re.Sub {
		n := longest(sub)
		sum, greatest = min(sum+n, unbounded), max(greatest, n)
	}
	switch re.Op {
	case syntax.OpAlternate:
		return greatest
	case syntax.OpRepeat:
		if re.Max < 0 {
			return unbounded
		}
		return min(sum*re.Max, unbounded)
	}
	return sum
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
	if strings.HasPrefix(strings.ToLower(leading(p.tree)), word) {
		return true
	}
	prog, err := syntax.Compile(p.tree.Simplify())
	if err != nil {
		return false
	}
	at := map[uint32]bool{}
	reach(prog, uint32(prog.Start), at)
	for _, c := range word {
		next := map[uint32]bool{}
		for n := range at {
			if i := &prog.Inst[n]; isLetterOf(i, c) || isLetterOf(i, unicode.ToUpper(c)) {
				reach(prog, i.Out, next)
			}
		}
		at = next
	}
	return len(at) > 0
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

// reach adds the places that a match comes to from one without a further letter.
func reach(prog *syntax.Prog, n uint32, at map[uint32]bool) {
	if at[n] {
		return
	}
	at[n] = true
	switch i := prog.Inst[n]; i.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		reach(prog, i.Out, at)
		reach(prog, i.Arg, at)
	case syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstNop:
		reach(prog, i.Out, at)
	}
}

// isLetterOf reports whether a letter of a word may be at a place that is one of a word.
func isLetterOf(i *syntax.Inst, c rune) bool {
	const few = 4 // letters a place of the word may have; more, and it is no word of the pattern's
	if i.Op != syntax.InstRune && i.Op != syntax.InstRune1 || !i.MatchRune(c) {
		return false
	}
	n := 0
	for k := 0; k+1 < len(i.Rune); k += 2 {
		n += int(i.Rune[k+1]-i.Rune[k]) + 1
	}
	return n <= few
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
