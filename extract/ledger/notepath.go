package ledger

// NoteAt returns the note that is known to lie at a path of the managed folder,
// false where there is none.
func (l *Ledger) NoteAt(path string) (NoteRow, bool, error) {
	rows, err := l.noteRows("WHERE path=? AND state<>? ORDER BY id LIMIT 1", path, int(MovedAway))
	if err != nil || len(rows) == 0 {
		return NoteRow{}, false, err
	}
	return rows[0], true, nil
}
