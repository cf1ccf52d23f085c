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
	v := versions{spelled: spellingOf(base, ours, theirs)}
	o, a, b := plainLines(base), plainLines(ours), plainLines(theirs)
	v.base, v.ours, v.theirs = versionOf(o), versionOf(a), versionOf(b)
	switch v.stray() {
	case strayOurs:
		return ours, true
	case strayTheirs:
		return theirs, true
	}
	var merged string
	if v.oneNote() {
		merged, clean = v.merge()
	}
	if !clean {
		o, a, b = v.rebased(o, a, b)
		merged, clean = mergeLines(o, a, b, withMarkers)
	}
	return v.spelled.apply(merged), clean
}

// versions are the three versions of one note, with LF line ends.
type versions struct {
	base, ours, theirs *note.Document // nil: not there, or no note that can be read
	spelled            spelling
}

func versionOf(text string) *note.Document {
	doc := note.ParseDocument([]byte(text))
	if doc.Broken != "" || doc.ID == "" || doc.Body == nil {
		return nil
	}
	return doc
}

// side is one of the versions.
type side int

const (
	strayNone side = iota
	strayOurs
	strayTheirs
)

// stray is the side that is another note than the two others, in whose place a
// version control system put it because it looks like a renamed one: a side that
// deleted one note and has a new one that begins alike.
func (v *versions) stray() side {
	switch {
	case v.base == nil || v.ours == nil || v.theirs == nil:
	case v.base.ID == v.ours.ID && v.base.ID != v.theirs.ID:
		return strayTheirs
	case v.base.ID == v.theirs.ID && v.base.ID != v.ours.ID:
		return strayOurs
	}
	return strayNone
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

func (v *versions) merge() (text string, clean bool) {
	o, a, b := v.rebased("", "", "")
	conflicts := 0
	text, _ = mergeLines(o, a, b, func(c conflict) string { conflicts++; return bothStand(c) })
	if conflicts > 0 && !v.ambiguous() {
		return "", false // human against human
	}
	doc := versionOf(text)
	return text, doc != nil && doc.ID == v.ours.ID
}

// rebased gives the three texts with the same rendering in all of them; the
// given ones where the versions are not of one note.
func (v *versions) rebased(base, ours, theirs string) (o, a, b string) {
	if v.ours == nil || v.theirs == nil || v.ours.ID != v.theirs.ID {
		return base, ours, theirs
	}
	r := v.commonRendering()
	a, b = r.rebase(v.ours), r.rebase(v.theirs)
	switch {
	case v.base != nil:
		o = r.rebase(v.base)
	case v.ours.Edited() == "":
		o = a
	case v.theirs.Edited() == "":
		o = b
	default:
		o = commonLines(a, b)
	}
	return o, a, b
}

// ambiguous says that in a region that a human changed it cannot be told which
// lines are ours: the renderings differ and not all are at hand.
func (v *versions) ambiguous() bool {
	r := v.commonRendering()
	for _, name := range []string{note.RegionBody, note.RegionNav} {
		sums := map[string]bool{}
		for _, doc := range []*note.Document{v.base, v.ours, v.theirs} {
			if reg := doc.Region(name); reg != nil {
				sums[reg.Begin.Sum] = true
			}
		}
		for sum := range sums {
			if _, known := r.texts[name+sum]; !known && len(sums) > 1 {
				return true
			}
		}
	}
	return false
}

// newerSide orders two sides by what they were made of: positive where a is to be
// preferred. The same two sides give the same answer in any order.
func newerSide(a, b *note.Document) int {
	version := func(d *note.Document) int {
		n := d.Body.Begin.Version
		if d.Props != nil {
			n = max(n, d.Props.Version)
		}
		return n
	}
	if c := cmp.Compare(version(a), version(b)); c != 0 {
		return c
	}
	more, less := minus(sourcesOf(a), sourcesOf(b)), minus(sourcesOf(b), sourcesOf(a))
	if (len(more) > 0) != (len(less) > 0) {
		return len(more) - len(less)
	}
	if c := updatedAt(a).Compare(updatedAt(b)); c != 0 {
		return c
	}
	if a.Body.Untouched() != b.Body.Untouched() {
		if a.Body.Untouched() {
			return 1
		}
		return -1
	}
	return bytes.Compare(a.Raw, b.Raw)
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
