package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Known is what is remembered of a note of ours: what mending it starts from.
type Known struct {
	ID        string
	Props     []Property // as we last wrote them; nil: unknown
	Body, Nav *string    // as in [Draft].BaseBody; nil: unknown
	// Hash is that of the whole text as it was last seen, and Stamp that of the file.
	// What stands in a file of that stamp was written by no program since: whatever
	// is other in it is damage. Empty: unknown.
	Hash  string
	Stamp Stamp
}

// Mended is what became of a damaged note: Done says in plain words what was done,
// or else Left why it was left as it is.
type Mended struct {
	Done, Left string
	Old, New   []byte // whole texts, only with Options.Texts
}

// Mend brings a note back into a form in which it is kept up to date: marker
// lines that are damaged or gone, an id that is gone, bytes that a crash of the
// system left, the end that was cut off. Only what is ours is put back, and only
// where it is sure what stood there: every line that a human may have written
// stays, byte for byte. A file that is gone is [fs.ErrNotExist].
func (v *Vault) Mend(ctx context.Context, p string, k Known) (Mended, error) {
	if err := errors.Join(canceled(ctx), note.CheckPath(p)); err != nil {
		return Mended{}, err
	}
	m, err := v.mend(p, k)
	if err != nil {
		return Mended{}, fmt.Errorf("mend note %q: %w", p, err)
	}
	if !v.opt.Texts {
		m.Old, m.New = nil, nil
	}
	return m, nil
}

func (v *Vault) mend(p string, k Known) (Mended, error) {
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return Mended{}, err
	}
	defer v.folders.done(f)
	for range maxTries {
		was, err := f.readFile(path.Base(p))
		if err != nil {
			return Mended{}, err
		}
		now := k
		if was.stamp != k.Stamp {
			now.Hash = "" // somebody saved it since: it may hold anything
		}
		text, m := now.mend(was.text)
		if m.Done == "" {
			return m, nil
		}
		m.Old, m.New = was.text, text
		if v.opt.DryRun {
			v.folders.rehearsal.put(Result{Outcome: Updated, Path: p, Note: note.Parse(p, text), Old: was.text, New: text})
			return m, nil
		}
		if _, err = v.replace(f, path.Base(p), was, text); !errors.Is(err, errMoved) {
			return m, err
		}
	}
	return Mended{Left: "it is being edited right now"}, nil
}

// mend gives the whole text of a damaged note.
func (k Known) mend(raw []byte) ([]byte, Mended) {
	if k.ID == "" {
		return raw, Mended{Left: "it is not known which note it is"}
	}
	if whole, ok := k.whole(raw); ok && !bytes.Equal(whole, raw) {
		return whole, Mended{Done: "put back as it was written: nothing else is in it"}
	}
	text := k.mendLines(raw)
	text = k.mendID(text)
	text = k.mendMarkers(text)
	if k.sound(text) && !bytes.Equal(text, raw) {
		return text, Mended{Done: "mended what is ours in it; all else is as it was"}
	}
	if k.sound(raw) {
		return raw, Mended{Left: "nothing in it is damaged"}
	}
	doc := note.ParseDocument(text)
	switch {
	case doc.DamagedLine() > 0:
		return raw, Mended{Left: fmt.Sprintf("it is not known what stood in its line %d: take it from a backup", doc.DamagedLine())}
	case doc.Broken != "":
		return raw, Mended{Left: doc.Broken + ", and it cannot be told for sure what is yours: bring it back from version control or mend it by hand"}
	}
	return raw, Mended{Left: fmt.Sprintf("it bears another id than %q", k.ID)}
}

// sound says that a text is the note, and can be kept up to date.
func (k Known) sound(text []byte) bool {
	doc := note.ParseDocument(text)
	return doc.Broken == "" && doc.ID == k.ID && doc.Body != nil && doc.DamagedLine() == 0
}

// mendID puts the id back that a note has lost, or that is it but for a byte or two.
func (k Known) mendID(text []byte) []byte {
	doc := note.ParseDocument(text)
	if doc.ID == k.ID || !doc.Front.Found || doc.Front.Rigid || doc.Front.Fields == nil {
		return text
	}
	line := string(note.AppendProperty(nil, Property{Key: note.KeyID, Value: k.ID}))
	if f := doc.Front.Field(note.KeyID); f != nil {
		if oneOff(doc.ID, k.ID) && !f.Fixed {
			return note.Splice(text, doc.EOL, []note.Edit{{Start: f.Start, End: f.End, Text: line}})
		}
		return text
	}
	return note.Splice(text, doc.EOL, []note.Edit{{Start: doc.Front.Start, End: doc.Front.Start, Text: line}})
}
