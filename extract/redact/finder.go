package redact

import "strings"

type finder struct {
	*pattern
	entropy  float64 // bits per byte a secret has more than
	word     bool    // a secret starts a word
	assigned bool    // it is known by the words before it
	generic  bool    // the name says little, so the value has to say more
	inside   bool    // the key is part of it
	ends     bool    // what follows a secret decides, see endsToken
	distinct bool    // nothing else is written like it, see isDistinct
	theirs   bool    // a rule of the user, who is taken at their word
	allow    []allowlist
}

// stretch is how many bytes behind a key are looked at. No secret of a fixed
// length is longer; of the others what follows is taken too.
const stretch = 768

func (f finder) token(s string, from, _ int) span {
	if f.word && !startsToken(s, from, f.distinct) || !f.holds(s, from) {
		return span{}
	}
	sp := f.at(s, from)
	if callFollows(s, sp.to) && !hasDigit(s[sp.from:sp.to]) {
		return span{} // GLC_CreateTextures() of a program
	}
	if sp.to > 0 {
		sp.to = endsToken(s, sp.to, true)
	}
	return sp
}

// behindWords finds a secret that is assigned to the name at the key.
func (f finder) behindWords(s string, from, to int) span {
	i := f.assignedAt(s, to)
	if i < 0 || !f.mayBeValue(s[i:min(len(s), i+stretch/4)]) {
		return span{}
	}
	return f.at(s[:min(len(s), i+stretch)], from)
}

// mayBeValue reports whether a run of allowed bytes at the start of s has what a
// value needs: it spares most words of programs the expression.
func (f finder) mayBeValue(s string) bool {
	digits, mixed, lower := 0, false, false
	for i := 0; i < len(s) && f.allowed[s[i]]; i++ {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case isLower(c):
			lower = true
		case isUpper(c):
			mixed = mixed || lower
		}
	}
	if f.generic {
		return digits > 1
	}
	return digits > 0 || mixed
}

// assignedAt is where the value may start that is assigned to the name s[:to]
// ends in, -1 where none is. It lets pass all that the patterns do.
func (f finder) assignedAt(s string, to int) int {
	const (
		behind = 40 // bytes of a name's rest, with its quotes
		signs  = 12 // bytes of an operator, with its quotes
	)
	i := run(s[:min(len(s), to+behind)], to, func(c byte) bool { return isAlnum(c) || strings.IndexByte("_ \t\r\n.-'\"\\", c) >= 0 })
	if i == len(s) || strings.IndexByte("=>:|?,", s[i]) < 0 {
		return -1
	}
	end := min(len(s), i+signs)
	i = run(s[:end], i, func(c byte) bool { return strings.IndexByte("=>:|?,`'\" \t\r\n\\", c) >= 0 })
	if f.holds(s, i) {
		return i
	}
	return -1
}

func (f finder) at(s string, from int) span {
	end := min(len(s), from+stretch)
	groups := f.at0().FindStringSubmatchIndex(s[from:end])
	if groups == nil {
		return span{}
	}
	return f.accept(s, groups, from, end)
}

// around finds a secret within a stretch of the key: before it down to lo, and
// behind it twice as far as search asks for, so that keys close by need not be
// looked at again.
func (f finder) around(s string, lo, from, to int) span {
	if f.inside && !f.surrounds(s, from, to) {
		return span{}
	}
	return f.between(s, max(lo, from-stretch/2), min(len(s), to+2*stretch))
}

func (f finder) between(s string, base, end int) span {
	for base < end {
		groups := f.re().FindStringSubmatchIndex(s[base:end])
		if groups == nil {
			break
		}
		if sp := f.accept(s, groups, base, end); sp.to > 0 {
			return sp
		}
		base += max(groups[0]+1, groups[1])
	}
	return span{}
}

// aroundCurl looks at commands that have a flag for credentials.
func (f finder) aroundCurl(s string, lo, from, to int) span {
	near := s[to:min(len(s), to+stretch)]
	if !containsAny(near, " -u", " -H", "--user", "--header") {
		return span{}
	}
	return f.around(s, max(lo, from-1), from, to)
}

// accept returns the secret of a match, an empty span if it only looks like one.
// What is looked at ends at end: a secret that reaches it continues as long as its
// bytes do.
func (f finder) accept(s string, groups []int, base, end int) span {
	sp, match := f.secretIn(groups, base)
	full := sp.to-sp.from == f.most && f.most > f.least
	if sp == match && !f.theirs {
		for sp.to > sp.from && !isAlnum(s[sp.to-1]) && strings.IndexByte("=_-+/", s[sp.to-1]) < 0 {
			sp.to--
		}
	}
	if sp.to == end {
		sp.to = run(s, sp.to, func(c byte) bool { return f.allowed[c] && c > ' ' })
	}
	if sp.from < sp.to && f.theirs {
		return sp
	}
	if sp.from >= sp.to || f.word && !startsToken(s, match.from, f.distinct) {
		return span{}
	}
	if f.ends && sp.to < end {
		if full && s[sp.to] == '~' && f.allowed['~'] {
			return span{} // longer than any; other signs may follow a token
		}
		if sp.to = endsToken(s, sp.to, f.distinct); sp.to == 0 {
			return span{}
		}
	}
	const (
		sample = 1024 // bytes judged
		name   = 50   // bytes of the name before a key
	)
	judged := span{sp.from, min(sp.to, sp.from+sample)}
	value := s[judged.from:judged.to]
	if f.entropy > 0 && entropy(value) <= f.entropy || isPlaceholder(value) {
		return span{}
	}
	if f.assigned && !isValue(value) || f.generic && (isLookAlike(value) || strings.HasSuffix(s[:sp.from], " h1:") || callFollows(s, sp.to)) {
		return span{}
	}
	if strings.HasPrefix(value, "s.") && isMethod(value[2:]) {
		return span{}
	}
	if f.generic && strings.Contains(strings.ToLower(s[max(0, match.from-8):sp.from]), "public") {
		return span{}
	}
	if f.generic {
		match.from = back(s, match.from, max(0, match.from-name), isNameByte)
	}
	for _, a := range f.allow {
		if a.says(s, judged, span{match.from, min(match.to, match.from+sample)}) {
			return span{}
		}
	}
	return sp
}

// isValue distinguishes a value from words of a program or of prose.
func isValue(s string) bool {
	m := statsOf(s)
	return m.digits > 0 || m.mixed && m.distinct > 8
}

// isLookAlike recognizes ids, hashes, paths and selectors, which names like key and
// access go with as often as with secrets.
func isLookAlike(s string) bool {
	if n := run(s, min(2, len(s)), isHex); n == len(s) && n < 20 && strings.HasPrefix(strings.ToLower(s), "0x") {
		return true
	}
	return isUUID(s) || isHash(s) || isDate(s) || isSelector(s) || isVersion(s) || isMethod(s) || isIdentifier(s) || isHash(s[strings.LastIndexAny(s, "-_:@")+1:]) || strings.Count(s, "/") > 1 && entropy(s) < 4.2 || statsOf(s).digits < 2
}
