package merge

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Versions brings together two versions of a file that were made from one,
// on two machines say; base is nil where they have no common one. It is what
// git asks when it merges or rebases.
//
// Of a note of ours all three are first brought to the same rendering, that of
// the version that knows more: what differs after that was written by humans,
// and is merged by line. So generated text never conflicts; an outdated line of
// it is written anew by the next pass. Any other file is merged by line as it
// is. Where two humans changed the same lines clean is false and the text holds
// both, between the usual conflict markers.
func Versions(base, ours, theirs []byte) (text []byte, clean bool) {
	switch {
	case bytes.Equal(ours, theirs), base != nil && bytes.Equal(base, theirs):
		return ours, true
	case base != nil && bytes.Equal(base, ours):
		return theirs, true
	}
	o, a, b := plainLines(base), plainLines(ours), plainLines(theirs)
	v := versions{base: versionOf(o), ours: versionOf(a), theirs: versionOf(b)}
	switch stray := v.stray(); {
	case stray == nil:
	case stray == v.ours:
		return ours, true
	default:
		return theirs, true
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

// stray is the side, if any, that is another note than the two others, in whose place a
// version control system put it because it looks like a renamed one: a side that
// deleted one note and has a new one that begins alike.
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

// oneNote says that both sides are versions of one note of ours.
func (v *versions) oneNote() bool {
	if v.ours == nil || v.theirs == nil || v.ours.ID != v.theirs.ID {
		return false
	}
	if v.base != nil && v.base.ID != v.ours.ID {
		v.base = nil
	}
	return true
}

// rebased gives the three texts with the same rendering in all of them.
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

// ambiguous says that in a region that a human changed it cannot be told which
// lines are ours: the renderings differ and not all are at hand.
func (v *versions) ambiguous(r commonRendering) bool {
	for _, name := range []string{note.RegionBody, note.RegionNav} {
		sums, unknown := map[string]bool{}, false
		for _, doc := range []*note.Document{v.base, v.ours, v.theirs} {
			if reg := doc.Region(name); reg != nil {
				_, known := r.texts[name+reg.Begin.Sum]
				sums[reg.Begin.Sum], unknown = true, unknown || !known
			}
		}
		if unknown && len(sums) > 1 {
			return true
		}
	}
	return false
}

// newerSide orders two sides by what they were made of: positive where a is to be
// preferred. The same two sides give the same answer in any order.
func newerSide(a, b *note.Document) int {
	return cmp.Or(
		cmp.Compare(versionIn(a), versionIn(b)),
		cmp.Compare(len(minus(sourcesOf(a), sourcesOf(b))), len(minus(sourcesOf(b), sourcesOf(a)))),
		updatedAt(a).Compare(updatedAt(b)),
		cmp.Compare(len(a.Edited()), 0)-cmp.Compare(len(b.Edited()), 0),
		bytes.Compare(a.Raw, b.Raw))
}

// versionIn is the newest version that wrote in a note.
func versionIn(doc *note.Document) int {
	if doc.Props == nil {
		return doc.Body.Begin.Version
	}
	return max(doc.Body.Begin.Version, doc.Props.Version)
}

// sourcesOf are the layers a note was made from.
func sourcesOf(doc *note.Document) []string {
	if f := doc.Front.Field(note.KeySources); f != nil {
		return slices.Clone(f.Entries)
	}
	return nil
}

func updatedAt(doc *note.Document) time.Time {
	var at time.Time
	if f := doc.Front.Field(note.KeyUpdated); f != nil {
		at, _ = f.Value.(time.Time)
	}
	return at
}
