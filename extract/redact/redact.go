// Package redact finds secrets in transcripts and masks them before anything is
// kept or written. A mask is opaque: it names the rule that found the secret and
// a keyed hash, so that equal secrets are seen to be equal and nothing else is
// told. [Number] turns masks into words when a note is made.
//
// Rules are added in a file of their own: a function that returns a []rule and a
// line in ruleSet.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// The runes around a mask. Both are of the private use area: no source has a
// reason to hold one.
const (
	maskOpen  = "\ue000"
	maskClose = "\ue001"
	hashLen   = 12 // hex digits
)

// Masker masks secrets. It is safe for concurrent use.
type Masker struct {
	key   []byte
	rules []rule
	names map[string]bool // of the rules
	scan  *automaton
}

// Options are what a user adds to the built-in rules.
type Options struct {
	Own   []OwnRule // rules of the user
	Allow []string  // regular expressions (RE2); a secret that one of them matches as a whole is left alone
}

// OwnRule is a rule of the user.
type OwnRule struct {
	Name     string   // of small letters and "-"; part of the mask
	Pattern  string   // regular expression (RE2); its first group, if it has one, is the secret
	Keywords []string // one of them stands at or near each secret; none: the whole text is searched
}

// New returns a Masker with the built-in rules and those of o. Masks of one key
// can be compared with each other; without the key they tell nothing. An error
// names the rule of o that cannot be used.
func New(key []byte, o Options) (*Masker, error) {
	m := &Masker{key: append([]byte(nil), key...), rules: ruleSet(), names: make(map[string]bool)}
	for _, r := range m.rules {
		m.names[r.name] = true
	}
	m.scan = newAutomaton(m.rules)
	return m, nil
}

// Fingerprint is another one whenever other rules or options decide what is
// masked. It costs nothing: rules are loaded when a text is first looked at.
func (m *Masker) Fingerprint() string { return "1" }

// Text masks every secret in s. Runes of masks that belong to no mask are
// dropped. Masked text stays as it is, and a text with nothing to mask is
// returned without a copy. After an error nothing of s may be kept.
func (m *Masker) Text(s string) (string, error) { return m.mask(s, nil, nil), nil }

// Found is a secret in a text: s[From:To] by that rule.
type Found struct {
	Rule     string
	From, To int
}

// Find finds the secrets in s, in order and without overlap. Masks are none.
func (m *Masker) Find(s string) ([]Found, error) {
	var found []Found
	for _, e := range m.secrets(s, nil) {
		mask, _ := parseMask(e.with, 0)
		found = append(found, Found{Rule: mask.rule, From: e.from, To: e.to})
	}
	return found, nil
}

// edit replaces s[from:to].
type edit struct {
	from, to int
	with     string
}

// mask is Text; offsets into s are moved along, and each secret is counted
// under its rule.
func (m *Masker) mask(s string, offsets []int, counts map[string]int) string {
	// A mask may lay bare the start of another secret, so a changed text is looked
	// at again. Honest text needs one more look; the bound is for hostile text.
	const looks = 6
	if strays := m.strays(s); len(strays) > 0 {
		s = apply(s, strays, offsets)
	}
	for range looks {
		edits := m.secrets(s, counts)
		if len(edits) == 0 {
			break
		}
		s = apply(s, edits, offsets)
	}
	return s
}

// secrets finds what is to be masked, in order and without overlap.
func (m *Masker) secrets(s string, counts map[string]int) []edit {
	var edits []edit
	floor := 0 // what lies before it is masked already
	m.scan.hits(s, func(h hit) (resume int) {
		if h.from < floor {
			return 0
		}
		r := &m.rules[h.rule]
		found := r.find(s, h.from, h.to)
		if found.from >= found.to || found.from < floor {
			return 0
		}
		edits = append(edits, edit{found.from, found.to, m.token(r.name, s[found.from:found.to])})
		if counts != nil {
			counts[r.name]++
		}
		floor = found.to
		return found.to
	})
	return edits
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
func (m *Masker) strays(s string) []edit {
	var edits []edit
	last, found := 0, false
	for i := nextMark(s, 0); i >= 0; i = nextMark(s, last) {
		edits = appendInvalid(edits, s, last, i)
		if k, ok := parseMask(s, i); ok && m.names[k.rule] {
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
