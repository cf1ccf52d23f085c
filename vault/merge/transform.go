package merge

import (
	"errors"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// transform has a draft ask for what its Transform makes of a note. edits give that its other
// id; rigid says that it cannot have one.
func (p *Plan) transform(doc *note.Document, in *Draft) (edits []note.Edit, rigid bool) {
	if in.Transform == nil {
		return nil, false
	}
	change := p.changed(in.Transform)
	in.Props, in.Body, in.Nav = nil, transformed(doc.Body, in.BaseBody, change), transformed(doc.Nav, in.BaseNav, change)
	if in.NewID == in.ID {
		return nil, false
	}
	field := doc.Front.Field(note.KeyID)
	if field == nil || doc.Front.Rigid {
		return nil, true
	}
	line := string(note.AppendProperty(nil, note.Property{Key: note.KeyID, Value: in.NewID}))
	return []note.Edit{{Start: field.Start, End: field.End, Text: line}}, false
}

// changed is a change whose failures the plan gathers.
func (p *Plan) changed(change func(string) (string, error)) func(string) string {
	return func(text string) string {
		out, err := change(text)
		p.Err = errors.Join(p.Err, err)
		return out
	}
}

// transformed is what change makes of what a region was made from, nil where there
// is nothing to change or nobody knows it.
func transformed(r *note.Region, base *string, change func(string) string) *string {
	if r == nil || base == nil || note.Hash([]byte(*base)) != r.Begin.Sum {
		return nil
	}
	if next := change(*base); next != *base {
		return &next
	}
	return nil
}

// transform passes the properties that stand as we wrote them through change.
func (r *propsRenewal) transform(change func(string) string) {
	for i := range r.doc.Front.Fields {
		f := &r.doc.Front.Fields[i]
		switch {
		case f.Key == note.KeyID:
		case note.IsSet(f.Key):
			r.transformSet(f, change)
		case r.last.Wrote(f.Key, f.Entries):
			value := transformedValue(f.Value, change)
			if !sameValue(f.Key, f.Entries, note.Entries(f.Key, value)) {
				r.renew(note.Property{Key: f.Key, Value: value})
			}
		}
	}
}

func (r *propsRenewal) transformSet(f *note.Field, change func(string) string) {
	var ours []string
	changed := false
	for _, e := range f.Entries {
		if r.last.Wrote(f.Key, []string{e}) {
			now := change(e)
			changed = changed || now != e
			ours = append(ours, now)
		}
	}
	if changed {
		r.renewSet(f.Key, f, ours)
	}
}

// propsOrder are the properties as the line of their fingerprints names them.
func propsOrder(doc *note.Document) []note.Property {
	var order []note.Property
	for _, field := range strings.Fields(doc.PropsLine()) {
		if key, _, ok := strings.Cut(field, "="); ok {
			order = append(order, note.Property{Key: key})
		}
	}
	return order
}

func transformedValue(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []string:
		out := make([]string, len(v))
		for i := range v {
			out[i] = change(v[i])
		}
		return out
	}
	return value
}
