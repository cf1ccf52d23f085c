package observe

import (
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Event is something that people or programs did to the vault since the last run:
// one of the types of this file.
type Event any

// Rescued is text of an interrupted run that was put aside.
type Rescued struct{ Path string }

// Unreadable is a note that could not be read.
type Unreadable struct {
	Path string
	Err  error
}

// Unmanaged is what to remember of notes that are none of ours, for the next run.
type Unmanaged struct{ Seen []byte }

// Changed is a note of ours in the managed folder that is new there or not as it
// was last seen.
type Changed struct{ Note vault.Note }

// Outside is a note of ours that lies elsewhere in the vault and is new there or
// not as it was last seen.
type Outside struct{ Note vault.Note }

// Unlooked tells of folders that cannot be looked into and of the notes that may
// lie there.
type Unlooked struct {
	Folders []string
	Notes   []ledger.NoteFile
}

// NotesGone are notes with one fate: Forgotten, HiddenByGit, LeftByCheckout or
// Deleted.
type NotesGone struct {
	Fate  Fate
	Notes []ledger.NoteFile
}

// FileMoved is a file of ours, no note, that lies elsewhere in the managed folder.
type FileMoved struct {
	File ledger.OwnedFile
	At   string
}

// FileGone is a file of ours, no note, that is gone: Forgotten, LeftByCheckout or
// Deleted.
type FileGone struct {
	Fate Fate
	File ledger.OwnedFile
}
