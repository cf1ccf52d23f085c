package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// edit replaces s[from:to].
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
	if strays := strays(s); len(strays) > 0 {
		s = apply(s, strays, offsets)
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

// secrets finds what is to be masked, in order and without overlap.
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

// strays finds the runes of masks that belong to no mask of ours. In a text
// that has any, bytes that are no UTF-8 are taken out as well, or what is left
// could make a new one.
func strays(s string) []edit {
	var edits []edit
	last, found := 0, false
	for i := nextMark(s, 0); i >= 0; i = nextMark(s, last) {
		edits = appendInvalid(edits, s, last, i)
		if k, ok := parseMask(s, i); ok {
			last = k.end
			continue
		}
		last, found = i+len(maskOpen), true
		edits = append(edits, edit{from: i, to: last})
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
