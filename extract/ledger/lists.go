package ledger

// What a run leaves to the next one and belongs to no note and no session.

// Renamed is a note that gets another name for what its own shows.
type Renamed struct {
	From string // where links lead that were not renewed yet
	Note string // its id
}

// Renames returns the notes that get another name.
func (l *Ledger) Renames() ([]Renamed, error) {
	return list(l, func(r *Renamed) []any { return []any{&r.From, &r.Note} }, "SELECT was, note FROM renames ORDER BY was")
}

// PutRename remembers that a note gets another name, before it does.
func (l *Ledger) PutRename(r Renamed) error {
	return l.run("INSERT OR REPLACE INTO renames(was, note) VALUES(?,?)", r.From, r.Note)
}

// DropRenames forgets them: all links were renewed.
func (l *Ledger) DropRenames() error { return l.run("DELETE FROM renames") }

// Ignored is a session that a folder has left out.
type Ignored struct{ Folder, Session string }

// IgnoredSessions returns what the last run left out, by folder.
func (l *Ledger) IgnoredSessions() ([]Ignored, error) {
	return list(l, func(i *Ignored) []any { return []any{&i.Folder, &i.Session} }, "SELECT folder, session FROM ignored ORDER BY folder, session")
}

// PutIgnored remembers that a session is left out.
func (l *Ledger) PutIgnored(i Ignored) error {
	return l.run("INSERT OR IGNORE INTO ignored(folder, session) VALUES(?,?)", i.Folder, i.Session)
}

// DropIgnored forgets all that is left out.
func (l *Ledger) DropIgnored() error { return l.run("DELETE FROM ignored") }

// SetRowsOnly replaces the sessions of an item of which only derived rows are left.
func (l *Ledger) SetRowsOnly(source, item string, sessions []string) error {
	if err := l.run("DELETE FROM rows_only WHERE source=? AND item=?", source, item); err != nil {
		return err
	}
	for _, id := range sessions {
		if err := l.run("INSERT OR IGNORE INTO rows_only(source, item, session) VALUES(?,?,?)", source, item, id); err != nil {
			return err
		}
	}
	return nil
}

// RowsOnly counts the sessions of which only derived rows are left.
func (l *Ledger) RowsOnly() (int, error) {
	return l.count("SELECT count(DISTINCT session) FROM rows_only")
}
