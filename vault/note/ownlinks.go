package note

import "strings"

// EachOwnLink visits the links that we wrote: those of properties and regions
// that nobody changed. In an edited region it cannot be told whose a link is.
func (doc *Document) EachOwnLink(at string, visit func(Link)) {
	if doc.Props != nil {
		for _, f := range doc.Front.Fields {
			if !doc.Props.Prints.Wrote(f.Key, f.Entries) {
				continue
			}
			for _, e := range f.Entries {
				if l, ok := propertyLink(e); ok {
					l.Line = LineOf(doc.Raw, f.Start)
					visit(l)
				}
			}
		}
	}
	for _, r := range []*Region{doc.Body, doc.Nav} {
		if r != nil && r.Untouched() {
			eachLink(r.Text, at, LineOf(doc.Raw, r.Begin.End), visit)
		}
	}
}

// propertyLink reads the value of a property, which is a link only as a whole.
func propertyLink(value string) (Link, bool) {
	inner, ok := strings.CutPrefix(value, "[[")
	if ok {
		inner, ok = strings.CutSuffix(inner, "]]")
	}
	if !ok || strings.Contains(inner, "]]") || strings.Contains(inner, "[[") {
		return Link{}, false
	}
	return wikiTarget(inner)
}
