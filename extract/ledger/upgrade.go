package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// upgrades are the statements that make a ledger of an older version one of the
// next, by that older version. Layers and merge bases stay: an artifact that
// expired lies nowhere else. A ledger of any other version is rebuilt.
var upgrades = map[string][]string{
	"5": {
		"ALTER TABLE meta RENAME TO kv",
		"ALTER TABLE aliases RENAME TO session_aliases",
		"ALTER TABLE keys RENAME TO note_index",
		"ALTER TABLE threads RENAME TO open_tasks",
		"ALTER TABLE due RENAME TO render_queue",
		"ALTER TABLE graves RENAME TO tombstones",
		"ALTER TABLE written RENAME TO uncommitted_files",
		// Merge bases in rows take half the space.
		"CREATE TABLE merge_bases(note TEXT PRIMARY KEY, body BLOB, nav BLOB)",
		"INSERT INTO merge_bases SELECT note, body, nav FROM bases",
		"DROP TABLE bases",
		// One record of every file of ours that is no note.
		"CREATE TABLE owned_files(id TEXT PRIMARY KEY, path TEXT, ours TEXT, base TEXT, reason TEXT) WITHOUT ROWID",
		"CREATE TABLE owned_uses(file TEXT, session TEXT, PRIMARY KEY(file, session)) WITHOUT ROWID",
		"INSERT INTO owned_files SELECT id, path, ours, base, reason FROM files",
		"INSERT OR IGNORE INTO owned_files SELECT DISTINCT 'picture:'||path, path, '', '', '' FROM pictures",
		"INSERT INTO owned_uses SELECT 'picture:'||path, session FROM pictures",
		"DROP TABLE files",
		"DROP TABLE pictures",
		// Lists have tables. What is not taken over is found again: every item is read once more.
		"CREATE TABLE scans(source TEXT PRIMARY KEY, listing BLOB, shared BLOB, vanished INTEGER) WITHOUT ROWID",
		"CREATE TABLE items(source TEXT, key TEXT, kind TEXT, print BLOB, PRIMARY KEY(source, key)) WITHOUT ROWID",
		"CREATE TABLE rows_only(source TEXT, item TEXT, session TEXT, PRIMARY KEY(source, item, session)) WITHOUT ROWID",
		"CREATE TABLE renames(was TEXT, name TEXT)",
		"CREATE TABLE ignored(folder TEXT, session TEXT, PRIMARY KEY(folder, session)) WITHOUT ROWID",
		"INSERT INTO ignored SELECT folder.key, session.value FROM kv, json_each(CAST(kv.value AS TEXT)) folder, json_each(folder.value) session" +
			" WHERE kv.key='ignored' AND length(kv.value)>0",
		"DELETE FROM kv WHERE key LIKE '%:%' OR key IN ('vault', 'away', 'left', 'renamed', 'ignored')",
		// The history of commands is given up, and so are lines in daily notes.
		"DROP TABLE IF EXISTS commands",
		"DELETE FROM kv WHERE key IN ('daily', 'trouble', 'clear', 'off')",
		"DELETE FROM tombstones WHERE id LIKE 'daily:%'",
		// Readers have no memory of their own; a layer says whether it is provisional.
		"DELETE FROM layers WHERE session=''",
		"ALTER TABLE layers DROP COLUMN cursor",
		"ALTER TABLE layers ADD COLUMN provisional INTEGER NOT NULL DEFAULT 0",
		"UPDATE kv SET value='6' WHERE key='schema'",
	},
	"6": {
		"DROP TABLE renames",
		"CREATE TABLE renames(was TEXT PRIMARY KEY, note TEXT) WITHOUT ROWID",
		"ALTER TABLE notes RENAME COLUMN home TO assigned_path",
		"ALTER TABLE notes RENAME COLUMN reason TO kept_reason",
		"ALTER TABLE notes RENAME COLUMN refused TO rejected_hash",
		"ALTER TABLE notes RENAME COLUMN base TO written_props",
		"ALTER TABLE sessions RENAME COLUMN own TO own_project",
		"ALTER TABLE sessions RENAME COLUMN rooted TO is_git_root",
		"ALTER TABLE sessions RENAME COLUMN folders TO workspace_folders",
		"ALTER TABLE sessions RENAME COLUMN linked TO workspace_projects",
		"DROP INDEX IF EXISTS sessions_shelf",
		"CREATE INDEX sessions_memory ON sessions(kind, scope, project)",
		"UPDATE kv SET key='tombstones' WHERE key='graves'",
		"UPDATE kv SET key='unmanaged' WHERE key='foreign'",
		"UPDATE kv SET key='aliases_due' WHERE key='kin'",
		"UPDATE kv SET key='projects_due' WHERE key='ground'",
		"UPDATE note_index SET key='folder_key:'||substr(key, 8) WHERE key>='ground:' AND key<'ground;'",
		"UPDATE kv SET value='7' WHERE key='schema'",
	},
	"7": {
		"DROP TABLE IF EXISTS moved_out",
		"DROP TABLE IF EXISTS left_folders",
		"UPDATE kv SET value='8' WHERE key='schema'",
	},
}

// upgrade brings the tables from the version they have to ours, all at once, and
// leaves no trace of what goes.
func (l *Ledger) upgrade(have string) error {
	for have != schemaVersion {
		steps, known := upgrades[have]
		if !known {
			return fmt.Errorf("%w: %q", errVersion, have)
		}
		if err := l.Begin(); err != nil {
			return err
		}
		for _, s := range steps {
			if err := l.exec(s); err != nil {
				return fmt.Errorf("bring the ledger from version %q to a newer one: %w", have, err)
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
	if err := l.dropOldFiles(); err != nil {
		return err
	}
	return l.Scrub()
}

// dropOldFiles removes what a check of older versions remembered beside the ledger: paths
// and texts of notes that may be forgotten since.
func (l *Ledger) dropOldFiles() error {
	if l.discard || l.file == "" {
		return nil
	}
	for _, name := range []string{"checked", "checked.ledger"} {
		if err := os.Remove(filepath.Join(filepath.Dir(l.file), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what an older check remembered: %w", err)
		}
	}
	return nil
}
