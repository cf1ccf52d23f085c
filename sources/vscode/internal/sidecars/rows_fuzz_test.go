package sidecars

import (
	"database/sql"
	"path/filepath"
	"reflect"
	"testing"
	"unicode/utf8"
)

// FuzzRows reads a state.vscdb whose values are of any type: none is an error,
// what cannot be read is told, and the same file gives the same lists.
func FuzzRows(f *testing.F) {
	f.Add(byte(0), byte(1), "", int64(-1), 1e300)
	f.Add(byte(3), byte(4), `{"version":1,"entries":{"x":{"sessionId":"x","title":7,"lastMessageDate":9e99,"isEmpty":null}}}`, int64(1)<<62, 0.5)
	f.Add(byte(4), byte(2), "\xff\xfe[\x00]\x00", int64(-1)<<63, 5e-324)
	f.Fuzz(func(t *testing.T, first, second byte, text string, number int64, real float64) {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		db, err := sql.Open("sqlite", path)
		must(t, err)
		db.SetMaxOpenConns(1)
		exec := func(q string, args ...any) {
			if _, err := db.Exec(q, args...); err != nil {
				t.Fatal(err)
			}
		}
		exec("PRAGMA synchronous=OFF")
		exec("PRAGMA journal_mode=MEMORY")
		exec("BEGIN")
		exec("CREATE TABLE ItemTable(key, value)") // of no type, and not unique
		cells := [...]any{nil, number, real, text, []byte(text)}
		for i, key := range []any{keyIndex, keyModel, keyState, keyLegacy, keyIndex, nil, number, text} {
			kind := first
			if i%2 == 1 {
				kind = second
			}
			exec("INSERT INTO ItemTable VALUES(?, ?)", key, cells[int(kind)%len(cells)])
		}
		exec("COMMIT")
		must(t, db.Close())
		var states [2]State
		for i := range states {
			if states[i], err = ReadState(t.Context(), path, t.TempDir()); err != nil {
				t.Fatal(err)
			}
			for _, e := range states[i].Entries {
				if e.ID == "" || !utf8.ValidString(e.Title) {
					t.Errorf("%+v", e)
				}
			}
		}
		if !reflect.DeepEqual(states[0], states[1]) {
			t.Errorf("%+v\nand then\n%+v", states[0], states[1])
		}
	})
}
