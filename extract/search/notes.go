package search

import (
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// A session of which nothing is kept but its notes is found by these: its source is gone and the
// state was lost, or another machine wrote them.

// PutNotesAlone takes in the notes of which nothing else is kept, as far as they changed; read
// gives title and text of one, and false where it cannot be read. What stands for a session
// again, or is no note any more, is not found by its note.
func PutNotesAlone(l *ledger.Ledger, read func(ledger.NoteRow) (title, text string, ok bool)) {
	known := l.SearchedNotes()
	for _, row := range l.NotesAlone() {
		was, found := known[row.ID]
		delete(known, row.ID)
		if found && was == row.Hash {
			continue
		}
		title, text, ok := read(row)
		if !ok {
			continue
		}
		d := docOf(textPassages(title, text))
		d.Note, d.Print = true, []byte(row.Hash)
		l.PutSearchDoc(row.ID, d)
	}
	for id := range known {
		l.DropSearchDoc(id)
	}
}

// textPassages are those of a note.
func textPassages(title, text string) []passage {
	return []passage{{field: Title, text: plain(title), turn: -1}, {field: Answer, text: plain(text), turn: -1}}
}
