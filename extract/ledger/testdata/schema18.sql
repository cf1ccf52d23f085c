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
  size INTEGER, mtime INTEGER, ctime INTEGER, inode INTEGER, hash TEXT, state INTEGER, kept_reason TEXT, rejected_hash TEXT, written_props BLOB, facts BLOB);
CREATE TABLE merge_bases(note TEXT PRIMARY KEY, body BLOB, nav BLOB);
CREATE INDEX notes_session ON notes(session);
CREATE INDEX notes_project ON notes(project, type);
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
CREATE TABLE owned_files(id TEXT PRIMARY KEY, path TEXT, ours TEXT, base TEXT, reason TEXT) WITHOUT ROWID;
CREATE TABLE owned_uses(file TEXT, session TEXT, PRIMARY KEY(file, session)) WITHOUT ROWID;
CREATE TABLE renames(was TEXT PRIMARY KEY, note TEXT) WITHOUT ROWID;
CREATE TABLE ignored(folder TEXT, session TEXT, PRIMARY KEY(folder, session)) WITHOUT ROWID;
CREATE TABLE search_docs(id INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE, print BLOB, is_note INTEGER NOT NULL DEFAULT 0, names TEXT, paths TEXT);
CREATE VIRTUAL TABLE search_words USING fts5(title, prompt, answer, outcome, checkpoint, plan, memory, saved, command, errors, path, ref, branch, agent, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab(search_words, row)