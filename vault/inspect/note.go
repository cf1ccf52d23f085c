package inspect

import (
	"bytes"
	"fmt"
	"hash/fnv"

	"github.com/sessionloom/sessionloom/vault/note"
)

// inspect takes a note apart and keeps what is wrong with it alone, what links can
// name in it and where the links we wrote lead. It returns the hash of the text.
func (c *check) inspect(n *noteInfo, raw []byte) (hash string) {
	at := c.fromRoot(n.path)
	n.parts = partsSum(note.Anchors(string(raw)), nil, false)
	doc := note.ParseDocument(raw)
	marked := bytes.Contains(raw, []byte(note.MarkerWord)) && note.HoldsMarker(string(raw))
	if doc.ID != "" && (marked || c.ours(doc.ID, n.path)) {
		n.id = doc.ID
	}
	if n.id == "" && !marked {
		if blank := len(bytes.Trim(raw, "\x00 \r\n")) == 0; (blank || doc.Broken != "") && c.ours("", n.path) {
			n.found = append(n.found, Finding{Kind: FindingDamaged, Path: at, Words: "a note of ours stood here, and nothing of it can be read"})
		}
		return "" // a person's own
	}
	hash = doc.Hash()
	if kind, words := damage(doc); kind != "" {
		n.found = append(n.found, Finding{Kind: kind, Path: at, Words: words})
	} else if n.id == "" {
		n.found = append(n.found, Finding{Kind: FindingNoID, Path: at, Words: "it has our text and no id: it is not kept up to date"})
	}
	if words := note.PathFault(at); words != "" && n.id != "" {
		n.found = append(n.found, Finding{Kind: FindingName, Path: at, Words: words})
	}
	c.judgeTexts(n, at, doc)
	if doc.Broken == "" {
		doc.EachOwnLink(at, func(l note.Link) { n.links = append(n.links, l) })
		n.asRendered = doc.RegionsUntouched()
	}
	n.parts = partsSum(note.Anchors(string(raw)), n.links, n.asRendered)
	return hash
}

// partsSum is the same for the same names and links.
func partsSum(names []string, links []note.Link, sealed bool) uint64 {
	sum := fnv.New64a()
	for _, name := range names {
		_, _ = fmt.Fprintf(sum, "%q", name) // a hash takes everything
	}
	for _, l := range links {
		_, _ = fmt.Fprintf(sum, "[%q%q%q]", l.To, l.Near, l.Part)
	}
	_, _ = fmt.Fprint(sum, sealed)
	return sum.Sum64()
}

// damage says what makes a note unusable, nothing where it is whole.
func damage(doc *note.Document) (kind, words string) {
	if doc.Broken == "" {
		return "", ""
	}
	switch {
	case doc.InConflict():
		return FindingConflict, "it holds the conflict markers of a version control system"
	case doc.Front.Broken != "":
		return FindingFront, doc.Front.Broken
	}
	return FindingMarkers, doc.Broken
}
