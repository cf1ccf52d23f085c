package ledger

// HasPath tells whether a note or another file of ours is known to lie at a path
// of the managed folder.
func (l *Ledger) HasPath(path string) (bool, error) {
	var n int
	if _, err := l.one([]any{&n}, "SELECT (SELECT count(*) FROM notes WHERE path=? AND state<>?) + (SELECT count(*) FROM files WHERE path=?)",
		path, int(Away), path); err != nil {
		return false, err
	}
	return n > 0, nil
}
