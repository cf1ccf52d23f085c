package redact

import "strings"

// isIdentifier recognizes NewEncapsulationKey1024 and hexKey2 of a program.
func isIdentifier(s string) bool {
	const lettersOfWord = 5
	m := statsOf(s)
	return m.others == 0 && numbersIn(s) <= 2 && 0 < m.uppers && m.uppers <= len(s)/lettersOfWord+1 && m.lowers > 2*m.digits
}

// isJumbled recognizes letters and digits that make up no words of a program: two signs at a time, on average.
func isJumbled(s string) bool {
	for i, words := 0, 0; i < len(s) && isAlnum(s[i]); {
		capital := i + run(s[i:min(len(s), i+2)], 0, isUpper)
		switch {
		case isDigit(s[i]):
			i = run(s, i, isDigit)
		case capital < i+2:
			i = run(s, capital, isLower)
		default:
			i = run(s, i, isUpper)
		}
		if words++; i == len(s) {
			return 3*words > len(s)
		}
	}
	return false
}

// isMethod distinguishes the words of s.ReadUint16LengthPrefixed from an old token of
// Vault, s. and 24 letters.
func isMethod(s string) bool {
	return numbersIn(s) < 2 && entropy(s) < 4.1
}

func numbersIn(s string) (n int) {
	for i := range len(s) {
		if isDigit(s[i]) && (i == 0 || !isDigit(s[i-1])) {
			n++
		}
	}
	return n
}

// isVersion recognizes v0.5.2-0.20190725165955-db428c1b0976 and 1.2.3-rc.1.
func isVersion(s string) bool {
	s = strings.TrimPrefix(s, "v")
	n := run(s, 0, isDigit)
	return n > 0 && n < 5 && n+1 < len(s) && s[n] == '.' && isDigit(s[n+1])
}

func isNameByte(c byte) bool { return isBase64URL(c) || c == '.' }

func skipQuote(s string, i int) (int, byte) {
	j := run(s[:min(len(s), i+3)], i, func(c byte) bool { return c == '\\' })
	if j < len(s) && strings.IndexByte("\"'`", s[j]) >= 0 {
		return j + 1, s[j]
	}
	return i, 0
}

func valueByte(quote byte) func(byte) bool {
	if quote != 0 {
		return func(c byte) bool { return c != quote && c > ' ' && c != '\\' }
	}
	return isPlainValue
}

func isPlainValue(c byte) bool {
	return c > ' ' && strings.IndexByte("\"'`,;(){}[]<>|\\", c) < 0
}

// runValue is run, up to limit, over backslashes that are part of a value.
func runValue(s string, i, limit int, allowed func(byte) bool) int {
	end := run(s[:limit], i, allowed)
	for end+1 < limit && s[end] == '\\' && end > i && isOwnBackslash(s[end+1:]) && allowed(s[end+1]) {
		end = run(s[:limit], end+1, allowed)
	}
	return end
}

// isOwnBackslash distinguishes, by the letter after it, a backslash that is part of a value from
// one that escapes a quote or starts a line end.
func isOwnBackslash(rest string) bool {
	switch next := rest[0]; next {
	case 'x':
		return run(rest[:min(len(rest), 3)], 1, isHex) < 3
	case 'u':
		return run(rest[:min(len(rest), 5)], 1, isHex) < 5
	default:
		return next > ' ' && next < 0x7f && strings.IndexByte("\"'`\\nrt", next) < 0
	}
}

// callFollows distinguishes the call of a function, an index or a type from a value.
func callFollows(s string, i int) bool {
	return i < len(s) && (s[i] == '(' || s[i] == '[' || s[i] == '<' && !strings.HasPrefix(s[i:], "</"))
}

// isDate recognizes 2026-11-03, with or without a time.
func isDate(s string) bool {
	return len(s) >= 10 && s[4] == '-' && s[7] == '-' && run(s, 0, isDigit) == 4
}

// isSelector recognizes a.b.c of a program.
func isSelector(s string) bool {
	return strings.Contains(s, ".") && isLetter(s[0]) &&
		run(s, 0, func(c byte) bool { return isAlnum(c) || c == '_' || c == '.' }) == len(s)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

type values struct{ tokens []rule }

// isToken reports whether a rule for tokens takes the whole value.
func (v values) isToken(s string, sp span) bool {
	value := s[sp.from:sp.to]
	for _, r := range v.tokens {
		for _, key := range r.keys {
			if len(value) > len(key) && strings.EqualFold(value[:len(key)], key) &&
				r.find(s, sp.from, sp.from+len(key)) == sp {
				return true
			}
		}
	}
	return false
}
