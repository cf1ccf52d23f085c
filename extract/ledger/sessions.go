package ledger

import (
	"github.com/sessionloom/sessionloom/sources"
)

// SessionRecord is the ledger's record of a session.
type SessionRecord struct {
	ID                string
	Kind              string // a sources.ItemKind
	Scope             string // sources.Scope of a memory
	Project           string // key
	OwnProject        string // key of the project by its own place
	Folder            string // where it worked, relative to the home folder; empty: unknown, or several
	IsGitRoot         bool   // Folder is the root of a repository
	WorkspaceFolders  string // lines: the folders of its workspace, relative to the home folder
	WorkspaceProjects string // lines: the projects of these folders
	Parent            string
	FirstTurn         string // identifies its first turn
	Created           string
	Updated           string
	Empty             bool
	Damage            string // lines in plain words, empty: none
	Joined            string // key of the project that it had without joining; empty: the same
	Class             string // a sources.Class
}

var sessions = table[SessionRecord]{"sessions", "id, kind, scope, project, own_project, folder, is_git_root, workspace_folders, workspace_projects, " +
	"parent, first_turn, created, updated, empty, damage, joined, class", func(s *SessionRecord) []any {
	return []any{&s.ID, &s.Kind, &s.Scope, &s.Project, &s.OwnProject, &s.Folder, &s.IsGitRoot, &s.WorkspaceFolders, &s.WorkspaceProjects,
		&s.Parent, &s.FirstTurn, &s.Created, &s.Updated, &s.Empty, &s.Damage, &s.Joined, &s.Class}
}}

// PutSession stores the record of a session.
func (l *Ledger) PutSession(s SessionRecord) { sessions.put(l, s) }

// DropSession forgets the record of a session, its place in the index and its evidence about projects; its
// layers stay.
func (l *Ledger) DropSession(id string) {
	l.run("DELETE FROM sessions WHERE id=?", id)
	l.SetValue(ProjectsDue, []byte{1})
	l.DropSearchDoc(id)
}

// PutProjects stores the projects of a session: its own, and linked ones.
func (l *Ledger) PutProjects(s SessionRecord) {
	l.run("UPDATE sessions SET project=?, joined=?, workspace_projects=? WHERE id=?", s.Project, s.Joined, s.WorkspaceProjects, s.ID)
}

// Session returns the record of a session, or false.
func (l *Ledger) Session(id string) (SessionRecord, bool) {
	return sessions.row(l, "WHERE id=?", id)
}

// Sessions returns all records by id.
func (l *Ledger) Sessions() []SessionRecord { return sessions.rows(l, "ORDER BY id") }

// Damaged returns the records of incompletely read sessions, by id.
func (l *Ledger) Damaged() []SessionRecord { return sessions.rows(l, "WHERE damage<>'' ORDER BY id") }

// MemoryOf returns the records of the memories of one scope and project, by id.
func (l *Ledger) MemoryOf(scope, project string) []SessionRecord {
	return sessions.rows(l, "WHERE kind=? AND scope=? AND project=? ORDER BY id", string(sources.KindMemory), scope, project)
}

// Age is the beginning of a session, and whether it is a memory.
type Age struct {
	Created string
	Memory  bool
}

// AgesOfDue returns the ages of the sessions that are due.
func (l *Ledger) AgesOfDue() map[string]Age {
	return byKey(l, func(id *string, a *Age) []any { return []any{id, &a.Created, &a.Memory} },
		"SELECT s.id, s.created, s.kind=? FROM render_queue q CROSS JOIN sessions s ON s.id=q.id WHERE q.kind=?", string(sources.KindMemory), DueSession)
}

// Forks returns the sessions that name this one as their parent.
func (l *Ledger) Forks(id string) []SessionRecord {
	return sessions.rows(l, "WHERE parent=? ORDER BY id", id)
}

// SameStart returns the records of the sessions that begin with this turn, by id.
func (l *Ledger) SameStart(firstTurn string) []SessionRecord {
	if firstTurn == "" {
		return nil
	}
	return sessions.rows(l, "WHERE first_turn=? ORDER BY id", firstTurn)
}

// Silent returns the records of the conversations with a turn of their own and nothing to show, by id.
func (l *Ledger) Silent() []SessionRecord {
	return sessions.rows(l, "WHERE empty=1 AND class='' AND first_turn<>'' AND +kind=? ORDER BY id", string(sources.KindSession))
}

