package vault

import (
	"maps"
	"slices"
	"strings"
)

// rendering is what the versions of a note are brought to before they are
// merged: the generated parts of the richer side, as far as they are known. A
// part that only one side rendered anew is that side's.
type rendering struct {
	body, nav, props *document         // whose part it is
	texts            map[string]string // name and hash of a region → the text we rendered
	docs             []*document       // in which rendered properties are looked for
}

func (v *versions) rendering() rendering {
	best, other := v.ours, v.theirs
	if richer(best, other) < 0 {
		best, other = other, best
	}
	pick := func(print func(*document) string) *document {
		switch was, is := print(v.base), print(best); {
		case v.base == nil || is != was:
			return best
		case print(other) != was:
			return other
		}
		return best
	}
	sum := func(name string) func(*document) string {
		return func(d *document) string {
			if reg := d.region(name); reg != nil {
				return reg.begin.sum
			}
			return ""
		}
	}
	r := rendering{texts: map[string]string{}, docs: []*document{best, other}}
	r.body, r.nav, r.props = pick(sum(regionBody)), pick(sum(regionNav)), pick((*document).propsLine)
	if v.base != nil {
		r.docs = append(r.docs, v.base)
	}
	for _, d := range r.docs {
		for _, name := range []string{regionBody, regionNav} {
			if reg := d.region(name); reg != nil && reg.untouched() {
				r.texts[name+reg.begin.sum] = reg.text
			}
		}
	}
	return r
}

// propsLine is the line of the fingerprints as it stands.
func (doc *document) propsLine() string {
	if doc == nil || doc.props == nil {
		return ""
	}
	return string(doc.raw[doc.props.start:doc.props.end])
}

// bring puts the generated parts of the rendering in the place of those of a
// version. What a human changed in it stays.
func (r *rendering) bring(doc *document) string {
	edits := r.bringProps(doc)
	edits = append(edits, r.bringRegion(doc.body, r.body.body, r.body.raw, regionBody)...)
	switch from := r.nav.nav; {
	case from != nil && doc.nav != nil:
		edits = append(edits, r.bringRegion(doc.nav, from, r.nav.raw, regionNav)...)
	case from != nil:
		if text, known := r.texts[regionNav+from.begin.sum]; known {
			edits = append(edits, addNav(doc, text))
		}
	case doc.nav != nil:
		var p plan
		empty := ""
		edits = append(edits, p.renewNav(doc, Draft{Nav: &empty})...)
	}
	return string(splice(doc.raw, "\n", edits))
}

// bringRegion gives a region the begin line of the rendering and, where it is
// known, its text, merged with what a human made of the region's own.
func (r *rendering) bringRegion(reg, from *region, raw []byte, name string) []edit {
	line := string(raw[from.begin.start:from.begin.end])
	text := reg.text
	if ours, known := r.texts[name+from.begin.sum]; known && reg.begin.sum != from.begin.sum {
		last, told := r.texts[name+reg.begin.sum]
		switch {
		case reg.untouched():
			text = ours
		case told:
			text = merge3(last, text, ours).text
		}
	}
	if text == reg.text {
		return []edit{{start: reg.begin.start, end: reg.begin.end, text: line}}
	}
	return []edit{{start: reg.begin.start, end: reg.end.start, text: line + text}}
}

// bringProps gives the properties that we rendered their newest values, and the
// line of the fingerprints that of the rendering.
func (r *rendering) bringProps(doc *document) []edit {
	if doc.props == nil || r.props.props == nil {
		return nil
	}
	renewal := newPropsRenewal(doc, Draft{})
	renewal.last = maps.Clone(renewal.last)
	props := r.properties()
	for key := range r.props.props.prints {
		if !hasProperty(props, key) {
			delete(renewal.last, key) // only humans' values are at hand: each keeps its own
		}
	}
	renewal.run(props)
	edits := renewal.edits
	if len(edits) > 0 && (doc.front.rigid || !renewal.holds()) {
		edits = nil
	}
	line := strings.TrimSuffix(r.props.propsLine(), "\n") + "\n"
	return append(edits, edit{start: doc.props.start, end: doc.props.end, text: line})
}

// properties are those of the rendering as far as one of the versions shows
// them unchanged.
func (r *rendering) properties() []Property {
	prints := r.props.props.prints
	var props []Property
	for _, f := range r.props.front.fields { // first those that stand there, in their order
		if p, ok := r.property(f.key, prints[f.key]); ok {
			props = append(props, p)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(prints)) {
		if hasProperty(props, key) {
			continue
		}
		if p, ok := r.property(key, prints[key]); ok {
			props = append(props, p)
		}
	}
	return props
}

func (r *rendering) property(key string, prints []string) (Property, bool) {
	if isSet(key) && prints != nil {
		return Property{Key: key, Value: r.setEntries(key, prints)}, true
	}
	for _, doc := range r.docs {
		if f := doc.front.field(key); f != nil && prints != nil && slices.Equal(fingerprints(key, f.entries), prints) {
			return Property{Key: key, Value: f.value}, f.value != nil
		}
	}
	return Property{}, false
}

// setEntries finds the entries of a set by their fingerprints.
func (r *rendering) setEntries(key string, prints []string) []string {
	found := []string{}
	for _, print := range prints {
		for _, doc := range r.docs {
			f := doc.front.field(key)
			if f == nil {
				continue
			}
			i := slices.IndexFunc(f.entries, func(s string) bool { return fingerprints(key, []string{s})[0] == print })
			if i >= 0 && !slices.Contains(found, f.entries[i]) {
				found = append(found, f.entries[i])
				break
			}
		}
	}
	return found
}
