package ledger

// Written is a file that runs wrote, moved or removed and that is in no
// commit yet.
type Written struct {
	Path    string // from the managed folder, or with a slash before it from the vault's root
	Session string // whose text it shows; empty: a page, or links alone
}

// Intend remembers that a file is about to be written, so that an interruption
// in between is no reason to leave it out of the next commit.
func (l *Ledger) Intend(w Written) error {
	return l.run("INSERT INTO uncommitted_files(path, session, sure) VALUES(?,?,0) ON CONFLICT(path) DO UPDATE SET "+
		"session=CASE WHEN excluded.session='' THEN session ELSE excluded.session END", w.Path, w.Session)
}

// PutWritten remembers that a file was written.
func (l *Ledger) PutWritten(path string) error {
	return l.run("INSERT INTO uncommitted_files(path, session, sure) VALUES(?,'',1) ON CONFLICT(path) DO UPDATE SET sure=1", path)
}

// ForgetIntents forgets what was not written after all.
func (l *Ledger) ForgetIntents() error { return l.run("DELETE FROM uncommitted_files WHERE sure=0") }

// TrustIntents takes what an interrupted run was about to write as written.
func (l *Ledger) TrustIntents() error {
	return l.run("UPDATE uncommitted_files SET sure=1 WHERE sure=0")
}

// Written lists the files to be committed, by path.
func (l *Ledger) Written() ([]Written, error) {
	return list(l, func(w *Written) []any { return []any{&w.Path, &w.Session} },
		"SELECT path, session FROM uncommitted_files WHERE sure=1 ORDER BY path")
}

// DropWritten forgets one of them.
func (l *Ledger) DropWritten(path string) error {
	return l.run("DELETE FROM uncommitted_files WHERE path=?", path)
}

// ForgetWritten forgets all files to be committed, once they are.
func (l *Ledger) ForgetWritten() error { return l.run("DELETE FROM uncommitted_files") }
