package merge

import (
	"errors"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Transformed makes of what is ours in a note what the draft's Transform says: whole regions nobody
// touched, our lines of edited ones whose base is known, and properties as we wrote them.
func Transformed(doc *note.Document, in Draft) (Draft, error) {
	var failed error
	changed := func(text string) string {
		out, err := in.Transform(text)
		failed = errors.Join(failed, err)
		return out
	}
	region := func(r *note.Region, base *string) *string {
		if r == nil || base == nil || note.Hash([]byte(*base)) != r.End.Sum {
			return nil
		}
		if next := changed(*base); next != *base {
			return &next
		}
		return nil
	}
	if doc.Comment != nil {
		in.Facts = slices.Clone(doc.Comment.Facts)
	}
	for i := range in.Facts {
		in.Facts[i].Value = changed(in.Facts[i].Value)
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
	in.Available = doc.Layers() // it is made of the note itself
	return in, failed
}

// ownProps are our properties in the order of the note, those without a value at the end.
func ownProps(doc *note.Document) []note.Property {
	if doc.Comment == nil {
		return nil
	}
	props, left := []note.Property{}, maps.Clone(doc.Comment.Prints)
	for _, f := range doc.Front.Fields {
		prints, ours := left[f.Key]
		if !ours {
			continue
		}
		delete(left, f.Key)
		props = append(props, note.Property{Key: f.Key, Value: ownValue(f, prints)})
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		props = append(props, note.Property{Key: key})
	}
	return props
}

// ownValue is the value of a field, or what of a set, has one of these fingerprints.
func ownValue(f note.Field, prints []string) any {
	there := note.Fingerprints(f.Key, f.Entries)
	list, isList := f.Value.([]string)
	switch {
	case note.IsSet(f.Key):
		return ownEntries(f.Entries, there, prints)
	case !slices.Equal(there, prints):
		return nil
	case isList:
		return slices.Clone(list)
	case f.Value == nil: // so another program spells it
		return ""
	}
	return f.Value
}

// ownEntries are the entries of a set that have one of prints.
func ownEntries(entries, there, prints []string) []string {
	ours := []string{}
	for i, e := range entries {
		if slices.Contains(prints, there[i]) {
			ours = append(ours, e)
		}
	}
	return ours
}
