package cursor_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// fuzzed reads a history, whatever is in it.
func fuzzed(t *testing.T, user, home string) {
	t.Helper()
	sourcetest.Fuzzed(t, func() sources.Source { return open(user, home) })
}

// seeds are the values of the fixtures in a table.
func seeds(f *testing.F, path string, table string) (all [][]byte) {
	db, err := sql.Open("sqlite", path)
	must(f, err)
	defer db.Close()
	rows, err := db.Query("SELECT value FROM " + table)
	must(f, err)
	defer rows.Close()
	for rows.Next() {
		var value []byte
		must(f, rows.Scan(&value))
		all = append(all, value)
	}
	return all
}

func FuzzConversation(f *testing.F) {
	user, _ := fixture(f)
	for _, value := range seeds(f, stateOf(user), "cursorDiskKV") {
		f.Add(value, value, value)
	}
	dir := f.TempDir()
	fill(f, stateOf(dir), state{})
	f.Fuzz(func(t *testing.T, composer, bubble, header []byte) {
		change(t, stateOf(dir), func(db *sql.DB) {
			exec(t, db, "DELETE FROM cursorDiskKV")
			exec(t, db, "INSERT INTO cursorDiskKV VALUES ('composerData:one', ?), ('bubbleId:one:a', ?), ('bubbleId:one:b', ?)", string(composer), string(bubble), string(bubble))
			exec(t, db, "INSERT INTO cursorDiskKV VALUES ('composerData:two', ?)", `{"fullConversationHeadersOnly":[{"bubbleId":"x","type":1},{"bubbleId":"y","type":2}]}`)
			exec(t, db, "INSERT INTO cursorDiskKV VALUES ('bubbleId:two:x', ?), ('bubbleId:two:y', ?)", string(bubble), string(bubble))
			exec(t, db, "INSERT INTO ItemTable VALUES ('composer.composerHeaders', ?)", string(header))
			exec(t, db, "INSERT OR REPLACE INTO composerHeaders(composerId, value) VALUES ('two', ?)", string(header))
		})
		fuzzed(t, dir, "")
	})
}

func FuzzWorkspace(f *testing.F) {
	user, _ := fixture(f)
	for _, n := range []string{"1", "2", "3", "4"} {
		for _, value := range seeds(f, filepath.Join(user, "workspaceStorage", "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0"+n, "state.vscdb"), "ItemTable") {
			f.Add(value)
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, value []byte) {
		change(t, filepath.Join(dir, "workspaceStorage", "w", "state.vscdb"), func(db *sql.DB) {
			for _, key := range []string{"composer.composerData", "workbench.panel.aichat.view.aichat.chatdata", "aiService.prompts", "aiService.generations"} {
				exec(t, db, "INSERT INTO ItemTable VALUES (?, ?)", key, string(value))
			}
		})
		write(t, filepath.Join(dir, "workspaceStorage", "w", "workspace.json"), value)
		fuzzed(t, dir, "")
	})
}

func FuzzTranscript(f *testing.F) {
	_, home := fixture(f)
	must(f, filepath.WalkDir(filepath.Join(home, "projects"), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			f.Add(read(f, path))
		}
		return err
	}))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, body []byte) {
		at := filepath.Join(dir, "projects", "home-dev", "agent-transcripts")
		for _, name := range []string{"one/one.jsonl", "one/subagents/two.jsonl", "three.txt"} {
			write(t, filepath.Join(at, filepath.FromSlash(name)), body)
		}
		fuzzed(t, "", dir)
	})
}

func FuzzStore(f *testing.F) {
	f.Add([]byte(`{"role":"user","content":"x"}`), []byte(`{"name":"n","createdAt":1}`))
	f.Add([]byte{0x0a, 0x20}, []byte("{"))
	f.Fuzz(func(t *testing.T, blob, beside []byte) {
		dir := t.TempDir()
		at := filepath.Join(dir, "chats", "0f", "one")
		fillStore(t, filepath.Join(at, "store.db"), map[string]any{"name": string(beside)}, []json.RawMessage{json.RawMessage(blob), json.RawMessage(`{"role":"assistant","content":"y"}`)})
		write(t, filepath.Join(at, "meta.json"), beside)
		fuzzed(t, "", dir)
	})
}
