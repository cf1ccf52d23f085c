package ledger

import "database/sql"

// Picture is a file beside the notes that a session's note shows.
type Picture struct{ Path, Session string }

// PutPicture remembers that a picture stands in the vault.
func (l *Ledger) PutPicture(p Picture) error {
	return l.run("INSERT OR REPLACE INTO pictures(path, session) VALUES(?,?)", p.Path, p.Session)
}

// DropPicture forgets a picture.
func (l *Ledger) DropPicture(path string) error {
	return l.run("DELETE FROM pictures WHERE path=?", path)
}

// Pictures returns all pictures, one row for each session that shows it.
func (l *Ledger) Pictures() ([]Picture, error) {
	var out []Picture
	err := l.each(func(r *sql.Rows) error {
		var p Picture
		err := r.Scan(&p.Path, &p.Session)
		out = append(out, p)
		return err
	}, "SELECT path, session FROM pictures ORDER BY path, session")
	return out, err
}

// HasPicture tells whether a picture is known to stand in the vault.
func (l *Ledger) HasPicture(path string) (bool, error) {
	var one int
	return l.one([]any{&one}, "SELECT 1 FROM pictures WHERE path=? LIMIT 1", path)
}
