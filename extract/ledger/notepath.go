package ledger

// NoteAt returns the note that is known to lie at a path of the managed folder,
// false where there is none.
func (l *Ledger) NoteAt(path string) (NoteRow, bool, error) {
	rows, err := l.noteRows("WHERE path=? AND state<>? ORDER BY id LIMIT 1", path, int(Away))
	if err != nil || len(rows) == 0 {
		return NoteRow{}, false, err
	}
	return rows[0], true, nil
}

// FileAt does the same for a file of ours that is no note.
func (l *Ledger) FileAt(path string) (File, bool, error) {
	all, err := l.fileRows("WHERE path=? ORDER BY id LIMIT 1", path)
	if err != nil || len(all) == 0 {
		return File{}, false, err
	}
	return all[0], true, nil
}
