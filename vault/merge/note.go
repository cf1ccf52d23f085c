// Package merge decides what a text says that two sides changed: a note between
// its user and us, a file that is not a note, and the versions of a note on two
// machines. It knows texts alone, and what a human wrote is in every text that
// it gives.
//
// The base of a region is our last render with what was taken of it, never the result of a
// merge; in a clash the base keeps its lines. A base counts if it has the hash in the begin line.
// Without one (a lost ledger, an edit on another machine) an untouched region is regenerated, a
// touched one that equals our new render takes that as its base, and any other stays as it is
// until its text is again one that we rendered. So a lost ledger costs updates of edited
// regions, never text.
package merge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Draft is the intended content of a note. A nil Props, Body or Nav leaves that part as it is.
type Draft struct {
	ID   string
	At   string // where the note lies now, from the managed folder, with slashes; empty: it does not exist
	Path string // where to create it
	// Props are all of our properties in their order. One that the note has
	// from us and Props has no more is taken out.
	Props []note.Property
	// Facts are the rows of the comment for the program, looked at where Props are.
	Facts []note.Fact
	// Available are layers that the draft could have been made of and needed
	// nothing from: a note that names them does not become poorer.
	Available []string
	// Body and Nav hold no line that looks like a region marker. An empty Nav
	// is no region.
	Body *string
	Nav  *string
	// HasOwnLine has a new note hold [note.OwnLine].
	HasOwnLine bool
	// Accept has the body, the links and our properties say what the draft does, whatever their
	// user made of them. What is outside of them stays.
	Accept bool
	// Forget removes the texts of a session from the comment for the program.
	Forget bool
	// Ticks are boxes of ours that were ticked elsewhere, by the ids of their blocks. They are
	// ticked in the body as though its user had done so.
	Ticks note.Ticks
	// BaseBody and BaseNav are the texts of the regions as they were last taken
	// in: what [Plan] gave for them then. nil: unknown. One that is not what
	// the note's own marker says counts as unknown.
	BaseBody, BaseNav *string
	// Bases is asked for the two where they are nil and somebody changed a
	// region, so that nobody needs to look them up for notes nobody touched. It
	// may be nil.
	Bases func() (body, nav *string)
	// Transform makes of what is ours in an existing note what it is to say, see
	// [Transformed], and returns it NewID; then Props, Body and Nav are not looked at. nil:
	// they are.
	Transform func(string) (string, error)
	NewID     string
}

// Content is the content of a note made from the draft alone.
func (d Draft) Content() note.Content {
	return note.Content{ID: d.ID, Props: d.Props, Facts: d.Facts, Body: d.Body, Nav: d.Nav, HasOwnLine: d.HasOwnLine}
}

// Plan is the effect of a [Draft] on an existing note.
type Plan struct {
	Text []byte // the whole text as it should stand; equal to the old where nothing is to do
	// Reasons say what of the input was refused because the user's version
	// stays. Held: nothing but nav could be renewed at all, or some of the body
	// was refused.
	Reasons []string
	Held    bool
	Merged  bool // something of ours got in beside edits of the user
	// BaseBody and BaseNav are what the next merge starts from; nil: as before.
	BaseBody, BaseNav *string

	rejected   rejections
	bare       bool // the note is to have no nav region, because we write none
	forceOurs  bool // ours is taken wherever something would be refused
	acceptOurs bool // and where its user added something
}

// Rejected has a word for each refused part, the same as long as the same is refused.
func (p *Plan) Rejected() string { return strings.Join(p.rejected, " ") }

func (p *Plan) refuse(held bool, reason string) {
	p.Held = p.Held || held
	p.Reasons = append(p.Reasons, reason)
}

// Note merges a note part by part. A part that cannot be merged stays.
func Note(doc *note.Document, in Draft) Plan {
	p := Plan{Text: doc.Raw, forceOurs: in.Accept, acceptOurs: in.Accept}
	p.run(doc, in)
	return p
}

// Forced is the text had nothing been refused; nil: the same.
func Forced(doc *note.Document, in Draft, got Plan) []byte {
	p := Plan{Text: doc.Raw, forceOurs: true}
	if p.run(doc, in); bytes.Equal(p.Text, got.Text) {
		return nil
	}
	return p.Text
}

func (p *Plan) run(doc *note.Document, in Draft) {
	p.bare = doc.Comment != nil && doc.Comment.NoNav
	if reason := doc.Unwritable(in.ID); reason != "" {
		p.refuse(true, reason)
		return
	}
	var edits []note.Edit
	next := note.Rendered(nil)
	if reason := poorer(doc, in); reason != "" {
		p.refuse(true, reason)
		if doc.Body.Untouched() {
			p.BaseBody = &doc.Body.Text
		}
	} else {
		if in.Body != nil {
			edits, p.BaseBody = p.renewRegion(doc, doc.Body, note.RegionBody, in.BaseBody, note.PadRegion(*in.Body), in.Ticks)
		}
		var props []note.Edit
		props, next = p.renewProps(doc, in)
		edits = append(edits, props...)
	}
	edits = append(edits, p.renewNav(doc, in)...)
	edits = append(edits, p.renewComment(doc, next, in)...)
	if len(edits) > 0 {
		p.Text = note.Splice(doc.Raw, doc.EOL, edits)
	}
}

