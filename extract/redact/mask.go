package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

type edit struct {
	from, to int
	with     string
}

// mask is Text; offsets into s are moved along, and each secret is counted
// under its rule.
func (m *Masker) mask(s string, offsets []int, counts map[string]int) (out string, err error) {
	defer failClosed(&err)
	set, err := m.rules()
	if err != nil {
		return "", err
	}
	// A mask may lay bare the start of another secret, so a changed text is looked
	// at again. Honest text needs one more look; the bound is for hostile text.
	const looks = 6
	if invalidMarkers := invalidMarkers(s); len(invalidMarkers) > 0 {
		s = apply(s, invalidMarkers, offsets)
	}
	for range looks {
		found := m.secrets(set, s)
		if len(found) == 0 {
			break
		}
		edits := make([]edit, len(found))
		for i, f := range found {
			edits[i] = edit{f.from, f.to, m.token(f.rule, f.text)}
			if counts != nil {
				counts[f.rule]++
			}
		}
		s = apply(s, edits, offsets)
	}
	return s, nil
}

func (m *Masker) secrets(set *ruleSet, s string) []secret {
	var found []secret
	for i := range set.whole {
		found = m.searchAll(found, &set.whole[i], s)
	}
	found = m.hidden(found, set, s)
	found = m.scan(found, set, s)
	found = m.encoded(found, set, s)
	return inOrder(found)
}

// token is the mask of a secret.
func (m *Masker) token(rule, secret string) string {
	h := hmac.New(sha256.New, m.key)
	h.Write([]byte(secret))
	return maskOpen + rule + "~" + hex.EncodeToString(h.Sum(nil))[:hashLen] + maskClose
}

// invalidMarkers finds the runes of masks that belong to no mask of ours. In a text
// that has any, bytes that are no UTF-8 are taken out as well, or what is left
// could make a new one.
func invalidMarkers(s string) []edit {
	var edits []edit
	last, found := 0, false
	for _, k := range marksIn(s) {
		edits = appendInvalid(edits, s, last, k.From)
		if last = k.To; k.Hash == "" {
			last, found = k.From+len(maskOpen), true
			edits = append(edits, edit{from: k.From, to: last})
		}
	}
	if !found {
		return nil
	}
	return appendInvalid(edits, s, last, len(s))
}

// appendInvalid replaces the bytes of s[from:to] that are no UTF-8.
func appendInvalid(edits []edit, s string, from, to int) []edit {
	for from < to {
		r, n := utf8.DecodeRuneInString(s[from:to])
		if r == utf8.RuneError && n == 1 {
			edits = append(edits, edit{from, from + 1, string(utf8.RuneError)})
		}
		from += n
	}
	return edits
}

// apply makes the edits, which are in order, and moves the offsets, which may
// be in any: one within an edit to its end.
func apply(s string, edits []edit, offsets []int) string {
	var b strings.Builder
	b.Grow(len(s) + 16*len(edits))
	moved := append([]int(nil), offsets...)
	last := 0
	for _, e := range edits {
		b.WriteString(s[last:e.from])
		b.WriteString(e.with)
		for i, at := range offsets {
			switch {
			case at >= e.to:
				moved[i] += len(e.with) - (e.to - e.from)
			case at > e.from:
				moved[i] += e.from + len(e.with) - at
			}
		}
		last = e.to
	}
	b.WriteString(s[last:])
	copy(offsets, moved)
	return b.String()
}

// The runes around a mask. Both are of the private use area: no source has a
// reason to hold one.
const (
	maskOpen  = "\ue000"
	maskClose = "\ue001"
	hashLen   = 12 // hex digits
)

// The parts of a mask.
const (
	nameForm = `[a-z0-9-]{1,64}`
	hexForm  = `[0-9A-Fa-f]`
)

// markForm is a mask at the start of a text, or what is left of one: its beginning, or
// its end.
var markForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + maskOpen + `(` + nameForm + `)~(` + hexForm + `{12})` + maskClose + `|` +
		maskOpen + `(?:` + nameForm + `(?:~` + hexForm + `{0,12})?)?|` + maskClose + `)`)
})

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

// NumbersAfter starts behind the numbers that are in a text.
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
	return replaceMasks(s, func(k Mask) string {
		if k.Hash == "" {
			return "[redacted]"
		}
		id := k.Rule + "~" + k.Hash
		if n.given[id] == 0 {
			n.last[k.Rule]++
			n.given[id] = n.last[k.Rule]
		}
		return "[redacted:" + k.Rule + "#" + strconv.Itoa(n.given[id]) + "]"
	})
}

// Mask is a mask in a masked text: s[From:To].
type Mask struct {
	Rule, Hash string // empty: it was cut
	From, To   int
}

// Masks lists the masks in a masked text, in order.
func Masks(s string) []Mask {
	return slices.DeleteFunc(marksIn(s), func(k Mask) bool { return k.Hash == "" })
}

// Elide replaces masks by "…", for file names: where nothing stands behind password=, what follows would read as one.
func Elide(s string) string {
	return replaceMasks(s, func(Mask) string { return "…" })
}

// Strip removes masks.
func Strip(s string) string {
	return replaceMasks(s, func(Mask) string { return "" })
}

// replaceMasks replaces whole and cut masks; a lone end of one is dropped.
func replaceMasks(s string, with func(Mask) string) string {
	marks := marksIn(s)
	if len(marks) == 0 {
		return s
	}
	var b strings.Builder
	last := 0
	for _, k := range marks {
		b.WriteString(s[last:k.From])
		if strings.HasPrefix(s[k.From:], maskOpen) {
			b.WriteString(with(k))
		}
		last = k.To
	}
	b.WriteString(s[last:])
	return b.String()
}

// marksIn lists the masks in a text, in order, with what is left of those that were cut.
func marksIn(s string) []Mask {
	const longest = 128 // bytes a mask has less than
	var out []Mask
	for i := 0; ; {
		n := strings.Index(s[i:], maskOpen[:2])
		if n < 0 {
			return out
		}
		i += n
		at := markForm().FindStringSubmatch(s[i:min(len(s), i+longest)])
		if at == nil {
			i += 2
			continue
		}
		out = append(out, Mask{Rule: at[1], Hash: at[2], From: i, To: i + len(at[0])})
		i += len(at[0])
	}
}
