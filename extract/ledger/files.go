package ledger

import "database/sql"

// File is a file of ours in the vault that is no note.
type File struct {
	ID     string
	Path   string // from the managed folder
	Ours   string // hash of the text it was last asked to hold, be it that its user's stayed
	Base   string // text we last wrote, empty where it is unknown or the file is the user's
	Reason string // why the user's version stays
}

// PutFile remembers that a file stands in the vault.
func (l *Ledger) PutFile(f File) error {
	return l.run("INSERT OR REPLACE INTO files(id, path, ours, base, reason) VALUES(?,?,?,?,?)", f.ID, f.Path, f.Ours, f.Base, f.Reason)
}

// DropFile forgets a file.
func (l *Ledger) DropFile(id string) error { return l.run("DELETE FROM files WHERE id=?", id) }

// File returns a file, false where there is none.
func (l *Ledger) File(id string) (File, bool, error) {
	all, err := l.fileRows("WHERE id=?", id)
	if err != nil || len(all) == 0 {
		return File{}, false, err
	}
	return all[0], true, nil
}

// Files returns all files, by id.
func (l *Ledger) Files() ([]File, error) { return l.fileRows("ORDER BY id") }

func (l *Ledger) fileRows(where string, args ...any) ([]File, error) {
	var out []File
	err := l.each(func(r *sql.Rows) error {
		var f File
		err := r.Scan(&f.ID, &f.Path, &f.Ours, &f.Base, &f.Reason)
		out = append(out, f)
		return err
	}, "SELECT id, path, ours, base, reason FROM files "+where, args...)
	return out, err
}
