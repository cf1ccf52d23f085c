package merge

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Loses tells what of a note with an id is a human's and not in the text that
// is to take its place; empty: nothing. What stands in our regions is not
// looked at.
func Loses(doc *note.Document, id string, text []byte) string {
	if reason := doc.Unwritable(id); reason != "" {
		return reason
	}
	next := note.ParseDocument(text)
	if !bytes.Equal(ownLines(doc), ownLines(next)) {
		return "the plan would change text that is not ours"
	}
	if doc.Props == nil {
		return ""
	}
	for _, f := range doc.Front.Fields {
		now := next.Front.Field(f.Key)
		for _, e := range theirEntries(doc, f) {
			if now == nil || len(minus([]string{e}, now.Entries)) > 0 {
				return fmt.Sprintf("the plan would change the property %q, which is not ours", f.Key)
			}
		}
	}
	return ""
}

// ownLines are the lines outside of what we manage, without blank ones: those
// around a region come and go with it.
func ownLines(doc *note.Document) []byte {
	var out []byte
	for line := range bytes.Lines(bytes.Join(doc.Outside(), []byte("\n"))) {
		if len(bytes.TrimSpace(line)) > 0 {
			out = append(append(out, bytes.TrimRight(line, "\n")...), '\n')
		}
	}
	return out
}

// theirEntries are the entries of a property that we did not write.
func theirEntries(doc *note.Document, f note.Field) []string {
	last := doc.Props.Prints
	switch {
	case f.Key == note.KeyID || last.Wrote(f.Key, f.Entries):
		return nil
	case note.IsSet(f.Key):
		return slices.DeleteFunc(slices.Clone(f.Entries), func(e string) bool { return last.Wrote(f.Key, []string{e}) })
	}
	return f.Entries
}
