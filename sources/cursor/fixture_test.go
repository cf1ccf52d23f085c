package cursor_test

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/cursor"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// schema are the tables of a state.vscdb, as the IDE makes them.
const schema = `PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE IF NOT EXISTS composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER, lastUpdatedAt INTEGER,
  isArchived INTEGER, isSubagent INTEGER, recency INTEGER, checkpointAt INTEGER, value TEXT);`

// state is what a test writes into such a database.
type state struct {
	ItemTable       map[string]json.RawMessage
	CursorDiskKV    map[string]json.RawMessage `json:"cursorDiskKV"`
	ComposerHeaders []struct {
		ComposerID, WorkspaceID                          string
		CreatedAt, LastUpdatedAt, IsArchived, IsSubagent int64
		Value                                            json.RawMessage
	}
}

// text is a value as it stands in a table: a text in JSON stands for itself.
func text(value json.RawMessage) any {
	var plain string
	switch {
	case string(value) == "null":
		return nil
	case json.Unmarshal(value, &plain) == nil:
		return plain
	}
	return string(value)
}

// change runs statements on a database that is made if it is not there. It is closed well: nothing
// lies beside it afterwards.
func change(t testing.TB, path string, do func(*sql.DB)) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	db := expect.Value(sql.Open("sqlite", path))(t)
	db.SetMaxOpenConns(1)
	exec(t, db, schema)
	do(db)
	must(t, db.Close())
}

func exec(t testing.TB, db *sql.DB, query string, args ...any) {
	t.Helper()
	_, err := db.Exec(query, args...)
	must(t, err)
}

// fill writes a state into a database.
func fill(t testing.TB, path string, s state) {
	t.Helper()
	change(t, path, func(db *sql.DB) {
		exec(t, db, "BEGIN")
		for table, rows := range map[string]map[string]json.RawMessage{"ItemTable": s.ItemTable, "cursorDiskKV": s.CursorDiskKV} {
			for _, key := range slices.Sorted(maps.Keys(rows)) {
				exec(t, db, "INSERT INTO "+table+" VALUES (?, ?)", key, text(rows[key]))
			}
		}
		for _, h := range s.ComposerHeaders {
			exec(t, db, "INSERT INTO composerHeaders VALUES (?, ?, ?, ?, ?, ?, 0, NULL, ?)", h.ComposerID, h.WorkspaceID, h.CreatedAt, h.LastUpdatedAt, h.IsArchived, h.IsSubagent, text(h.Value))
		}
		exec(t, db, "COMMIT")
	})
}

// fillStore writes a store of the CLI: messages in JSON, and a node that lists them.
func fillStore(t testing.TB, path string, meta map[string]any, messages []json.RawMessage) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	db := expect.Value(sql.Open("sqlite", path))(t)
	exec(t, db, "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
	put := func(data []byte) []byte {
		id := sha256.Sum256(data)
		exec(t, db, "INSERT OR IGNORE INTO blobs VALUES (?, ?)", hex.EncodeToString(id[:]), data)
		return id[:]
	}
	var root []byte
	for _, m := range messages {
		root = append(append(root, 1<<3|2, 32), put(m)...)
	}
	root = append(root, 9<<3|2, 4, '/', 's', 'r', 'c', 5<<3, 0x96, 0x01) // other fields
	meta["latestRootBlobId"] = hex.EncodeToString(put(root))
	body := expect.Value(json.Marshal(meta))(t)
	exec(t, db, "INSERT INTO meta VALUES ('0', ?)", hex.EncodeToString(body))
	must(t, db.Close())
}

// fixture makes what testdata describes: databases are written down as JSON.
func fixture(t testing.TB) (user, home string) {
	t.Helper()
	dir := t.TempDir()
	must(t, filepath.WalkDir("testdata", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Dir(path) == "testdata" {
			return err
		}
		rel := expect.Value(filepath.Rel("testdata", path))(t)
		body := read(t, path)
		to := filepath.Join(dir, strings.TrimSuffix(rel, ".json"))
		switch {
		case strings.HasSuffix(rel, ".vscdb.json"):
			var s state
			must(t, json.Unmarshal(body, &s))
			fill(t, to, s)
		case strings.HasSuffix(rel, "store.db.json"):
			var s struct {
				Meta     map[string]any
				Messages []json.RawMessage
			}
			must(t, json.Unmarshal(body, &s))
			fillStore(t, to, s.Meta, compact(t, s.Messages))
		default:
			write(t, filepath.Join(dir, rel), body)
		}
		return nil
	}))
	return filepath.Join(dir, "user"), filepath.Join(dir, "home")
}

func compact(t testing.TB, all []json.RawMessage) (out []json.RawMessage) {
	for _, m := range all {
		var v any
		must(t, json.Unmarshal(m, &v))
		body := expect.Value(json.Marshal(v))(t)
		out = append(out, body)
	}
	return out
}

func open(user, home string) *cursor.Source {
	c := cursor.Config{}
	if user != "" {
		c.Users.Dirs = []string{user}
	}
	if home != "" {
		c.Config = homes.Config{Homes: []string{home}}
	}
	return cursor.New(c)
}

// readAll reads everything, by session and layer.
func readAll(t testing.TB, s *cursor.Source) (all map[string]map[string]*sources.Session, readings []sources.Reading) {
	t.Helper()
	all = map[string]map[string]*sources.Session{}
	for it, r := range sourcetest.Readings(t, s) {
		readings = append(readings, r)
		for _, one := range slices.Concat(r.Sessions, []sources.SessionLayers{{ID: it.Session, Layers: r.Layers}}) {
			for _, la := range one.Layers {
				if all[one.ID] == nil {
					all[one.ID] = map[string]*sources.Session{}
				}
				name := strings.TrimPrefix(la.Name, "cursor/")
				if have := all[one.ID][name]; have != nil && name == "subagents" {
					have.Delegated, have.Files = append(have.Delegated, la.Session.Delegated...), append(have.Files, la.Session.Files...)
					continue
				}
				all[one.ID][name] = la.Session
			}
		}
	}
	must(t, s.Close())
	return all, readings
}

var must, read, write = sourcetest.Must, sourcetest.Read, sourcetest.Write
