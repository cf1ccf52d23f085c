package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// commonRendering is what the versions of a note are brought to before they are
// merged: the generated parts of the richer side, as far as they are known. A
// part that only one side rendered anew is that side's.
type commonRendering struct {
	body, nav, props *note.Document    // whose part it is
	texts            map[string]string // name and hash of a region → the text we rendered
}

func (v *versions) commonRendering() commonRendering {
	best, other := v.ours, v.theirs
	if newerSide(best, other) < 0 {
		best, other = other, best
	}
	pick := func(part func(*note.Document) string) *note.Document {
		if v.base != nil && part(best) == part(v.base) && part(other) != part(v.base) {
			return other
		}
		return best
	}
	sum := func(name string) func(*note.Document) string {
		return func(d *note.Document) string {
			if reg := d.Region(name); reg != nil {
				return reg.Begin.Sum
			}
			return ""
		}
	}
	r := commonRendering{texts: map[string]string{}}
	r.body, r.nav, r.props = pick(sum(note.RegionBody)), pick(sum(note.RegionNav)), pick((*note.Document).PropsLine)
	for _, d := range []*note.Document{best, other, v.base} {
		for _, name := range []string{note.RegionBody, note.RegionNav} {
			if reg := d.Region(name); reg != nil && reg.Untouched() {
				r.texts[name+reg.Begin.Sum] = reg.Text
			}
		}
	}
	return r
}

// rebase puts the generated parts of the rendering in the place of those of a
// version. What a human changed in it stays.
func (r *commonRendering) rebase(doc *note.Document) string {
	edits := r.rebaseProps(doc)
	edits = append(edits, r.rebaseRegion(doc.Body, r.body.Body, r.body.Raw, note.RegionBody)...)
	switch from := r.nav.Nav; {
	case from != nil && doc.Nav != nil:
		edits = append(edits, r.rebaseRegion(doc.Nav, from, r.nav.Raw, note.RegionNav)...)
	case from != nil:
		if text, known := r.texts[note.RegionNav+from.Begin.Sum]; known {
			edits = append(edits, addNav(doc, text))
		}
	case doc.Nav != nil:
		var p Plan
		empty := ""
		edits = append(edits, p.renewNav(doc, Draft{Nav: &empty})...)
	}
	return string(note.Splice(doc.Raw, "\n", edits))
}

// rebaseRegion gives a region the begin line of the rendering and, where it is
// known, its text, merged with what a human made of the region's own.
func (r *commonRendering) rebaseRegion(reg, from *note.Region, raw []byte, name string) []note.Edit {
	line := string(raw[from.Begin.Start:from.Begin.End])
	text := reg.Text
	if ours, known := r.texts[name+from.Begin.Sum]; known && reg.Begin.Sum != from.Begin.Sum {
		last, told := r.texts[name+reg.Begin.Sum]
		switch {
		case reg.Untouched():
			text = ours
		case told:
			text = threeWay(last, text, ours).text
		}
	}
	if text == reg.Text {
		return []note.Edit{{Start: reg.Begin.Start, End: reg.Begin.End, Text: line}}
	}
	return []note.Edit{{Start: reg.Begin.Start, End: reg.End.Start, Text: line + text}}
}

// rebaseProps gives the properties that we rendered their newest values, and the
// line of the fingerprints that of the rendering.
func (r *commonRendering) rebaseProps(doc *note.Document) []note.Edit {
	if doc.Props == nil || r.props.Props == nil {
		return nil
	}
	renewal := newPropsRenewal(doc, Draft{})
	renewal.last = maps.Clone(renewal.last)
	props := r.properties()
	for key := range r.props.Props.Prints {
		if !note.HasProperty(props, key) {
			delete(renewal.last, key) // only humans' values are at hand: each keeps its own
		}
	}
	renewal.run(props)
	edits := renewal.edits
	if len(edits) > 0 && (doc.Front.Rigid || !renewal.holds()) {
		edits = nil
	}
	line := strings.TrimSuffix(r.props.PropsLine(), "\n") + "\n"
	return append(edits, note.Edit{Start: doc.Props.Start, End: doc.Props.End, Text: line})
}

// properties are those of the rendering as far as its version shows them unchanged.
func (r *commonRendering) properties() []note.Property {
	var props []note.Property
	prints := r.props.Props.Prints
	for _, f := range r.props.Front.Fields {
		if prints[f.Key] != nil && note.IsSet(f.Key) {
			ours := slices.DeleteFunc(slices.Clone(f.Entries), func(s string) bool { return !prints.Wrote(f.Key, []string{s}) })
			props = append(props, note.Property{Key: f.Key, Value: ours})
		} else if f.Value != nil && prints.Wrote(f.Key, f.Entries) {
			props = append(props, note.Property{Key: f.Key, Value: f.Value})
		}
	}
	return props
}
