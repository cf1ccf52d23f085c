package ledger

import "fmt"

// schema of the ledger. Times are RFC 3339 in UTC, so that text order is time
// order. A layer is under the id it was read under; `session_aliases` says which of
// these ids are one session's. `note_index` is the one index over notes: "day:…",
// "fork:<parent>", "also:<id>", "folder:<project>", "joined:<project>",
// "folder_key:<project> <project>", "page:<id>", "name:<name>".
const schema = `
CREATE TABLE kv(key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE scans(source TEXT PRIMARY KEY, listing BLOB, shared BLOB, vanished INTEGER) WITHOUT ROWID;
CREATE TABLE items(source TEXT, key TEXT, kind TEXT, print BLOB, records INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(source, key)) WITHOUT ROWID;
CREATE TABLE rows_only(source TEXT, item TEXT, session TEXT, PRIMARY KEY(source, item, session)) WITHOUT ROWID;
CREATE TABLE layers(session TEXT, source TEXT, item TEXT, name TEXT, kind TEXT, rank INTEGER, whole INTEGER, created TEXT, aka TEXT,
  provisional INTEGER, hash BLOB, content BLOB, PRIMARY KEY(session, source, item, name));
CREATE INDEX layers_item ON layers(source, item);
CREATE INDEX layers_rank ON layers(session, kind, rank, whole, created);
CREATE INDEX layers_aka ON layers(session, aka) WHERE aka<>'';
CREATE TABLE session_aliases(id TEXT PRIMARY KEY, session TEXT) WITHOUT ROWID;
CREATE INDEX session_aliases_session ON session_aliases(session);
CREATE TABLE sessions(id TEXT PRIMARY KEY, kind TEXT, scope TEXT, project TEXT, own_project TEXT, folder TEXT, is_git_root INTEGER,
  workspace_folders TEXT, workspace_projects TEXT, parent TEXT, first_turn TEXT, created TEXT, updated TEXT, empty INTEGER, damage TEXT, joined TEXT NOT NULL DEFAULT '', class TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX sessions_memory ON sessions(kind, scope, project);
CREATE INDEX sessions_parent ON sessions(parent);
CREATE INDEX sessions_first ON sessions(first_turn);
CREATE INDEX sessions_folder ON sessions(folder, project);
CREATE INDEX sessions_damaged ON sessions(id) WHERE damage<>'';
CREATE INDEX sessions_empty ON sessions(id) WHERE empty=1;
CREATE INDEX sessions_class ON sessions(class) WHERE class<>'';
CREATE TABLE notes(id TEXT PRIMARY KEY, path TEXT, assigned_path TEXT, type TEXT, session TEXT, project TEXT, created TEXT, updated TEXT,
  size INTEGER, mtime INTEGER, ctime INTEGER, inode INTEGER, hash TEXT, state INTEGER, kept_reason TEXT, rejected_hash TEXT, facts BLOB);
CREATE TABLE merge_bases(note TEXT PRIMARY KEY, body BLOB, nav BLOB);
CREATE INDEX notes_session ON notes(session);
CREATE INDEX notes_project ON notes(project, type, created, id);
CREATE INDEX notes_told ON notes(path) WHERE kept_reason<>'';
CREATE INDEX notes_apart ON notes(state, path) WHERE state>1;
CREATE INDEX notes_updated ON notes(type, updated, created);
CREATE TABLE note_index(key TEXT, note TEXT, PRIMARY KEY(key, note)) WITHOUT ROWID;
CREATE INDEX note_index_note ON note_index(note);
CREATE TABLE open_threads(project TEXT, id TEXT, at TEXT, data BLOB, PRIMARY KEY(project, id));
CREATE INDEX open_threads_id ON open_threads(id);
CREATE INDEX open_threads_at ON open_threads(at);
CREATE TABLE render_queue(kind TEXT, id TEXT, PRIMARY KEY(kind, id)) WITHOUT ROWID;
CREATE TABLE tombstones(id TEXT PRIMARY KEY, path TEXT) WITHOUT ROWID;
CREATE TABLE uncommitted_files(path TEXT PRIMARY KEY, session TEXT, sure INTEGER) WITHOUT ROWID;
CREATE TABLE owned_files(id TEXT PRIMARY KEY, path TEXT, ours TEXT, reason TEXT) WITHOUT ROWID;
CREATE TABLE owned_uses(file TEXT, session TEXT, PRIMARY KEY(file, session)) WITHOUT ROWID;
CREATE TABLE renames(was TEXT PRIMARY KEY, note TEXT) WITHOUT ROWID;
CREATE TABLE ignored(folder TEXT, session TEXT, PRIMARY KEY(folder, session)) WITHOUT ROWID;
` + searchSchema

// upgrades are the statements that convert a ledger of an older version to the next, by the older version.
// Layers and merge bases stay: an expired artifact is nowhere else. A ledger of any other version is rebuilt.
var upgrades = map[string][]string{
	"18": readAgain("19"),
	"19": readAgain("20"),
	"20": append([]string{ // notes of a project are found by their time, and bases are not merged
		"ALTER TABLE owned_files DROP COLUMN base",
		"DROP INDEX notes_project",
		"CREATE INDEX notes_project ON notes(project, type, created, id)",
	}, readAgain("21")...),
	"21": readAgain("22"),
	"22": { // the comment of a note tells which properties are ours
		"ALTER TABLE notes DROP COLUMN written_props",
		"UPDATE kv SET value='23' WHERE key='schema'",
	},
	"23": readAgain("24"),
}

// readAgain returns the statements after which all is read and rendered once more, as a ledger of a version.
func readAgain(version string) []string {
	return []string{
		"UPDATE items SET print=NULL",
		"DELETE FROM scans",
		"UPDATE kv SET value=CAST('an older build' AS BLOB) WHERE key='rendering'",
		"UPDATE kv SET value='" + version + "' WHERE key='schema'",
	}
}

// upgrade converts the tables to the current version, all at once, and leaves no trace of dropped data.
func (l *Ledger) upgrade(have string) error {
	for have != schemaVersion {
		steps, known := upgrades[have]
		if !known {
			return fmt.Errorf("%w: %q", errVersion, have)
		}
		if err := l.begin(); err != nil {
			return err
		}
		for _, s := range steps {
			if err := l.exec(s); err != nil {
				return fmt.Errorf("bring the state from version %q to a newer one: %w", have, err)
			}
		}
		var err error
		if have, err = l.schemaFound(); err != nil {
			return err
		}
	}
	if err := l.Commit(); err != nil {
		return err
	}
	return l.Scrub()
}
