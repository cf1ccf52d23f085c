package escape

import "strings"

// maxAddress is the longest web address in bytes; longer ones stay text.
const maxAddress = 2048

func webAddress(s string) bool {
	n := schemeLen(s)
	return n > 0 && len(s) > n && !strings.ContainsAny(s, " \t\n<>\"`\\") && len(appendAddress(nil, s)) <= maxAddress-2
}

// schemeLen is the length of "http://" or "https://" at the start of s, else 0.
func schemeLen(s string) int {
	for _, scheme := range [...]string{"https://", "http://"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return len(scheme)
		}
	}
	return 0
}

func endsWithWebScheme(out []byte) bool {
	n := len(out)
	for n > 0 && len(out)-n <= len("https") && (isWord(out[n-1]) || out[n-1] == '+' || out[n-1] == '-' || out[n-1] == '.') {
		n--
	}
	word := string(out[n:])
	return strings.EqualFold(word, "http") || strings.EqualFold(word, "https")
}

// bareAddressLen returns how much of s belongs to the address before it.
func bareAddressLen(s string) int {
	n := 0
	for n < len(s) && (isWord(s[n]) || s[n] >= 0x80 || strings.IndexByte("-.~:/?#@&'+,;=%$", s[n]) >= 0) {
		n++
	}
	return n
}

// destination reads "(address)" or "(<address> "title")", and its length; 0: no web address.
func destination(s string) (string, int) {
	if schemeLen(s[1:]) == 0 && !strings.HasPrefix(s, "(<") {
		return "", 0
	}
	end := strings.IndexAny(s[:min(len(s), maxAddress)], " \t\n<\"`\\[]")
	if end < 0 {
		end = min(len(s), maxAddress)
	}
	depth := 0
	for i := range end {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				if !webAddress(s[1:i]) {
					return "", 0
				}
				return s[1:i], i + 1
			}
		}
	}
	return quotedDestination(s, end)
}

// quotedDestination reads the forms with angles or a title, which is left out.
func quotedDestination(s string, end int) (string, int) {
	address, rest := s[1:end], s[end:]
	if strings.HasPrefix(s, "(<") {
		n := strings.IndexByte(s[:min(len(s), maxAddress)], '>')
		if n < 0 {
			return "", 0
		}
		address, rest = s[2:n], s[n+1:]
	}
	rest = strings.TrimLeft(rest, " ")
	if strings.HasPrefix(rest, `"`) {
		n := strings.IndexByte(rest[1:min(len(rest), maxAddress)], '"')
		if n < 0 {
			return "", 0
		}
		rest = strings.TrimLeft(rest[n+2:], " ")
	}
	if !strings.HasPrefix(rest, ")") || !webAddress(address) {
		return "", 0
	}
	return address, len(s) - len(rest) + 1
}

func angleLinkLen(s string) int {
	if schemeLen(s[1:]) == 0 {
		return 0
	}
	n := strings.IndexByte(s[:min(len(s), maxAddress)], '>')
	if n < 0 || !webAddress(s[1:n]) {
		return 0
	}
	return n + 1
}

// opensWebLink reports whether s starts with a plain web link that cannot be read as a box.
func opensWebLink(s string) bool {
	if len(s) > 2 && s[2] == ']' && strings.IndexByte(" xX", s[1]) >= 0 {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[', '`', '<':
			return false
		case ']':
			if !strings.HasPrefix(s[i+1:], "(") {
				return false
			}
			_, n := destination(s[i+1:])
			return n > 0
		}
	}
	return false
}

// appendAddress codes what could act in a web address. It is idempotent.
func appendAddress(out []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		if c := s[i]; coded(s, i) {
			out = append(out, '%', hex[c>>4], hex[c&15])
		} else {
			out = append(out, c)
		}
	}
	return out
}

// coded reports whether the byte at s[i] gets a percent code.
func coded(s string, i int) bool {
	switch c := s[i]; c {
	case '[', ']', '(', ')', '|', '{', '}', '^', '$', '*', '!':
		return true
	case '=', ':':
		return i > 0 && s[i-1] == c
	case '-':
		return inTaskDate(s[:i], s[i:])
	case '%':
		return i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])
	}
	return false
}
