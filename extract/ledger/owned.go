package ledger

// OwnedFile is a file of ours in the vault that is no note: a base, a canvas or
// a picture.
type OwnedFile struct {
	ID     string
	Path   string // where it lies, from the managed folder
	Ours   string // hash of the text it was last asked to hold, be it that its user's stayed
	Base   string // text we last wrote, empty where it is unknown or the file is the user's
	Reason string // why the user's version stays
}

// PutOwned remembers that a file stands in the vault.
func (l *Ledger) PutOwned(f OwnedFile) error {
	return l.run("INSERT OR REPLACE INTO owned_files(id, path, ours, base, reason) VALUES(?,?,?,?,?)", f.ID, f.Path, f.Ours, f.Base, f.Reason)
}

// DropOwned forgets a file, and which sessions show it.
func (l *Ledger) DropOwned(id string) error {
	if err := l.run("DELETE FROM owned_uses WHERE file=?", id); err != nil {
		return err
	}
	return l.run("DELETE FROM owned_files WHERE id=?", id)
}

// Owned returns a file, false where there is none.
func (l *Ledger) Owned(id string) (OwnedFile, bool, error) {
	return first(l.ownedRows("WHERE id=?", id))
}

// OwnedAt returns the file that lies at a path, false where there is none.
func (l *Ledger) OwnedAt(path string) (OwnedFile, bool, error) {
	return first(l.ownedRows("WHERE path=? ORDER BY id LIMIT 1", path))
}

// OwnedFiles returns all files, by id.
func (l *Ledger) OwnedFiles() ([]OwnedFile, error) { return l.ownedRows("ORDER BY id") }

func (l *Ledger) ownedRows(where string, args ...any) ([]OwnedFile, error) {
	return list(l, func(f *OwnedFile) []any { return []any{&f.ID, &f.Path, &f.Ours, &f.Base, &f.Reason} },
		"SELECT id, path, ours, base, reason FROM owned_files "+where, args...)
}

// OwnedUse says that the notes of a session show a file.
type OwnedUse struct{ File, Session string }

// PutUse remembers that the notes of a session show a file.
func (l *Ledger) PutUse(u OwnedUse) error {
	return l.run("INSERT OR REPLACE INTO owned_uses(file, session) VALUES(?,?)", u.File, u.Session)
}

// DropUse forgets that the notes of a session show a file.
func (l *Ledger) DropUse(u OwnedUse) error {
	return l.run("DELETE FROM owned_uses WHERE file=? AND session=?", u.File, u.Session)
}

// OwnedUses returns which sessions show which files, by file.
func (l *Ledger) OwnedUses() ([]OwnedUse, error) {
	return list(l, func(u *OwnedUse) []any { return []any{&u.File, &u.Session} },
		"SELECT file, session FROM owned_uses ORDER BY file, session")
}
