package inspect

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/vault/inert"
	"github.com/sessionloom/sessionloom/vault/note"
)

// inspect finds the faults of one note, and the targets of our links.
func (c *check) inspect(n *noteInfo, raw []byte) {
	doc := note.ParseDocument(raw)
	marked := bytes.Contains(raw, []byte(note.MarkerWord)) && note.HoldsMarker(string(raw))
	if doc.ID != "" && (marked || c.ours(doc.ID, n.path)) {
		n.id = doc.ID
	}
	if n.id == "" && !marked { // a person's own, if it is not what is left of one of ours
		if blank := len(bytes.Trim(raw, "\x00 \r\n")) == 0; (blank || doc.Broken != "") && c.ours("", n.path) {
			c.find(FindingDamaged, n.path, 0, "a note of ours stood here, and nothing of it can be read")
		}
		return
	}
	n.hash = doc.Hash()
	if kind, words := damage(doc); kind != "" {
		c.find(kind, n.path, 0, words)
	} else if n.id == "" {
		c.find(FindingNoID, n.path, 0, "it has our text and no id: it is not kept up to date")
	}
	if words := note.PathFault(c.fromRoot(n.path)); words != "" && n.id != "" {
		c.find(FindingName, n.path, 0, words)
	}
	c.judgeTexts(n, doc)
}

func damage(doc *note.Document) (kind, words string) {
	switch {
	case doc.Broken == "":
		return "", ""
	case doc.InConflict():
		return FindingConflict, "it holds the conflict markers of a version control system"
	case doc.Front.Broken != "":
		return FindingFront, doc.Front.Broken
	}
	return FindingMarkers, doc.Broken
}

// Secret is what a search for secrets found in a text, at that offset.
type Secret struct {
	Rule string
	At   int
}

// judgeTexts looks at our texts: for damage where nobody edited, for secrets everywhere.
func (c *check) judgeTexts(n *noteInfo, doc *note.Document) {
	add := func(kind string, line int, words string) { c.find(kind, n.path, line, words) }
	if line := doc.DamagedLine(); line > 0 {
		add(FindingDamaged, line, "bytes stand there that no program writes into a note")
	}
	c.seekSecrets(c.fromRoot(n.path), func(s Secret) { add(FindingSecret, 0, fmt.Sprintf("its name holds a secret (%s)", s.Rule)) }, add)
	seek := func(text string, first int) {
		c.seekSecrets(text, func(s Secret) {
			add(FindingSecret, first+strings.Count(text[:s.At], "\n"), fmt.Sprintf("it shows a secret (%s)", s.Rule))
		}, add)
	}
	if doc.Body == nil { // its markers are damaged: what of it is ours cannot be told
		seek(string(doc.Raw[doc.Front.After:]), note.LineOf(doc.Raw, doc.Front.After))
	}
	for _, r := range []*note.Region{doc.Body, doc.Nav} {
		if r == nil {
			continue
		}
		first := note.LineOf(doc.Raw, r.Begin.End)
		if seek(r.Text, first); !r.Untouched() {
			continue
		}
		acting, links := inert.Look(r.Text)
		for _, l := range links {
			n.links = append(n.links, inert.Link{Line: first + l.Line - 1, To: l.To})
		}
		if c.Trusting {
			continue
		}
		for _, f := range acting {
			add(FindingLive, first+f.Line-1, fmt.Sprintf("text of ours would act there (%s): %q", f.Kind, f.Text))
		}
	}
	c.judgeProps(n, doc, add)
	c.judgeComment(doc, add)
}

// judgeComment looks at the comment for the program.
func (c *check) judgeComment(doc *note.Document, add func(kind string, line int, words string)) {
	if doc.Comment == nil {
		return
	}
	first := note.LineOf(doc.Raw, doc.Comment.Start)
	for _, f := range doc.Comment.Facts {
		c.seekSecrets(f.Value, func(s Secret) {
			add(FindingSecret, first, fmt.Sprintf("its comment for the program shows a secret (%s)", s.Rule))
		}, add)
	}
	for _, f := range inert.Find(doc.Comment.Rows()) {
		add(FindingLive, first+f.Line, fmt.Sprintf("its comment for the program holds what would act (%s): %q", f.Kind, f.Text))
	}
}

// judgeProps looks at the id and our properties, whose values are no markdown.
func (c *check) judgeProps(n *noteInfo, doc *note.Document, add func(kind string, line int, words string)) {
	if doc.Comment == nil {
		return
	}
	for _, f := range doc.Front.Fields {
		if f.Key != note.KeyID && !doc.Comment.Prints.Wrote(f.Key, f.Entries) {
			continue
		}
		line := note.LineOf(doc.Raw, f.Start)
		for _, e := range f.Entries {
			text := e
			if f.Key == note.KeyID {
				text = idColon.ReplaceAllString(e, "\n\n$1")
			}
			c.seekSecrets(text, func(s Secret) {
				add(FindingSecret, line, fmt.Sprintf("its property %s shows a secret (%s)", f.Key, s.Rule))
			}, add)
			if to, ok := linkOf(e); ok && f.Key != note.KeyID {
				n.links = append(n.links, inert.Link{Line: line, To: to})
			}
			for _, found := range inert.FindInValue(e) {
				add(FindingLive, line, fmt.Sprintf("its property %s holds what would act (%s): %q", f.Key, found.Kind, found.Text))
			}
		}
	}
}

// linkOf reads the value of a property, which is a link only as a whole.
func linkOf(value string) (to string, ok bool) {
	inner, ok := strings.CutPrefix(value, "[[")
	to, _, _ = strings.Cut(inner, "|")
	return to, ok && strings.HasSuffix(inner, "]]")
}

// idColon parts an id, not within a token.
var idColon = regexp.MustCompile(`:([^A]|$)`)

// seekSecrets visits secrets. A search that fails is a finding too.
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

// judgeLinks finds links that lead nowhere, in Obsidian's sense: case does not count.
func (c *check) judgeLinks() {
	stands := map[string]bool{} // the files of the managed folder, by folded paths from the vault's root
	for _, n := range c.notes {
		stands[folded(c.fromRoot(n.path))] = true
	}
	for _, f := range c.Others {
		stands[folded(c.fromRoot(f.Path))] = true
	}
	found := map[string]bool{} // by the link as written
	for _, n := range c.notes {
		for _, l := range n.links {
			leads, asked := found[l.To]
			if !asked {
				leads = slices.ContainsFunc([]string{l.To + ".md", l.To}, func(p string) bool {
					return stands[folded(p)] || fs.ValidPath(p) && c.Stands(p)
				})
				found[l.To] = leads
			}
			if !leads {
				c.find(FindingLink, n.path, l.Line, fmt.Sprintf("its link to %q leads nowhere", l.To))
			}
		}
	}
}

func folded(p string) string { return norm.NFC.String(strings.ToLower(p)) }
