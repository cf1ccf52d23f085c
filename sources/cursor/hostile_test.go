package cursor_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// spoil puts a hostile text with a secret in place of every text in a value, but for what tells the
// shape of a record.
func spoil(value any, key string) any {
	const secret = " ghp_SYNTHETIC0example0token0for0tests000 "
	keeps := []string{"composerId", "bubbleId", "createdAt", "status", "type", "role", "toolName", "parentComposerId", "scheme", "id", "key", "tabId"}
	switch v := value.(type) {
	case map[string]any:
		for k := range v {
			v[k] = spoil(v[k], k)
		}
	case []any:
		for i := range v {
			v[i] = spoil(v[i], key)
		}
	case string:
		var inner any
		switch {
		case slices.Contains(keeps, key) || key == "subagentComposerIds":
			return v
		case json.Unmarshal([]byte(v), &inner) == nil && strings.HasPrefix(v, "{"):
			body, _ := json.Marshal(spoil(inner, "")) // it was JSON
			return string(body)
		case strings.HasPrefix(v, "/") || strings.HasPrefix(v, "file:"):
			return v + "/x" + testdata.HostileLine()[:200] + secret
		case strings.Contains(v, "<user_query>"):
			return strings.Replace(v, "</user_query>", testdata.Hostile+secret+"</user_query>", 1)
		}
		return v + testdata.Hostile + secret
	}
	return value
}

// Whatever stands in any field, nothing of it acts in a vault, and no secret is kept.
func TestHostileTextsAndSecrets(t *testing.T) {
	user, home := fixture(t)
	for path, table := range map[string]string{stateOf(user): "cursorDiskKV", filepath.Join(user, "workspaceStorage", "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f01", "state.vscdb"): "ItemTable",
		filepath.Join(user, "workspaceStorage", "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f03", "state.vscdb"): "ItemTable"} {
		change(t, path, func(db *sql.DB) {
			rows := map[string]string{}
			found := expect.Value(db.Query("SELECT key, value FROM " + table))(t)
			for found.Next() {
				var key, value string
				must(t, found.Scan(&key, &value))
				rows[key] = value
			}
			must(t, errors.Join(found.Err(), found.Close()))
			for key, text := range rows {
				var value any
				if json.Unmarshal([]byte(text), &value) == nil {
					body := expect.Value(json.Marshal(spoil(value, "")))(t)
					exec(t, db, "INSERT OR REPLACE INTO "+table+" VALUES (?, ?)", key, string(body))
				}
			}
		})
	}
	must(t, filepath.WalkDir(home, func(path string, e os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		var out []byte
		for line := range strings.Lines(string(read(t, path))) {
			var value any
			must(t, json.Unmarshal([]byte(line), &value))
			spoilt := expect.Value(json.Marshal(spoil(value, "")))(t)
			out = append(append(out, spoilt...), '\n')
		}
		return os.WriteFile(path, out, 0o600)
	}))
	v := sourcetest.NewVault(t)
	if notes, _ := v.Run(open(user, home)); len(notes) < 15 {
		t.Errorf("%d notes", len(notes))
	}
	v.Harmless("SYNTHETIC0example")
}

// Of all conversations in the database the one that grew is read.
func TestOnlyWhatGrewIsRead(t *testing.T) {
	user, home := fixture(t)
	v, at := sourcetest.NewVault(t), time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)
	age := func() {
		past := time.Now().Add(-time.Hour)
		must(t, os.Chtimes(stateOf(user), past, past))
		time.Sleep(25 * time.Millisecond)
	}
	ide{}.Write(t, user, conversationID(1), at, []sourcetest.Turn{{User: "one", Answer: "two"}})
	age()
	v.Run(open(user, home))
	for _, step := range []struct {
		what string
		do   func()
		want int
	}{
		{"nothing", func() {}, 0},
		{"a turn", func() {
			ide{}.Append(t, user, conversationID(1), at, 1, []sourcetest.Turn{{User: "three", Answer: "four"}})
		}, 1},
		{"another key", func() {
			change(t, stateOf(user), func(db *sql.DB) { exec(t, db, "INSERT INTO cursorDiskKV VALUES ('agentKv:blob:1', 'x')") })
		}, 0},
	} {
		step.do()
		age()
		_, report := v.Run(open(user, home))
		items := 0
		for _, s := range report.Sources {
			items += s.Read
		}
		if items != step.want {
			t.Errorf("%s: %d items read, want %d", step.what, items, step.want)
		}
	}
}

