package redact

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
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

// opens reports whether a match of re can start with the word, ignoring case, or with a part of it whose rest then
// accepts: the search can begin at the word.
func opens(re *syntax.Regexp, word string, then func(rest string) bool) bool {
	if word == "" {
		return true
	}
	switch re.Op {
	case syntax.OpLiteral:
		for i, r := range re.Rune {
			if i == len(word) || unicode.ToLower(r) != rune(word[i]) {
				return i == len(word)
			}
		}
		return then(word[len(re.Rune):])
	case syntax.OpCharClass:
		return isLetterOf(re.Rune, rune(word[0])) && then(word[1:])
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return opens(sub, word, then) })
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range slices.Backward(re.Sub[1:]) {
			next := then
			then = func(rest string) bool { return opens(sub, rest, next) }
		}
		return opens(re.Sub[0], word, then)
	case syntax.OpStar:
		return repeats(re.Sub[0], 0, -1, word, then)
	case syntax.OpPlus:
		return repeats(re.Sub[0], 1, -1, word, then)
	case syntax.OpQuest:
		return repeats(re.Sub[0], 0, 1, word, then)
	case syntax.OpRepeat:
		return repeats(re.Sub[0], re.Min, re.Max, word, then)
	}
	return re.Op != syntax.OpAnyChar && re.Op != syntax.OpAnyCharNotNL && then(word)
}

// repeats is opens for re at least and at most so many times, without a limit for a negative most.
func repeats(re *syntax.Regexp, least, most int, word string, then func(rest string) bool) bool {
	return least <= 0 && then(word) || most != 0 && opens(re, word, func(rest string) bool {
		return rest != word && repeats(re, least-1, most-1, rest, then) || rest == word && least > 0 && then(rest)
	})
}

// isLetterOf reports whether a letter of a word may be at a place that is one of a word.
func isLetterOf(class []rune, c rune) bool {
	const few = 4 // letters a place of the word may have; more, and it is no word of the pattern's
	n, has := 0, false
	for k := 0; k+1 < len(class); k += 2 {
		n += int(class[k+1]-class[k]) + 1
		has = has || class[k] <= c && c <= class[k+1] || class[k] <= unicode.ToUpper(c) && unicode.ToUpper(c) <= class[k+1]
	}
	return has && n <= few
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
