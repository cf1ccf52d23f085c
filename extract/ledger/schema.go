package ledger

// schema of the ledger. Times are RFC 3339 in UTC, so that text order is time
// order. A layer stands under the id it was read under; `aliases` says which of
// these ids are one session's. `keys` is the one index over notes: "day:…",
// "fork:<parent>", "also:<id>", "folder:<project>", "page:<id>".
const schema = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE layers(session TEXT, source TEXT, item TEXT, name TEXT, kind TEXT, rank INTEGER, whole INTEGER, created TEXT, aka TEXT,
  provisional INTEGER, hash BLOB, content BLOB, PRIMARY KEY(session, source, item, name));
CREATE INDEX layers_item ON layers(source, item);
CREATE INDEX layers_rank ON layers(session, kind, rank, whole, created);
CREATE INDEX layers_aka ON layers(session, aka) WHERE aka<>'';
CREATE TABLE aliases(id TEXT PRIMARY KEY, session TEXT) WITHOUT ROWID;
CREATE INDEX aliases_session ON aliases(session);
CREATE TABLE sessions(id TEXT PRIMARY KEY, kind TEXT, scope TEXT, project TEXT, own TEXT, folder TEXT, rooted INTEGER, folders TEXT,
  linked TEXT, parent TEXT, first_turn TEXT, created TEXT, updated TEXT, empty INTEGER, damage TEXT) WITHOUT ROWID;
CREATE INDEX sessions_shelf ON sessions(kind, scope, project);
CREATE INDEX sessions_parent ON sessions(parent);
CREATE INDEX sessions_first ON sessions(first_turn);
CREATE INDEX sessions_damaged ON sessions(id) WHERE damage<>'';
CREATE TABLE notes(id TEXT PRIMARY KEY, path TEXT, home TEXT, type TEXT, session TEXT, project TEXT, created TEXT, updated TEXT,
  size INTEGER, mtime INTEGER, ctime INTEGER, inode INTEGER, hash TEXT, state INTEGER, reason TEXT, refused TEXT, base BLOB, facts BLOB);
CREATE TABLE bases(note TEXT PRIMARY KEY, body BLOB, nav BLOB) WITHOUT ROWID;
CREATE INDEX notes_session ON notes(session);
CREATE INDEX notes_project ON notes(project, type);
CREATE INDEX notes_told ON notes(path) WHERE reason<>'';
CREATE INDEX notes_apart ON notes(state, path) WHERE state>1;
CREATE INDEX notes_updated ON notes(type, updated, created);
CREATE TABLE keys(key TEXT, note TEXT, PRIMARY KEY(key, note)) WITHOUT ROWID;
CREATE INDEX keys_note ON keys(note);
CREATE TABLE threads(project TEXT, at TEXT, session TEXT, text TEXT);
CREATE INDEX threads_project ON threads(project);
CREATE INDEX threads_session ON threads(session);
CREATE INDEX threads_at ON threads(at);
CREATE TABLE due(kind TEXT, id TEXT, PRIMARY KEY(kind, id)) WITHOUT ROWID;
CREATE TABLE graves(id TEXT PRIMARY KEY, path TEXT) WITHOUT ROWID;
CREATE TABLE pictures(path TEXT, session TEXT, PRIMARY KEY(path, session)) WITHOUT ROWID;
CREATE TABLE written(path TEXT PRIMARY KEY, session TEXT, sure INTEGER) WITHOUT ROWID;
CREATE TABLE files(id TEXT PRIMARY KEY, path TEXT, ours TEXT, base TEXT, reason TEXT) WITHOUT ROWID;
`
