package vault

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/vault/inert"
)

// Secret is what a search for secrets found in a text, at that offset.
type Secret struct {
	Rule string
	At   int
}

// judgeTexts looks at the texts of a note that are ours. What would act, or is
// damaged, is looked for where nobody edited; a secret in a region also where
// somebody did: it may be one of ours in a line that could not be renewed.
func (c *check) judgeTexts(n *noted, at string, doc *document) {
	add := func(kind string, line int, words string) {
		n.found = append(n.found, Finding{Kind: kind, Path: at, Line: line, Words: words})
	}
	if line := doc.decayed(); line > 0 {
		add(FindingDamaged, line, "bytes stand there that no program writes into a note")
	}
	c.seekSecrets(at, func(s Secret) { add(FindingSecret, 0, fmt.Sprintf("its name holds a secret (%s)", s.Rule)) }, add)
	for _, r := range []*region{doc.body, doc.nav} {
		if r == nil {
			continue
		}
		first := lineOf(doc.raw, r.begin.end)
		c.seekSecrets(r.text, func(s Secret) {
			add(FindingSecret, first+strings.Count(r.text[:s.At], "\n"), fmt.Sprintf("it shows a secret (%s)", s.Rule))
		}, add)
		if c.Trusting || !r.untouched() {
			continue
		}
		for _, f := range inert.Find(r.text) {
			add(FindingLive, first+f.Line-1, fmt.Sprintf("text of ours would act there (%s): %q", f.Kind, f.Text))
		}
	}
	c.judgeProps(n.path, doc, add)
}

// judgeProps looks at the id and the properties that we wrote. Their values are no
// markdown: only what acts in any text counts.
func (c *check) judgeProps(at string, doc *document, add func(kind string, line int, words string)) {
	if doc.props == nil {
		return
	}
	for _, f := range doc.front.fields {
		if f.key != keyID && !doc.props.prints.wrote(f.key, f.entries) {
			continue
		}
		line := lineOf(doc.raw, f.start)
		for _, e := range f.entries {
			text := e
			if f.key == keyID {
				text = idColon.ReplaceAllString(e, "\n\n$1")
			}
			c.seekSecrets(text, func(s Secret) {
				add(FindingSecret, line, fmt.Sprintf("its property %s shows a secret (%s)", f.key, s.Rule))
			}, add)
			for _, found := range inert.FindInValue(e) {
				add(FindingLive, line, fmt.Sprintf("its property %s holds what would act (%s): %q", f.key, found.Kind, found.Text))
			}
		}
	}
}

// idColon parts an id. Such a colon gives no value to the word before it; one
// within a token is left.
var idColon = regexp.MustCompile(`:([^A]|$)`)

// seekSecrets visits the secrets in a text of a note. A search that fails is a finding too:
// nobody knows then.
func (c *check) seekSecrets(text string, visit func(Secret), add func(kind string, line int, words string)) {
	if c.Secrets == nil || text == "" {
		return
	}
	found, err := c.Secrets(text)
	if err != nil {
		add(FindingSecret, 0, fmt.Sprintf("it could not be searched for secrets: %v", err))
		return
	}
	for _, s := range found {
		visit(s)
	}
}

// decayed is the first line of what no editor and no program of notes writes: a
// NUL anywhere, as after a crash of the system, or broken UTF-8 in a part that is
// ours; 0 where there is none.
func (doc *document) decayed() int {
	if i := bytes.IndexByte(doc.raw, 0); i >= 0 {
		return lineOf(doc.raw, i)
	}
	if utf8.Valid(doc.raw) {
		return 0
	}
	spans := append(doc.ours(), edit{start: doc.front.open, end: doc.front.after})
	sortEdits(spans)
	for _, s := range spans {
		for at := s.start; at < s.end; {
			r, size := utf8.DecodeRune(doc.raw[at:s.end])
			if r == utf8.RuneError && size == 1 {
				return lineOf(doc.raw, at)
			}
			at += size
		}
	}
	return 0
}