// poorer explains why a note stays that was made from more, or by a newer version.
func poorer(doc *note.Document, in Draft) string {
	if doc.Newer() {
		return "it was written by a newer version"
	}
	if in.Props == nil {
		return ""
	}
	ours := slices.Clone(in.Available)
	for _, f := range in.Facts {
		if f.Key == note.KeyLayer {
			ours = append(ours, f.Value)
		}
	}
	if missing := minus(doc.Layers(), ours); len(missing) > 0 {
		return "it was made from more than is here now (" + strings.Join(missing, ", ") + ")"
	}
	return ""
}

// renewNav also adds the region, or takes it away. One that the user removed stays away.
func (p *Plan) renewNav(doc *note.Document, in Draft) []note.Edit {
	switch {
	case in.Nav == nil || doc.Newer():
		return nil
	case doc.Nav == nil && (!p.bare || *in.Nav == ""):
		return nil
	case doc.Nav == nil:
		p.bare = false
		padded := note.PadRegion(*in.Nav)
		p.BaseNav = &padded
		return []note.Edit{addNav(doc, padded)}
	case *in.Nav == "" && doc.Nav.Untouched():
		p.bare = true
		return []note.Edit{takeNav(doc)}
	}
	edits, base := p.renewRegion(doc, doc.Nav, note.RegionNav, in.BaseNav, note.PadRegion(*in.Nav), nil)
	p.BaseNav = base
	return edits
}

// addNav puts the first nav region before the comment for the program, or behind the body.
func addNav(doc *note.Document, padded string) note.Edit {
	text := string(note.AppendRegion(nil, note.RegionNav, padded))
	if at := doc.Comment.Start; at > doc.Body.Begin.Start {
		return note.Edit{Start: at, End: at, Text: text + "\n"}
	}
	at := doc.Body.End.End
	text = "\n" + text
	if doc.Raw[at-1] != '\n' {
		text = "\n" + text
	}
	return note.Edit{Start: at, End: at, Text: text}
}

func takeNav(doc *note.Document) note.Edit {
	start := doc.Nav.Begin.Start
	if before := doc.Raw[:start]; bytes.HasSuffix(before, []byte("\n"+doc.EOL)) {
		start -= len(doc.EOL)
	}
	return note.Edit{Start: start, End: doc.Nav.End.End}
}

func regionWords(name string) string {
	if name == note.RegionNav {
		return "links"
	}
	return "text"
}

func (p *Plan) renewRegion(doc *note.Document, r *note.Region, name string, base *string, padded string, ticks note.Ticks) (edits []note.Edit, next *string) {
	s := mergeRegion(r, base, padded, ticks)
	if p.acceptOurs { // boxes keep their ticks
		s = mergedRegion{text: note.TicksIn(r.Text).Set(padded), base: &padded}
	}
	switch {
	case p.forceOurs && len(s.rejected) > 0:
		s.text, s.base = s.unmerged, &padded
	case s.unbased:
		p.refuse(name == note.RegionBody, fmt.Sprintf("you edited the %s, and what stood there before is not known here: yours stays", regionWords(name)))
	case len(s.rejected) == 1:
		p.refuse(name == note.RegionBody, fmt.Sprintf("your edit and new %s touch the same lines, yours stays", regionWords(name)))
	case len(s.rejected) > 1:
		p.refuse(name == note.RegionBody, fmt.Sprintf("your edits and new %s touch the same lines in %d places, yours stay", regionWords(name), len(s.rejected)))
	}
	p.rejected.addConflicts(name, s.rejected)
	p.Merged = p.Merged || s.merged
	return regionEdits(r, doc.Raw, name, s.text, s.base), s.base
}

const rigidFront = "frontmatter is written in a way that cannot be changed safely"

// renewProps changes our properties, and reads the result again to be sure. next is what the
// comment remembers, nil: as before.
func (p *Plan) renewProps(doc *note.Document, in Draft) (edits []note.Edit, next note.Rendered) {
	if in.Props == nil {
		return nil, nil
	}
	r := newPropsRenewal(doc)
	r.forceOurs = p.forceOurs
	r.run(in.Props)
	if in.Transform != nil && in.NewID != in.ID {
		r.rename(in.NewID)
	}
	if len(r.edits) > 0 && (doc.Front.Rigid || !r.holds()) {
		p.refuse(false, rigidFront)
		p.rejected.add("properties", rigidFront)
		return nil, nil
	}
	if len(r.kept) > 0 {
		p.refuse(false, "kept your "+strings.Join(r.kept, ", "))
		p.rejected.addProps(r.kept, in.Props)
	}
	return r.edits, r.next
}

// renewComment brings the comment for the program up to date, or back at the end.
func (p *Plan) renewComment(doc *note.Document, next note.Rendered, in Draft) []note.Edit {
	var c note.Comment
	if doc.Comment != nil {
		c = *doc.Comment
	}
	if doc.Newer() || doc.Comment == nil && next == nil {
		return nil
	}
	if next != nil {
		c.Prints, c.Facts = next, in.Facts
	}
	if in.Forget {
		c.Forget()
	}
	if c.NoNav = p.bare; doc.Comment != nil {
		return doc.Comment.Edits(doc.Raw, c)
	}
	at, gap := len(doc.Raw), "\n"
	if !bytes.HasSuffix(doc.Raw, []byte("\n")) {
		gap = "\n\n"
	}
	return []note.Edit{{Start: at, End: at, Text: gap + c.Text()}}
}
