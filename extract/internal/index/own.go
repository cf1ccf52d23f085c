package index

import (
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// IsOurs tells a note that we made from a copy to which its user gave another id:
// nothing but what we wrote may be taken away. We did where the ledger knows that
// we put or wrote it, and, where that is not known (the ledger was lost, another
// machine wrote the note), where it has the name that we give its id.
func IsOurs(r ledger.NoteRow) bool {
	return r.AssignedPath != "" || len(r.Base) > 0 || names.IsNamedByUs(NamedNote(r))
}

// NamedNote is what tells of a row whether it has a name of ours.
func NamedNote(r ledger.NoteRow) names.Note {
	return names.Note{ID: r.ID, Type: r.Type, Session: r.Session, Path: r.Path}
}
