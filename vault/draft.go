package vault

import (
	"github.com/sessionloom/sessionloom/vault/merge"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Note is what stands in the vault, whoever wrote it.
type Note = note.Note

// Property is one of our lines of frontmatter.
type Property = note.Property

// Box is a task box of a note.
type Box = note.Box

// Stamp tells whether a file moved since it was last seen.
type Stamp = note.Stamp

// Draft is what we want a note to say. A nil Props, Body or Nav leaves that part
// of an existing note as it is.
type Draft struct {
	ID   string
	At   string // where the note lies now, from the managed folder, with slashes; empty: it does not exist
	Path string // where to create it
	// Props are all of our properties in their order. One that the note has
	// from us and Props has no more is taken out.
	Props []Property
	// AtHand are entries of `sources` that the draft could have been made of and
	// needed nothing from: a note that names them does not become poorer.
	AtHand []string
	// Body and Nav hold no line that looks like a region marker. An empty Nav
	// is no region.
	Body *string
	Nav  *string
	// Base holds the properties as we last wrote them, nil when unknown. It
	// decides key by key what the user changed, where the note's own props line
	// is gone; else that line decides.
	Base []Property
	// BaseBody and BaseNav are the texts of the regions as they were last taken
	// in: what [Result] gave for them then. nil: unknown. One that is not what
	// the note's own marker says counts as unknown.
	BaseBody, BaseNav *string
	// Bases is asked for the two where they are nil and somebody changed a
	// region, so that nobody needs to look them up for notes nobody touched. It
	// may be nil.
	Bases func() (body, nav *string, err error)

	to        string              // the id it gets, see [Vault.Rework]
	transform func(string) string // of what is ours, see there
	failed    *error              // why transform could not be done
}

// Outcome says what became of a draft.
type Outcome string

// The outcomes of the reports.
const (
	Created   Outcome = "created"
	Updated   Outcome = "updated"
	Merged    Outcome = "merged"
	Kept      Outcome = "kept" // the user's version stays, see Result.Reason
	Unchanged Outcome = "unchanged"
	Moved     Outcome = "moved"
	Removed   Outcome = "removed"
	Failed    Outcome = "failed"
)

// Result tells what was done with a draft.
type Result struct {
	Outcome  Outcome
	Path     string // from the managed folder
	Reason   string // what of the draft was refused and why, in plain words; also beside Updated
	Note     Note   // the note as it stands now; in a dry run as it would stand
	Old, New []byte // whole texts, only with Options.Texts
	// BaseBody and BaseNav are for the drafts to come, see there; nil: as before.
	BaseBody, BaseNav *string
	// Refused has a word for each part of ours that was refused, which stays the
	// same as long as the same of it is: body, links, properties. It is empty
	// where all got in, where the user wants none of it, and where the note
	// must not be written at all.
	Refused string
	// Wanted is the whole text had nothing been refused, only with Options.Texts
	// and where something was that could be written at all.
	Wanted []byte
}

// content is what a note made of the draft alone would say.
func (d Draft) content() note.Content {
	return note.Content{ID: d.ID, Props: d.Props, Body: d.Body, Nav: d.Nav}
}

// input is what the draft asks of an existing note.
func (d Draft) input() merge.Input {
	return merge.Input{Content: d.content(), Available: d.AtHand, Base: d.Base, BaseBody: d.BaseBody, BaseNav: d.BaseNav, NewID: d.to, Transform: d.transform}
}
