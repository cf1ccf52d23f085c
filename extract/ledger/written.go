package ledger

// UncommittedFile is a file that runs wrote, moved or removed and that is in no
// commit yet.
type UncommittedFile struct {
	Path    string // from the managed folder, or with a slash before it from the vault's root
	Session string // whose text it shows; empty: a page, or links alone
}

// Intend remembers that a file is about to be written, so that an interruption
// in between is no reason to leave it out of the next commit.
func (l *Ledger) Intend(w UncommittedFile) error {
	return l.run("INSERT INTO uncommitted_files(path, session, sure) VALUES(?,?,0) ON CONFLICT(path) DO UPDATE SET "+
		"session=CASE WHEN excluded.session='' THEN session ELSE excluded.session END", w.Path, w.Session)
}

// PutUncommitted remembers that a file was written.
func (l *Ledger) PutUncommitted(path string) error {
	return l.run("INSERT INTO uncommitted_files(path, session, sure) VALUES(?,'',1) ON CONFLICT(path) DO UPDATE SET sure=1", path)
}

// ForgetIntents forgets what was not written after all.
func (l *Ledger) ForgetIntents() error { return l.run("DELETE FROM uncommitted_files WHERE sure=0") }

// TrustIntents takes what an interrupted run was about to write as written.
func (l *Ledger) TrustIntents() error {
	return l.run("UPDATE uncommitted_files SET sure=1 WHERE sure=0")
}

// UncommittedFiles lists the files to be committed, by path.
func (l *Ledger) UncommittedFiles() ([]UncommittedFile, error) {
	return list(l, func(w *UncommittedFile) []any { return []any{&w.Path, &w.Session} },
		"SELECT path, session FROM uncommitted_files WHERE sure=1 ORDER BY path")
}

// DropUncommitted forgets one of them.
func (l *Ledger) DropUncommitted(path string) error {
	return l.run("DELETE FROM uncommitted_files WHERE path=?", path)
}

// ForgetUncommitted forgets all files to be committed, once they are.
func (l *Ledger) ForgetUncommitted() error { return l.run("DELETE FROM uncommitted_files") }
