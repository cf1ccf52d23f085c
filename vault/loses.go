package vault

import (
	"bytes"
	"fmt"
	"slices"
)

// loses tells what of a note is a human's and not in the planned text; empty:
// nothing. What stands in our regions is not looked at.
func (doc *document) loses(t Target) string {
	if reason := doc.handsOff(t.ID); reason != "" {
		return reason
	}
	next := takeApart(t.Text)
	if !bytes.Equal(doc.ownLines(), next.ownLines()) {
		return "the plan would change text that is not ours"
	}
	if doc.props == nil {
		return ""
	}
	for _, f := range doc.front.fields {
		now := next.front.field(f.key)
		for _, e := range doc.theirEntries(f) {
			if now == nil || len(minus([]string{e}, now.entries)) > 0 {
				return fmt.Sprintf("the plan would change the property %q, which is not ours", f.key)
			}
		}
	}
	return ""
}

// ownLines are the lines outside of what we manage, without blank ones: those
// around a region come and go with it.
func (doc *document) ownLines() []byte {
	var out []byte
	for line := range bytes.Lines(bytes.Join(doc.outside(), []byte("\n"))) {
		if len(bytes.TrimSpace(line)) > 0 {
			out = append(append(out, bytes.TrimRight(line, "\n")...), '\n')
		}
	}
	return out
}

// theirEntries are the entries of a property that we did not write.
func (doc *document) theirEntries(f field) []string {
	last := doc.props.prints
	switch {
	case f.key == keyID || last.wrote(f.key, f.entries):
		return nil
	case isSet(f.key):
		return slices.DeleteFunc(slices.Clone(f.entries), func(e string) bool { return last.wrote(f.key, []string{e}) })
	}
	return f.entries
}