// OfClass counts the sessions of a class.
func (l *Ledger) OfClass(class sources.Class) int {
	return l.count("SELECT count(*) FROM sessions WHERE class=? AND class<>''", string(class))
}

// EmptySessions counts the persons' sessions that were read and have nothing to show, without those known
// only from an index or a memory.
func (l *Ledger) EmptySessions() int {
	return l.count("SELECT count(*) FROM sessions s WHERE empty=1 AND class='' AND +kind=?1 AND EXISTS"+
		" (SELECT 1 FROM layers WHERE session=s.id AND kind=?1 AND rank<?2)", string(sources.KindSession), int(sources.RankIndex))
}

// ProjectsOfNotes maps sessions to the projects of their notes in the vault; for a joined project, the one
// before joining. Sessions with a known remote are left out: they are evidence for others.
func (l *Ledger) ProjectsOfNotes() map[string]string {
	return l.pairs("SELECT s.id, coalesce((SELECT substr(key,8) FROM note_index WHERE note=n.id AND key>='joined:' AND key<'joined;'), n.project)" +
		" FROM sessions s CROSS JOIN notes n ON n.id='session:'||s.id" +
		" WHERE (s.own_project IN ('', 'none') OR s.own_project>='folder/' AND s.own_project<'folder0') AND n.project>'' AND n.type='session'")
}

// SessionsIn returns the records of the sessions and memories of a project, by id.
func (l *Ledger) SessionsIn(project string) []SessionRecord {
	return sessions.rows(l, "WHERE project=? ORDER BY id", project)
}

// ProjectsOfMemory maps the project that a memory's folder gives to the project of its notes in the vault,
// the smallest of several.
func (l *Ledger) ProjectsOfMemory() map[string]string {
	return l.pairs("SELECT substr(key,12,instr(key,' ')-12), min(substr(key,instr(key,' ')+1)) FROM note_index WHERE key>='folder_key:' AND key<'folder_key;' GROUP BY 1")
}

// FormerProjects maps keys of projects from before their remote was known or their user joined them to the
// present ones, the smallest of several.
func (l *Ledger) FormerProjects() map[string]string {
	return l.pairs("SELECT was, min(project) FROM (SELECT own_project AS was, project FROM sessions UNION SELECT joined, project FROM sessions" +
		" UNION SELECT substr(k.key,8), n.project FROM note_index k JOIN notes n ON n.id=k.note WHERE k.key>='joined:' AND k.key<'joined;')" +
		" WHERE was<>project AND was NOT IN ('', 'none') GROUP BY was")
}

// JoinedFrom returns the projects that a note would belong to without joining, in order; none if it would be
// the same. Those of a session are in its first note.
func (l *Ledger) JoinedFrom(n NoteRow) []string {
	return l.texts("SELECT substr(key,8) FROM note_index WHERE note IN (?, 'session:'||?) AND key>='joined:' AND key<'joined;' ORDER BY 1", n.ID, n.Session)
}

// KindForgotten is the kind of a record for a forgotten session. It says where the session worked, so that
// others are still told apart, and nothing of its content.
const KindForgotten = "forgotten"

// Bare returns the record without the content of the session.
func (s SessionRecord) Bare() SessionRecord {
	return SessionRecord{ID: s.ID, Kind: KindForgotten, Project: s.Project, Joined: s.Joined, OwnProject: s.OwnProject, Folder: s.Folder, IsGitRoot: s.IsGitRoot,
		Updated: s.Updated, Empty: true}
}

// Evidence returns the part of a record that shows to which projects this and other sessions belong, without
// its age, which counts if sessions disagree on a folder.
func (s SessionRecord) Evidence() SessionRecord {
	return SessionRecord{Kind: s.Kind, Scope: s.Scope, OwnProject: s.OwnProject, Folder: s.Folder, IsGitRoot: s.IsGitRoot, WorkspaceFolders: s.WorkspaceFolders}
}

// AgreeOnProject reports whether all sessions that worked in a folder belong to one project.
func (l *Ledger) AgreeOnProject(folder string) bool {
	return folder == "" || l.count("SELECT count(*) FROM (SELECT DISTINCT project FROM sessions WHERE folder=? LIMIT 2)", folder) < 2
}

// Projects returns the keys of all projects of sessions and notes.
func (l *Ledger) Projects() []string {
	return l.texts("SELECT project FROM sessions WHERE project<>'' UNION SELECT project FROM notes WHERE project<>'' ORDER BY 1")
}
