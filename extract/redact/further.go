package redact

import (
	"regexp"
	"strconv"
)

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
