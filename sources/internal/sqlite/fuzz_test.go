package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// cells deals out values of any type, in any column.
type cells struct {
	shape  []byte
	text   string
	number int64
	real   float64
}

func (c *cells) next() any {
	kind := byte(3)
	if len(c.shape) > 0 {
		kind, c.shape = c.shape[0], c.shape[1:]
	}
	switch kind % 8 {
	case 0:
		return nil
	case 1:
		return c.number
	case 2:
		return c.real
	case 3:
		return c.text
	case 4:
		return []byte(c.text)
	case 5:
		return int64(kind >> 3)
	case 6:
		return "2026-04-02 09:00:00"
	}
	return "b"
}

// hostileStore writes rows of these cells into a store without types.
func hostileStore(t *testing.T, c *cells) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session-store.db")
	db, err := sql.Open("sqlite", path)
	mustDo(t, err)
	db.SetMaxOpenConns(1)
	exec := func(q string, args ...any) {
		t.Helper()
		_, err := db.Exec(q, args...)
		mustDo(t, err)
	}
	exec("PRAGMA synchronous=OFF")
	exec("PRAGMA journal_mode=MEMORY")
	exec("BEGIN")
	for _, table := range []struct{ name, columns string }{
		{"sessions", "id, cwd, repository, host_type, branch, summary, created_at"},
		{"turns", "session_id, turn_index, user_message, assistant_response, timestamp"},
		{"checkpoints", "session_id, checkpoint_number, title, overview, history, work_done, technical_details, important_files, next_steps, created_at"},
		{"session_files", "session_id, file_path, tool_name, turn_index, first_seen_at"},
		{"session_refs", "session_id, ref_type, ref_value, turn_index"},
	} {
		exec("CREATE TABLE " + table.name + "(" + table.columns + ")")
		for row := range 3 {
			args := []any{"b"} // one session that has something of each kind
			if row > 0 {
				args[0] = c.next()
			}
			for range strings.Count(table.columns, ",") {
				args = append(args, c.next())
			}
			exec("INSERT INTO "+table.name+" VALUES("+strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")+")", args...)
		}
	}
	exec("COMMIT")
	mustDo(t, db.Close())
	return path
}

// FuzzRows reads rows of any types: all of them are read, every text is one,
// every number in its bounds, and the same store gives the same sessions.
func FuzzRows(f *testing.F) {
	f.Add([]byte{3, 0, 1, 2, 4, 5, 6, 7}, "text", int64(-1), 1e300)
	f.Add([]byte{7, 1, 1, 1, 1, 1, 1, 7, 1, 1, 1, 1}, "\xff\x00", int64(1)<<62, 0.5)
	f.Add([]byte{4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, "\ufeff\u202e", int64(-1)<<63, 5e-324)
	f.Add([]byte{3}, "9999-12-31T23:59:59-23:00", int64(0), 0.0)
	f.Add([]byte{3}, "0000-01-01T00:00:00+23:00", int64(0), 0.0)
	f.Fuzz(func(t *testing.T, shape []byte, text string, number int64, real float64) {
		path, temp := hostileStore(t, &cells{shape, text, number, real}), t.TempDir()
		var said [2]string
		for i := range said {
			all, err := sqlite.StoreRows(context.Background(), path, temp)
			mustDo(t, err)
			for _, r := range all {
				s := r.Session
				if r.ID == "" || s.ID != r.ID {
					t.Errorf("ids %q and %q", r.ID, s.ID)
				}
				for _, c := range s.Checkpoints {
					if c.Number <= 0 || c.Number >= 1<<31 {
						t.Errorf("checkpoint %d", c.Number)
					}
				}
				for _, touch := range s.Files {
					if touch.Turn < -1 || touch.Path == "" {
						t.Errorf("%+v", touch)
					}
				}
				b, err := json.Marshal(s)
				mustDo(t, err)
				if !utf8.ValidString(s.ID) || !utf8.ValidString(s.Title) || !utf8.ValidString(s.Place.Cwd) {
					t.Errorf("no text: %q", b)
				}
				for _, turn := range s.Turns {
					if !utf8.ValidString(turn.User) || !utf8.ValidString(turn.Assistant) {
						t.Errorf("no text: %+v", turn)
					}
				}
				said[i] += string(b)
			}
		}
		if said[0] != said[1] {
			t.Errorf("%s\nand then\n%s", said[0], said[1])
		}
	})
}
