package ledger

// Kinds of work that is due.
const (
	DueSession = "session" // id of a session: all its notes
	DuePage    = "page"    // id of a page, built from facts
	DueNav     = "nav"     // id of a note: its navigation
	DueTick    = "tick"    // id of an open thread ticked on a list: its boxes must be ticked
	DueName    = "name"    // id of a note whose name gets or loses a hash
	DueFolder  = "folder"  // path of a folder that notes leave: it is removed if empty
)

// MarkDue records that something must be rendered.
func (l *Ledger) MarkDue(kind, id string) {
	l.run("INSERT OR IGNORE INTO render_queue(kind, id) VALUES(?,?)", kind, id)
}

// Done clears what was due.
func (l *Ledger) Done(kind, id string) {
	l.run("DELETE FROM render_queue WHERE kind=? AND id=?", kind, id)
}

// Due returns what is due of a kind, sorted.
func (l *Ledger) Due(kind string) []string {
	return l.texts("SELECT id FROM render_queue WHERE kind=? ORDER BY id", kind)
}

// OpenThread is an open item of a project, as last computed.
type OpenThread struct {
	Project string
	ID      string // id of its block
	At      string // when it was last mentioned
	Data    []byte // packed by the caller
}

var openThreads = table[OpenThread]{"open_threads", "project, id, at, data", func(t *OpenThread) []any {
	return []any{&t.Project, &t.ID, &t.At, &t.Data}
}}

// PutOpenThreads replaces the open threads of a project.
func (l *Ledger) PutOpenThreads(project string, threads []OpenThread) {
	l.run("DELETE FROM open_threads WHERE project=?", project)
	for _, t := range threads {
		openThreads.put(l, t)
	}
}

// OpenThreadsOf returns the stored open threads of a project.
func (l *Ledger) OpenThreadsOf(project string) []OpenThread {
	return openThreads.rows(l, "WHERE project=? ORDER BY rowid", project)
}

// OpenThreads returns the newest open threads of all projects.
func (l *Ledger) OpenThreads(limit int) []OpenThread {
	return openThreads.rows(l, "ORDER BY at DESC, project, rowid LIMIT ?", limit)
}

// OpenThread returns the open thread with an id, or none.
func (l *Ledger) OpenThread(id string) []OpenThread {
	return openThreads.rows(l, "WHERE id=? LIMIT 1", id)
}

// CountOpenThreads counts the open threads of all projects, and those last mentioned before a time.
func (l *Ledger) CountOpenThreads(before string) (all, old int) {
	return l.count("SELECT count(*) FROM open_threads"), l.count("SELECT count(*) FROM open_threads WHERE at<?", before)
}

// ProjectsWithOpenThreads returns the keys of the projects with open threads.
func (l *Ledger) ProjectsWithOpenThreads() []string {
	return l.texts("SELECT DISTINCT project FROM open_threads ORDER BY project")
}

// DropOpenThreads forgets all open threads, to be derived again.
func (l *Ledger) DropOpenThreads() { l.run("DELETE FROM open_threads") }

// Tombstone names a note that the user deleted. The tombstone in the vault counts; the ledger only remembers
// its name.
type Tombstone struct {
	ID   string `json:"id"`
	Path string `json:"note"` // its path, relative to the managed folder
}

var tombstones = table[Tombstone]{"tombstones", "id, path", func(g *Tombstone) []any { return []any{&g.ID, &g.Path} }}

// AddTombstone remembers a deleted note.
func (l *Ledger) AddTombstone(g Tombstone) { tombstones.put(l, g) }

// RemoveTombstone forgets a deleted note that was restored.
func (l *Ledger) RemoveTombstone(id string) { l.run("DELETE FROM tombstones WHERE id=?", id) }

// Tombstones returns the remembered deleted notes, by path.
func (l *Ledger) Tombstones() []Tombstone {
	return tombstones.rows(l, "ORDER BY path, id")
}

// OwnedFile is a generated file in the vault that is not a note: a base, a canvas or a picture.
type OwnedFile struct {
	ID     string
	Path   string // relative to the managed folder
	Ours   string // hash in its first line
	Reason string // why nobody misses it, or empty
}

var ownedFiles = table[OwnedFile]{"owned_files", "id, path, ours, reason", func(f *OwnedFile) []any {
	return []any{&f.ID, &f.Path, &f.Ours, &f.Reason}
}}

// PutOwned stores the row of a file in the vault.
func (l *Ledger) PutOwned(f OwnedFile) { ownedFiles.put(l, f) }

// DropOwned forgets a file, and which sessions show it.
func (l *Ledger) DropOwned(id string) {
	l.run("DELETE FROM owned_uses WHERE file=?", id)
	l.run("DELETE FROM owned_files WHERE id=?", id)
}

// Owned returns a file, or false.
func (l *Ledger) Owned(id string) (OwnedFile, bool) {
	return ownedFiles.row(l, "WHERE id=?", id)
}

// OwnedAt returns the file at a path, or false.
func (l *Ledger) OwnedAt(path string) (OwnedFile, bool) {
	return ownedFiles.row(l, "WHERE path=? ORDER BY id LIMIT 1", path)
}

