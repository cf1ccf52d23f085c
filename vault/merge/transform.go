package merge

import (
	"errors"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Transformed is the draft by which a note says what the Transform of a draft makes of
// what is ours in it. A region nobody touched becomes what it makes of it; in one that its
// user edited the lines that are still ours do, as far as it is known what it was made
// from. Of the properties those change that stand as we wrote them.
func Transformed(doc *note.Document, in Draft) (Draft, error) {
	var failed error
	changed := func(text string) string {
		out, err := in.Transform(text)
		failed = errors.Join(failed, err)
		return out
	}
	region := func(r *note.Region, base *string) *string {
		if r == nil || base == nil || note.Hash([]byte(*base)) != r.Begin.Sum {
			return nil
		}
		if next := changed(*base); next != *base {
			return &next
		}
		return nil
	}
	in.Props, in.Body, in.Nav = ownProps(doc), region(doc.Body, in.BaseBody), region(doc.Nav, in.BaseNav)
	for i, p := range in.Props {
		switch v := p.Value.(type) {
		case string:
			in.Props[i].Value = changed(v)
		case []string:
			for j := range v {
				v[j] = changed(v[j])
			}
		}
	}
	in.Available = sourcesOf(doc) // it is made of the note itself
	return in, failed
}

// ownProps are the properties in the order of the line of their fingerprints, with the
// values, and the entries of sets, that stand as we wrote them.
func ownProps(doc *note.Document) []note.Property {
	props := []note.Property{}
	for _, field := range strings.Fields(doc.PropsLine()) {
		key, _, ok := strings.Cut(field, "=")
		if !ok {
			continue
		}
		p := note.Property{Key: key}
		if f, prints := doc.Front.Field(key), doc.Props.Prints[key]; f != nil {
			there := note.Fingerprints(key, f.Entries)
			list, isList := f.Value.([]string)
			switch {
			case note.IsSet(key):
				p.Value = ownEntries(f.Entries, there, prints)
			case !slices.Equal(there, prints):
			case isList:
				p.Value = slices.Clone(list)
			case f.Value == nil: // so another program spells it
				p.Value = ""
			default:
				p.Value = f.Value
			}
		}
		props = append(props, p)
	}
	return props
}

// ownEntries are those entries of a set, of the fingerprints there, that have one of
// prints, in the order of these.
func ownEntries(entries, there, prints []string) []string {
	ours := []string{}
	for _, p := range prints {
		if at := slices.Index(there, p); at >= 0 {
			ours = append(ours, entries[at])
		}
	}
	return ours
}
