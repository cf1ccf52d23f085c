// Package redact finds secrets in transcripts and masks them before anything is
// kept or written. A mask is opaque: it names the rule that found the secret and
// a keyed hash, so that equal secrets are seen to be equal and nothing else is
// told. [Number] turns masks into words when a note is made.
//
// Rules are those of gitleaks (gitleaks.go), our own (rules_*.go) and those of the
// user (OwnRule). Each has keys; all keys are looked for at once (scan.go), and
// a rule looks at the text near its keys alone. What terminals, escapes and line
// ends tear apart is put together and looked at once more (hidden.go).
package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
)

// Options are what a user adds to the built-in rules.
type Options struct {
	Own   []OwnRule // rules of the user
	Allow []string  // regular expressions (RE2); a secret that one of them matches as a whole is left alone
}

// New returns a Masker with the built-in rules and those of o. Masks of one key
// can be compared with each other; without the key they tell nothing. An error
// names the rule of o that cannot be used.
func New(key []byte, o Options) (*Masker, error) {
	own, err := ownRules(o.Own)
	if err != nil {
		return nil, err
	}
	allow, err := allowOf(o.Allow)
	if err != nil {
		return nil, err
	}
	m := &Masker{key: append([]byte(nil), key...), allow: allow, print: fingerprint(o)}
	m.rules = builtInRules
	if len(own) > 0 {
		m.rules = sync.OnceValues(func() (*ruleSet, error) { return loadRules(own) })
	}
	return m, nil
}

// Fingerprint is another one whenever other rules or options decide what is
// masked. It costs nothing: rules are loaded when a text is first looked at.
func (m *Masker) Fingerprint() string { return m.print }

func fingerprint(o Options) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q", builtIn, o.Allow)
	for _, r := range o.Own {
		fmt.Fprintf(h, "%q %q %q", r.Name, r.Pattern, r.Keywords)
	}
	return hex.EncodeToString(h.Sum(nil))[:hashLen]
}

// Text masks every secret in s. Runes of masks that belong to no mask are
// dropped. Masked text stays as it is, and a text with nothing to mask is
// returned without a copy. After an error nothing of s may be kept.
func (m *Masker) Text(s string) (string, error) { return m.mask(s, nil, nil) }

// Found is a secret in a text: s[From:To] by that rule.
type Found struct {
	Rule     string
	From, To int
}

// Find finds the secrets in s, in order and without overlap. Masks are none.
func (m *Masker) Find(s string) (found []Found, err error) {
	defer failClosed(&err)
	set, err := m.rules()
	if err != nil {
		return nil, err
	}
	for _, h := range m.secrets(set, s) {
		found = append(found, Found{Rule: h.rule, From: h.from, To: h.to})
	}
	return found, nil
}

// Masker masks secrets. It is safe for concurrent use.
type Masker struct {
	key   []byte
	allow *regexp.Regexp // secrets that are left alone; nil: none
	print string
	rules func() (*ruleSet, error) // read when first needed
}

// failClosed makes an error of a panic: a rule that fails has not looked.
func failClosed(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("search for secrets: %v", r)
	}
}

// Session masks every text of s in place and counts the secrets by rule; counts
// may be nil. Ids of sessions and turns are masked by who keeps them, words of our
// own are no text. After an error nothing of s may be kept.
func (m *Masker) Session(s *sources.Session, counts map[string]int) (err error) {
	mask := func(text *string, offsets []int) {
		if err == nil && *text != "" {
			*text, err = m.mask(*text, offsets, counts)
		}
	}
	s.Texts(func(kind string, text *string) {
		if kind != sources.Answer {
			mask(text, nil)
		}
	})
	for _, turns := range [][]sources.Turn{s.Turns, s.TakenBack} {
		for i := range turns { // the places of calls move with the answer
			t := &turns[i]
			offsets := make([]int, len(t.Tools), len(t.Tools)+1)
			for i := range t.Tools {
				offsets[i] = t.Tools[i].After
			}
			offsets = append(offsets, t.Last)
			mask(&t.Assistant, offsets)
			for i := range t.Tools {
				t.Tools[i].After = offsets[i]
			}
			t.Last = offsets[len(t.Tools)]
		}
	}
	return err
}
