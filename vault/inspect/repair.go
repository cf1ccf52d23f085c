package inspect

import (
	"bytes"
	"fmt"

	"github.com/sessionloom/sessionloom/vault/note"
)

// LastKnown is what is remembered of a note of ours: what repairing it starts from.
type LastKnown struct {
	ID        string
	Props     []note.Property // as we last wrote them; nil: unknown
	Body, Nav *string         // the texts of the regions as they were last taken in; nil: unknown
	// Hash is that of the whole text as it was last seen, and Stamp that of the file.
	// What stands in a file of that stamp was written by no program since: whatever
	// is other in it is damage. Empty: unknown.
	Hash  string
	Stamp note.Stamp
}

// Repair gives the whole text of a damaged note in a file with a stamp, and says
// in plain words what was done, or else why it is left as it is.
func (k LastKnown) Repair(raw []byte, stamp note.Stamp) (text []byte, done, left string) {
	if stamp != k.Stamp {
		k.Hash = "" // somebody saved it since: it may hold anything
	}
	if k.ID == "" {
		return raw, "", "it is not known which note it is"
	}
	if whole, ok := k.whole(raw); ok && !bytes.Equal(whole, raw) {
		return whole, "put back as it was written: nothing else is in it", ""
	}
	text = k.repairLines(raw)
	text = k.repairID(text)
	text = k.repairMarkers(text)
	if k.sound(text) && !bytes.Equal(text, raw) {
		return text, "mended what is ours in it; all else is as it was", ""
	}
	if k.sound(raw) {
		return raw, "", "nothing in it is damaged"
	}
	doc := note.ParseDocument(text)
	switch {
	case doc.DamagedLine() > 0:
		return raw, "", fmt.Sprintf("it is not known what stood in its line %d: take it from a backup", doc.DamagedLine())
	case doc.Broken != "":
		return raw, "", doc.Broken + ", and it cannot be told for sure what is yours: bring it back from version control or mend it by hand"
	}
	return raw, "", fmt.Sprintf("it bears another id than %q", k.ID)
}

// sound says that a text is the note, and can be kept up to date.
func (k LastKnown) sound(text []byte) bool {
	doc := note.ParseDocument(text)
	return doc.Broken == "" && doc.ID == k.ID && doc.Body != nil && doc.DamagedLine() == 0
}

// repairID puts the id back that a note has lost, or that is it but for a byte or two.
func (k LastKnown) repairID(text []byte) []byte {
	doc := note.ParseDocument(text)
	if doc.ID == k.ID || !doc.Front.Found || doc.Front.Rigid || doc.Front.Fields == nil {
		return text
	}
	line := string(note.AppendProperty(nil, note.Property{Key: note.KeyID, Value: k.ID}))
	if f := doc.Front.Field(note.KeyID); f != nil {
		if oneOff(doc.ID, k.ID) && !f.Fixed {
			return note.Splice(text, doc.EOL, []note.Edit{{Start: f.Start, End: f.End, Text: line}})
		}
		return text
	}
	return note.Splice(text, doc.EOL, []note.Edit{{Start: doc.Front.Start, End: doc.Front.Start, Text: line}})
}
