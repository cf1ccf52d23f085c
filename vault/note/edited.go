package note

import "bytes"

// Unwritable tells why nothing of the note may be written, empty if it may.
func (doc *Document) Unwritable(id string) string {
	switch {
	case len(doc.Raw) == 0:
		return "the note is empty: it is being saved"
	case doc.Broken != "":
		return doc.Broken
	case doc.ID != id:
		return "it is no longer the note it was: its id is missing or another"
	}
	return ""
}

// Newer says that a newer version wrote the note: it may hold more than this one
// can make of the same.
func (doc *Document) Newer() bool {
	return doc.Body.Begin.Version > Version || doc.Props != nil && doc.Props.Version > Version
}

// Edited tells what of a note is not as this version rendered it, empty if all of
// it is.
func (doc *Document) Edited() string {
	switch {
	case doc.Newer():
		return "it was written by a newer version"
	case !doc.Body.Untouched():
		return "body edited"
	case doc.Nav != nil && !doc.Nav.Untouched(), doc.Nav == nil && doc.Props != nil && !doc.Props.Bare:
		return "links edited"
	case doc.Props == nil || doc.Front.commented || !doc.onlyOurProps():
		return "frontmatter edited"
	case len(bytes.TrimSpace(bytes.Join(doc.Outside(), nil))) > 0:
		return "text was added"
	}
	return ""
}

func (doc *Document) onlyOurProps() bool {
	last := doc.Props.Prints
	count := 0
	for _, f := range doc.Front.Fields {
		if f.Key == KeyID {
			continue
		}
		count++
		prints := Fingerprints(f.Key, f.Entries)
		if !last.Wrote(f.Key, f.Entries) || len(prints) != len(last[f.Key]) {
			return false
		}
	}
	return count == len(last)
}