// OwnedFiles returns all files, by id.
func (l *Ledger) OwnedFiles() []OwnedFile { return ownedFiles.rows(l, "ORDER BY id") }

// OwnedUse says that the notes of a session show a file.
type OwnedUse struct{ File, Session string }

var ownedUses = table[OwnedUse]{"owned_uses", "file, session", func(u *OwnedUse) []any { return []any{&u.File, &u.Session} }}

// PutUse remembers that the notes of a session show a file.
func (l *Ledger) PutUse(u OwnedUse) { ownedUses.put(l, u) }

// DropUse forgets that the notes of a session show a file.
func (l *Ledger) DropUse(u OwnedUse) {
	l.run("DELETE FROM owned_uses WHERE file=? AND session=?", u.File, u.Session)
}

// OwnedUses returns all uses, by file.
func (l *Ledger) OwnedUses() []OwnedUse {
	return ownedUses.rows(l, "ORDER BY file, session")
}

// UncommittedFile is a file that runs wrote, moved or removed and that is not committed yet.
type UncommittedFile struct {
	Path    string // relative to the managed folder, or with a slash before it to the vault's root
	Session string // session whose text it shows; OfPage, LinksAlone, or empty if unknown
}

// Values used in place of a session.
const (
	OfPage     = "+" // no session's text was written
	LinksAlone = "-" // the text did not change
)

// Intend remembers that a file is about to be written, so that an interruption does not leave it out of the
// next commit.
func (l *Ledger) Intend(w UncommittedFile) {
	l.run("INSERT INTO uncommitted_files(path, session, sure) VALUES(?,?,0) ON CONFLICT(path) DO UPDATE SET "+
		"session=CASE WHEN excluded.session IN ('', '-') AND session<>'' THEN session ELSE excluded.session END", w.Path, w.Session)
}

// PutUncommitted remembers that a file was written.
func (l *Ledger) PutUncommitted(path string) {
	l.run("INSERT INTO uncommitted_files(path, session, sure) VALUES(?,'',1) ON CONFLICT(path) DO UPDATE SET sure=1", path)
}

// ForgetIntents deletes intents that were not carried out.
func (l *Ledger) ForgetIntents() { l.run("DELETE FROM uncommitted_files WHERE sure=0") }

// TrustIntents marks the intended writes of an interrupted run as done.
func (l *Ledger) TrustIntents() { l.run("UPDATE uncommitted_files SET sure=1 WHERE sure=0") }

// UncommittedFiles lists the files to be committed, by path.
func (l *Ledger) UncommittedFiles() []UncommittedFile {
	return list(l, func(w *UncommittedFile) []any { return []any{&w.Path, &w.Session} },
		"SELECT path, session FROM uncommitted_files WHERE sure=1 ORDER BY path")
}

// DropUncommitted forgets one of them.
func (l *Ledger) DropUncommitted(path string) {
	l.run("DELETE FROM uncommitted_files WHERE path=?", path)
}

// ForgetUncommitted forgets all files to be committed, after the commit.
func (l *Ledger) ForgetUncommitted() { l.run("DELETE FROM uncommitted_files") }

// Renamed is a note that gets another name, as its own shows a secret.
type Renamed struct {
	From string // old target of links
	Note string // its id
}

var renames = table[Renamed]{"renames", "was, note", func(r *Renamed) []any { return []any{&r.From, &r.Note} }}

// Renames returns the notes that get another name.
func (l *Ledger) Renames() []Renamed {
	return renames.rows(l, "ORDER BY was")
}

// PutRename remembers that a note gets another name, before it does.
func (l *Ledger) PutRename(r Renamed) { renames.put(l, r) }

// DropRenames forgets them, after all links were renewed.
func (l *Ledger) DropRenames() { l.run("DELETE FROM renames") }

// Ignored is a session excluded by a folder.
type Ignored struct{ Folder, Session string }

var ignored = table[Ignored]{"ignored", "folder, session", func(i *Ignored) []any { return []any{&i.Folder, &i.Session} }}

// IgnoredSessions returns the sessions that the last run excluded, by folder.
func (l *Ledger) IgnoredSessions() []Ignored {
	return ignored.rows(l, "ORDER BY folder, session")
}

// PutIgnored remembers that a session is excluded.
func (l *Ledger) PutIgnored(i Ignored) { ignored.put(l, i) }

// DropIgnored forgets all excluded sessions.
func (l *Ledger) DropIgnored() { l.run("DELETE FROM ignored") }

// SetRowsOnly replaces the sessions of an item of which only derived rows are left.
func (l *Ledger) SetRowsOnly(source, item string, sessions []string) {
	l.run("DELETE FROM rows_only WHERE source=? AND item=?", source, item)
	for _, id := range sessions {
		l.run("INSERT OR IGNORE INTO rows_only(source, item, session) VALUES(?,?,?)", source, item, id)
	}
}

// RowsOnlySessions returns the ids of the sessions of which only derived rows are left.
func (l *Ledger) RowsOnlySessions() []string {
	return l.texts("SELECT DISTINCT session FROM rows_only ORDER BY session")
}

// RowsOnly counts the sessions of which only derived rows are left.
func (l *Ledger) RowsOnly() int {
	return l.count("SELECT count(DISTINCT session) FROM rows_only")
}
