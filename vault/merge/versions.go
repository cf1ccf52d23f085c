package merge

import (
	"bytes"
	"cmp"
	"maps"
	"time"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Versions merges two versions of a file, as git asks; base is nil if they have none in common.
//
// Notes of ours are first brought to the rendering of the version that knows more: generated text
// never conflicts, and what differs was written by humans. A canvas as we wrote it gives way to the
// other one; two of people's are a conflict, with ours in it. Where git took another note for one
// that was moved, that stays, and is a conflict if a human changed the moved one. Where two humans
// changed the same lines clean is false and both are between conflict markers.
func Versions(path string, base, ours, theirs []byte) (text []byte, clean bool) {
	switch {
	case bytes.Equal(ours, theirs), base != nil && bytes.Equal(base, theirs):
		return ours, true
	case base != nil && bytes.Equal(base, ours), IsAsWritten(path, ours):
		return theirs, true
	case IsAsWritten(path, theirs):
		return ours, true
	case isCanvas(path):
		return ours, false
	}
	o, a, b := plainLines(base), plainLines(ours), plainLines(theirs)
	v := versions{base: versionOf(o), ours: versionOf(a), theirs: versionOf(b)}
	if stray := v.stray(); stray != nil && stray == v.ours {
		return ours, v.sameWords(v.theirs)
	} else if stray != nil {
		return theirs, v.sameWords(v.ours)
	}
	merged := ""
	if v.oneNote() {
		r := v.commonRendering()
		o, a, b = v.rebased(r)
		if v.ambiguous(r) {
			merged, _ = mergeLines(o, a, b, bothStand)
			doc := versionOf(merged)
			clean = doc != nil && doc.ID == v.ours.ID
		}
	}
	if !clean {
		merged, clean = mergeLines(o, a, b, withMarkers)
	}
	return spelledLike(ours, merged), clean
}

// versions are the three versions of one note, with LF line ends.
type versions struct{ base, ours, theirs *note.Document } // nil: not there, or no note that can be read

func versionOf(text string) *note.Document {
	doc := note.ParseDocument([]byte(text))
	if doc.Broken != "" || doc.ID == "" || doc.Body == nil {
		return nil
	}
	return doc
}

// stray is the side that is another note than the others: git took it for the renamed one.
func (v *versions) stray() *note.Document {
	switch {
	case v.base == nil || v.ours == nil || v.theirs == nil || v.ours.ID == v.theirs.ID:
	case v.base.ID == v.ours.ID:
		return v.theirs
	case v.base.ID == v.theirs.ID:
		return v.ours
	}
	return nil
}

// sameWords reports whether no human changed anything of the base in a version.
func (v *versions) sameWords(in *note.Document) bool {
	if in.Edited() == "" {
		return true
	}
	pair := versions{base: v.base, ours: v.base, theirs: in}
	_, a, b := pair.rebased(pair.commonRendering())
	return a == b
}

func (v *versions) oneNote() bool {
	if v.ours == nil || v.theirs == nil || v.ours.ID != v.theirs.ID {
		return false
	}
	if v.base != nil && v.base.ID != v.ours.ID {
		v.base = nil
	}
	return true
}

// rebased returns the three texts with the same rendering in all of them.
func (v *versions) rebased(r commonRendering) (base, ours, theirs string) {
	ours, theirs = r.rebase(v.ours), r.rebase(v.theirs)
	switch {
	case v.base != nil:
		base = r.rebase(v.base)
	case v.ours.Edited() == "":
		base = ours
	case v.theirs.Edited() == "":
		base = theirs
	default:
		base = commonLines(ours, theirs)
	}
	return base, ours, theirs
}

// ambiguous reports whether the lines of an edited region that are ours cannot be determined.
func (v *versions) ambiguous(r commonRendering) bool {
	for _, name := range []string{note.RegionBody, note.RegionNav} {
		sums, unknown := map[string]bool{}, false
		for _, doc := range []*note.Document{v.base, v.ours, v.theirs} {
			if reg := doc.Region(name); reg != nil {
				_, known := r.texts[name+reg.End.Sum]
				sums[reg.End.Sum], unknown = true, unknown || !known
			}
		}
		if unknown && len(sums) > 1 {
			return true
		}
	}
	return false
}

// newerSide is positive where a is made of more, whatever the order of the sides.
func newerSide(a, b *note.Document) int {
	return cmp.Or(
		cmp.Compare(versionIn(a), versionIn(b)),
		cmp.Compare(len(minus(a.Layers(), b.Layers())), len(minus(b.Layers(), a.Layers()))),
		updatedAt(a).Compare(updatedAt(b)),
		cmp.Compare(len(a.Edited()), 0)-cmp.Compare(len(b.Edited()), 0),
		bytes.Compare(a.Raw, b.Raw))
}

func versionIn(doc *note.Document) int {
	if doc.Comment == nil {
		return 0
	}
	return doc.Comment.Version
}

func updatedAt(doc *note.Document) time.Time {
	var at time.Time
	if f := doc.Front.Field(note.KeyUpdated); f != nil {
		at, _ = f.Value.(time.Time)
	}
	return at
}

// commonRendering has the generated parts of the richer side. A part that only one side rendered
// again is that side's.
type commonRendering struct {
	body, nav, comment *note.Document    // whose part it is
	texts              map[string]string // name and hash of a region → the text we rendered
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
				return reg.End.Sum
			}
			return ""
		}
	}
	r := commonRendering{texts: map[string]string{}}
	r.body, r.nav, r.comment = pick(sum(note.RegionBody)), pick(sum(note.RegionNav)), pick(commentText)
	for _, d := range []*note.Document{best, other, v.base} {
		for _, name := range []string{note.RegionBody, note.RegionNav} {
			if reg := d.Region(name); reg != nil && reg.Untouched() {
				r.texts[name+reg.End.Sum] = reg.Text
			}
		}
	}
	return r
}

