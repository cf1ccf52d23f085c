package ledger

import "slices"

// What a run leaves to the next one and belongs to no note and no session.

// MovedOut returns the notes of ours that lie elsewhere in the vault, by path from
// its root.
func (l *Ledger) MovedOut() ([]string, error) {
	return l.texts("SELECT path FROM moved_out ORDER BY path")
}

// SetMovedOut replaces them.
func (l *Ledger) SetMovedOut(paths []string) error { return l.setTexts("moved_out", "path", paths) }

// LeftFolders returns the folders that notes were about to go from, sorted.
func (l *Ledger) LeftFolders() ([]string, error) {
	return l.texts("SELECT folder FROM left_folders ORDER BY folder")
}

// SetLeftFolders replaces them.
func (l *Ledger) SetLeftFolders(folders []string) error {
	return l.setTexts("left_folders", "folder", folders)
}

// setTexts replaces the rows of a table of one column; texts are sorted. What stands
// there already costs no write.
func (l *Ledger) setTexts(table, column string, texts []string) error {
	there, err := l.texts("SELECT " + column + " FROM " + table + " ORDER BY " + column)
	if err != nil || slices.Equal(there, texts) {
		return err
	}
	if err := l.run("DELETE FROM " + table); err != nil {
		return err
	}
	for _, t := range texts {
		if err := l.run("INSERT OR IGNORE INTO "+table+"("+column+") VALUES(?)", t); err != nil {
			return err
		}
	}
	return nil
}

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
