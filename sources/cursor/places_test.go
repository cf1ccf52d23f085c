package cursor_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources/cursor"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// rootsOf are the places that are looked at, from a folder on; those that are not there have a mark.
func rootsOf(t *testing.T, dir string, c cursor.Config) (all []string) {
	t.Helper()
	l := expect.Value(cursor.New(c).List(context.Background()))(t)
	for _, r := range l.Roots {
		rel := expect.Value(filepath.Rel(dir, r.Path))(t)
		if !r.Found {
			rel += "?"
		}
		all = append(all, filepath.ToSlash(rel))
	}
	return all
}

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	env := func(all map[string]string) func(string) string {
		return func(name string) string {
			if all[name] == "" {
				return ""
			}
			return filepath.Join(dir, all[name])
		}
	}
	for _, test := range []struct {
		goos   string
		env    map[string]string
		user   []string
		made   []string
		usual  bool
		expect []string
	}{
		{goos: "linux"},
		{goos: "linux", usual: true, expect: []string{"home/.config/Cursor/User?", "home/.cursor?"}},
		{goos: "linux", usual: true, env: map[string]string{"XDG_CONFIG_HOME": "xdg", "CURSOR_CONFIG_DIR": "conf"}, made: []string{"home/.config/Cursor/User", "home/.cursor", "xdg/cursor"},
			expect: []string{"xdg/Cursor/User?", "home/.config/Cursor/User", "conf?", "xdg/cursor", "home/.cursor"}},
		{goos: "darwin", usual: true, expect: []string{"home/Library/Application Support/Cursor/User?", "home/.cursor?"}},
		{goos: "windows", usual: true, env: map[string]string{"APPDATA": "roaming"}, expect: []string{"roaming/Cursor/User?", "home/.cursor?"}},
		{goos: "linux", user: []string{"a/Cursor", "b", "a/Cursor/User"}, made: []string{"a/Cursor/User/globalStorage"}, expect: []string{"a/Cursor/User", "b?"}},
	} {
		for _, name := range test.made {
			must(t, os.MkdirAll(filepath.Join(dir, name), 0o700))
		}
		c := cursor.Config{Config: homes.Config{Home: filepath.Join(dir, "home"), Env: env(test.env), Defaults: test.usual}, Users: cursor.Users{GOOS: test.goos, Defaults: test.usual}}
		for _, user := range test.user {
			c.Users.Dirs = append(c.Users.Dirs, filepath.Join(dir, user))
		}
		expect.List(t, rootsOf(t, dir, c), test.expect, test)
		for _, name := range test.made {
			must(t, os.RemoveAll(filepath.Join(dir, name)))
		}
	}
}

// What is said changes a transcript or a store; the database of the IDE changes all the time.
func TestWatchedFiles(t *testing.T) {
	user, home := fixture(t)
	roots := open(user, home).Watch(context.Background())
	for name, want := range map[string]bool{
		"projects/x/agent-transcripts/one/one.jsonl": true, "projects/x/agent-transcripts/one.txt": true, "chats/0f/one/store.db-wal": true,
		"projects/x/terminals/1.txt": false, "cli-config.json": false, "../user/globalStorage/state.vscdb": false,
	} {
		expect.Is(t, sourcetest.Matters(roots, filepath.ToSlash(filepath.Join(home, name))), want, name, "matters")
	}
}
