package vault

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// MergeVersions brings together two versions of a file that were made from one,
// on two machines say; base is nil where they have no common one. It is what
// git asks when it merges or rebases.
//
// Of a note of ours all three are first brought to the same rendering, that of
// the version that knows more: what differs after that was written by humans,
// and is merged by line. So generated text never conflicts; an outdated line of
// it is written anew by the next pass. Any other file is merged by line as it
// is. Where two humans changed the same lines clean is false and the text holds
// both, between the usual conflict markers.
func MergeVersions(base, ours, theirs []byte) (text []byte, clean bool) {
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
		o, a, b = v.brought(o, a, b)
		merged, clean = mergeLines(o, a, b, withMarkers)
	}
	return v.spelled.apply(merged), clean
}

// versions are the three versions of one note, with LF line ends.
type versions struct {
	base, ours, theirs *document // nil: not there, or no note that can be read
	spelled            spelling
}

func versionOf(text string) *document {
	doc := takeApart([]byte(text))
	if doc.broken != "" || doc.id == "" || doc.body == nil {
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
	case v.base.id == v.ours.id && v.base.id != v.theirs.id:
		return strayTheirs
	case v.base.id == v.theirs.id && v.base.id != v.ours.id:
		return strayOurs
	}
	return strayNone
}

// oneNote says that both sides are versions of one note of ours.
func (v *versions) oneNote() bool {
	if v.ours == nil || v.theirs == nil || v.ours.id != v.theirs.id {
		return false
	}
	if v.base != nil && v.base.id != v.ours.id {
		v.base = nil
	}
	return true
}

func (v *versions) merge() (text string, clean bool) {
	o, a, b := v.brought("", "", "")
	clashes := 0
	text, _ = mergeLines(o, a, b, func(c clash) string { clashes++; return bothStand(c) })
	if clashes > 0 && !v.blurred() {
		return "", false // human against human
	}
	doc := versionOf(text)
	return text, doc != nil && doc.id == v.ours.id
}

// brought gives the three texts with the same rendering in all of them; the
// given ones where the versions are not of one note.
func (v *versions) brought(base, ours, theirs string) (o, a, b string) {
	if v.ours == nil || v.theirs == nil || v.ours.id != v.theirs.id {
		return base, ours, theirs
	}
	r := v.rendering()
	a, b = r.bring(v.ours), r.bring(v.theirs)
	switch {
	case v.base != nil:
		o = r.bring(v.base)
	case v.ours.edited() == "":
		o = a
	case v.theirs.edited() == "":
		o = b
	default:
		o = commonLines(a, b)
	}
	return o, a, b
}

// blurred says that in a region that a human changed it cannot be told which
// lines are ours: the renderings differ and not all are at hand.
func (v *versions) blurred() bool {
	r := v.rendering()
	for _, name := range []string{regionBody, regionNav} {
		sums := map[string]bool{}
		for _, doc := range []*document{v.base, v.ours, v.theirs} {
			if reg := doc.region(name); reg != nil {
				sums[reg.begin.sum] = true
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

func (doc *document) region(name string) *region {
	switch {
	case doc == nil:
		return nil
	case name == regionBody:
		return doc.body
	}
	return doc.nav
}

// richer orders two sides by what they were made of: positive where a is to be
// preferred. The same two sides give the same answer in any order.
func richer(a, b *document) int {
	version := func(d *document) int {
		n := d.body.begin.version
		if d.props != nil {
			n = max(n, d.props.version)
		}
		return n
	}
	if c := cmp.Compare(version(a), version(b)); c != 0 {
		return c
	}
	more, less := minus(a.listed(), b.listed()), minus(b.listed(), a.listed())
	if (len(more) > 0) != (len(less) > 0) {
		return len(more) - len(less)
	}
	if c := a.updated().Compare(b.updated()); c != 0 {
		return c
	}
	if a.body.untouched() != b.body.untouched() {
		if a.body.untouched() {
			return 1
		}
		return -1
	}
	return bytes.Compare(a.raw, b.raw)
}

// listed are the layers a note was made from.
func (doc *document) listed() []string {
	if f := doc.front.field(keySources); f != nil {
		return slices.Clone(f.entries)
	}
	return nil
}

func (doc *document) updated() time.Time {
	var at time.Time
	if f := doc.front.field(keyUpdated); f != nil {
		at, _ = f.value.(time.Time)
	}
	return at
}
