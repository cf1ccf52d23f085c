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

// Draft is what we want a note to say.
type Draft = merge.Draft

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
	Base              string // of an [OwnedFile]: that of the next time, empty where there is none
	// Refused has a word for each part of ours that was refused, which stays the
	// same as long as the same of it is: body, links, properties. It is empty
	// where all got in, where the user wants none of it, and where the note
	// must not be written at all.
	Refused string
	// Wanted is the whole text had nothing been refused, only with Options.Texts
	// and where something was that could be written at all.
	Wanted []byte
}
