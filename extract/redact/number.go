package redact

import (
	"regexp"
	"strconv"
	"strings"
)

// The runes around a mask. Both are of the private use area: no source has a
// reason to hold one.
const (
	maskOpen  = "\ue000"
	maskClose = "\ue001"
	hashLen   = 12 // hex digits
)

// Number replaces the masks in the texts of one note by [redacted:rule#n]. The
// numbers of each rule start at 1 and follow the first appearance over all
// texts in their order; one secret keeps one number. What is left of a mask
// that was cut reads [redacted].
func Number(texts ...string) []string {
	numbers := NumbersAfter("")
	out := make([]string, len(texts)) // same order
	for i, s := range texts {
		out[i] = numbers.Text(s)
	}
	return out
}

// Numbers numbers the masks in texts one after the other, where some of them hold
// numbered ones already: what is new gets the numbers behind those.
type Numbers struct {
	last  map[string]int // by rule
	given map[string]int // by rule and hash
}

var numberedMask = regexp.MustCompile(`\[redacted:([a-z0-9-]+)#([0-9]{1,6})\]`)

// NumbersAfter starts behind the numbers that stand in a text.
func NumbersAfter(text string) *Numbers {
	n := &Numbers{last: map[string]int{}, given: map[string]int{}}
	for _, m := range numberedMask.FindAllStringSubmatch(text, -1) {
		if k, err := strconv.Atoi(m[2]); err == nil {
			n.last[m[1]] = max(n.last[m[1]], k)
		}
	}
	return n
}

// Text is [Number] for the next text.
func (n *Numbers) Text(s string) string {
	return replaceMasks(s, func(k maskAt) string {
		if k.hash == "" {
			return "[redacted]"
		}
		id := k.rule + "~" + k.hash
		if n.given[id] == 0 {
			n.last[k.rule]++
			n.given[id] = n.last[k.rule]
		}
		return "[redacted:" + k.rule + "#" + strconv.Itoa(n.given[id]) + "]"
	})
}

// Mask is a mask in a masked text: s[From:To].
type Mask struct {
	Rule, Hash string
	From, To   int
}

// Masks lists the masks in a masked text, in order.
func Masks(s string) []Mask {
	var out []Mask
	for i := nextMark(s, 0); i >= 0; {
		k, ok := parseMask(s, i)
		if ok {
			out = append(out, Mask{Rule: k.rule, Hash: k.hash, From: i, To: k.end})
		}
		i = nextMark(s, k.end)
	}
	return out
}

// Strip removes masks, for file names.
func Strip(s string) string {
	return replaceMasks(s, func(maskAt) string { return "" })
}

// maskAt is a mask found in a text. An empty hash says that it was cut.
type maskAt struct {
	rule, hash string
	end        int
}

// replaceMasks replaces whole and cut masks; a lone end of one is dropped.
func replaceMasks(s string, with func(maskAt) string) string {
	i := nextMark(s, 0)
	if i < 0 {
		return s
	}
	var b strings.Builder
	last := 0
	for ; i >= 0; i = nextMark(s, last) {
		b.WriteString(s[last:i])
		last = i + len(maskClose)
		if strings.HasPrefix(s[i:], maskOpen) {
			k, ok := parseMask(s, i)
			if !ok {
				k.hash = ""
			}
			b.WriteString(with(k))
			last = k.end
		}
	}
	b.WriteString(s[last:])
	return b.String()
}

// parseMask reads the mask that opens at s[i:]. For a cut one ok is false and
// end is behind what can still be told to be of it.
func parseMask(s string, i int) (k maskAt, ok bool) {
	if !strings.HasPrefix(s[i:], maskOpen) {
		return maskAt{end: i + len(maskClose)}, false
	}
	at := i + len(maskOpen)
	end := at
	for end < len(s) && end-at < longestName && isNameByte(s[end]) {
		end++
	}
	k.rule, k.end = s[at:end], end
	if end == len(s) || s[end] != '~' || k.rule == "" {
		return k, false
	}
	at = end + 1
	end = at
	for end < len(s) && end-at < hashLen && isHex(s[end]) {
		end++
	}
	k.hash, k.end = s[at:end], end
	if len(k.hash) < hashLen || !strings.HasPrefix(s[end:], maskClose) {
		return k, false
	}
	k.end += len(maskClose)
	return k, true
}

// longestName is the longest name of a rule in a mask, in bytes.
const longestName = 64

// isNameByte tells what the name of a rule is made of.
func isNameByte(c byte) bool { return isLower(c) || isDigit(c) || c == '-' }

// nextMark finds the next rune of a mask at or after i, -1 for none.
func nextMark(s string, i int) int {
	for i < len(s) {
		n := strings.Index(s[i:], maskOpen[:2])
		if n < 0 {
			return -1
		}
		i += n
		if strings.HasPrefix(s[i:], maskOpen) || strings.HasPrefix(s[i:], maskClose) {
			return i
		}
		i += 2
	}
	return -1
}