// Rows that cannot be read, in every form, are damage of their conversation alone.
func TestDamagedRows(t *testing.T) {
	for what, broken := range map[string]string{"torn": `{"_v":16,"composerId":"x","fullConv`, "empty": "", "NULL": "\x00NULL", "a list": "[]", "a text": `"x"`, "NULs": "\x00\x00\x00\x00"} {
		user, _ := fixture(t)
		change(t, stateOf(user), func(db *sql.DB) {
			var value any = broken
			if strings.HasSuffix(broken, "NULL") {
				value = nil
			}
			exec(t, db, "INSERT INTO cursorDiskKV VALUES (?, ?)", "composerData:a1c00001-0000-4000-8000-000000000001", value)
			exec(t, db, "INSERT INTO cursorDiskKV VALUES (?, ?)", "bubbleId:a1c00001-0000-4000-8000-000000000004:b4-02", value)
			exec(t, db, "INSERT INTO composerHeaders(composerId, value) VALUES (?, ?)", "a1c00001-0000-4000-8000-000000000004", value)
			exec(t, db, "INSERT INTO ItemTable VALUES (?, ?)", "composer.composerHeaders", value)
		})
		all, readings := readAll(t, open(user, ""))
		one, four, eight := all["a1c00001-0000-4000-8000-000000000001"]["ide"], all["a1c00001-0000-4000-8000-000000000004"]["ide"], all["a1c00001-0000-4000-8000-000000000008"]["ide"]
		if one == nil || len(one.Damage) != 1 || len(one.Turns) != 0 || four == nil || len(four.Damage) != 1 || len(four.Turns) != 1 || eight == nil || len(eight.Turns) != 2 {
			t.Errorf("%s: %+v\n%+v", what, one, four)
		}
		for _, r := range readings {
			for _, la := range r.Layers {
				if la.Session != nil && len(la.Session.Damage) > 0 && !la.Provisional {
					t.Errorf("%s: a conversation that cannot be read whole takes away what was stored", what)
				}
			}
		}
	}
}

// A database that is none, or is locked, is told, and the rest is listed.
func TestDatabaseThatCannotBeRead(t *testing.T) {
	user, home := fixture(t)
	items := func() (n int, told []sources.Problem) {
		s := open(user, home)
		defer s.Close()
		l := expect.Value(s.List(context.Background()))(t)
		return len(l.Items), l.Problems
	}
	all, told := items()
	if len(told) > 0 {
		t.Fatal(told)
	}
	body := read(t, stateOf(user))
	must(t, os.WriteFile(stateOf(user), []byte(strings.Repeat("no database", 1000)), 0o600))
	left, told := items()
	if len(told) != 1 || !errors.Is(told[0].Err, files.ErrNotDatabase) || !told[0].Fatal || told[0].Hint == "" || left != all-9 {
		t.Errorf("%d items, %+v", left, told)
	}
	must(t, os.WriteFile(stateOf(user), body, 0o600))
	db := expect.Value(sql.Open("sqlite", stateOf(user)+"?_pragma=journal_mode(DELETE)&_pragma=locking_mode(EXCLUSIVE)"))(t)
	exec(t, db, "BEGIN EXCLUSIVE")
	left, told = items()
	if len(told) != 1 || !errors.Is(told[0].Err, files.ErrBusy) || !told[0].Fatal || left != all-9 {
		t.Errorf("%d items, %+v", left, told)
	}
	must(t, db.Close())
	if n, told := items(); n != all || len(told) > 0 {
		t.Errorf("%d items, want %d; %v", n, all, told)
	}
}

// What a running IDE wrote stands in the -wal alone; nothing is made beside the database.
func TestWhatARunningIDEWroteIsRead(t *testing.T) {
	user, _ := fixture(t)
	db := expect.Value(sql.Open("sqlite", stateOf(user)+"?_pragma=wal_autocheckpoint(0)"))(t)
	db.SetMaxOpenConns(1)
	defer db.Close()
	c := begin(t, db, conversationID(1), time.Now())
	c.turns(time.Now(), 0, []sourcetest.Turn{{User: "one", Answer: "two"}})
	c.save()
	before := expect.Value(os.ReadDir(filepath.Dir(stateOf(user))))(t)
	all, _ := readAll(t, open(user, ""))
	if s := all[conversationID(1)]["ide"]; s == nil || len(s.Turns) != 1 {
		t.Errorf("%+v", s)
	}
	after := expect.Value(os.ReadDir(filepath.Dir(stateOf(user))))(t)
	if len(before) != 3 || len(after) != 3 {
		t.Errorf("files before %v, after %v", before, after)
	}
}

// A database of gigabytes is listed by its keys: in less than a second, with little memory.
func TestLargeDatabaseIsListedAtOnce(t *testing.T) {
	dir := t.TempDir()
	const sessions, bubbles = 2000, 10
	change(t, stateOf(dir), func(db *sql.DB) {
		exec(t, db, "BEGIN")
		for i := range sessions {
			c := begin(t, db, conversationID(i), time.Now())
			for n := range bubbles {
				c.bubble(1+n%2, string(rune('a'+n)), time.Now(), map[string]any{"text": strings.Repeat("x", 300)})
			}
			c.save()
		}
		exec(t, db, "COMMIT")
	})
	must(t, os.Truncate(stateOf(dir), 4<<30)) // pages that nobody uses
	s := open(dir, "")
	defer s.Close()
	began := time.Now()
	l, err := s.List(context.Background())
	took := time.Since(began)
	must(t, err)
	if len(l.Items) != sessions || len(l.Problems) > 0 || took > time.Second {
		t.Errorf("%d items in %v, %v", len(l.Items), took, l.Problems)
	}
	t.Logf("listed in %v", took)
}
