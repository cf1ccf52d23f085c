package inspect

import (
	"bytes"

	"github.com/sessionloom/sessionloom/vault/note"
)

// inspect takes a note apart and finds what is wrong with it alone, and where the links
// that we wrote lead.
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