// commentText is the comment for the program, without what a human wrote there.
func commentText(doc *note.Document) string {
	if doc == nil || doc.Comment == nil {
		return ""
	}
	return doc.Comment.Rows()
}

// rebase puts the rendering in place of a version's. What a human changed stays.
func (r *commonRendering) rebase(doc *note.Document) string {
	edits := r.rebaseProps(doc)
	edits = append(edits, r.rebaseRegion(doc.Body, r.body.Body, note.RegionBody)...)
	switch from := r.nav.Nav; {
	case from != nil && doc.Nav != nil:
		edits = append(edits, r.rebaseRegion(doc.Nav, from, note.RegionNav)...)
	case from != nil:
		if text, known := r.texts[note.RegionNav+from.End.Sum]; known {
			edits = append(edits, addNav(doc, text))
		}
	case doc.Nav != nil:
		var p Plan
		edits = append(edits, p.renewNav(doc, Draft{Nav: new("")})...)
	}
	return string(note.Splice(doc.Raw, "\n", edits))
}

// rebaseRegion gives a region the rendering's closing line and text, with edits merged in.
func (r *commonRendering) rebaseRegion(reg, from *note.Region, name string) []note.Edit {
	text := reg.Text
	if ours, known := r.texts[name+from.End.Sum]; known && reg.End.Sum != from.End.Sum {
		last, told := r.texts[name+reg.End.Sum]
		switch {
		case reg.Untouched():
			text = ours
		case told:
			text = threeWay(last, text, ours).text
		}
	}
	end := note.Closing(name, from.End.Sum)
	if text == reg.Text {
		return []note.Edit{{Start: reg.End.Start, End: reg.End.End, Text: end}}
	}
	return []note.Edit{{Start: reg.Begin.End, End: reg.End.End, Text: text + end}}
}

// rebaseProps sets our properties and the comment to the newest values.
func (r *commonRendering) rebaseProps(doc *note.Document) []note.Edit {
	if doc.Comment == nil || r.comment.Comment == nil {
		return nil
	}
	renewal := newPropsRenewal(doc)
	renewal.last = maps.Clone(renewal.last)
	props := ownProps(r.comment)
	for _, p := range props {
		if p.Value == nil {
			delete(renewal.last, p.Key) // only humans' values are at hand: each keeps its own
		}
	}
	renewal.run(props)
	edits := renewal.edits
	if len(edits) > 0 && (doc.Front.Rigid || !renewal.holds()) {
		edits = nil
	}
	return append(edits, doc.Comment.Edits(doc.Raw, *r.comment.Comment)...)
}
