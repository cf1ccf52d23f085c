package opencode_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/opencode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Of a session that is in several places one is read, and it is listed once.
func TestOnePlaceOfEachSession(t *testing.T) {
	const at = int64(begin)
	dir := t.TempDir()
	edit(t, dir, func(h *home) {
		for _, id := range []string{"imported", "made by version 1", "emptied"} {
			id := strings.ReplaceAll(id, " ", "_")
			h.session(id, at, nil)
			h.sessionV2(id, at, nil)
		}
		h.asked("imported", "m1", at, "old")
		h.v2("imported", "user", 1, at, object{"text": "new"})
		h.asked("made_by_version_1", "m2", at, "one")
		h.sessionV2("of_version_2", at, nil)
		h.v2("of_version_2", "user", 1, at, object{"text": "two"})
		h.session("in_channels", at, nil)
		h.asked("in_channels", "m3", at, "old copy")
		h.session("left_behind", at, nil)
		h.session("moved", at, nil)
		h.asked("moved", "m4", at, "in the database")
	})
	change(t, filepath.Join(dir, "opencode-beta.db"), schema+schemaV2, func(db *sql.DB) {
		h := &home{t, dir, db}
		h.session("in_channels", at+1, nil)
		h.asked("in_channels", "m3", at, "newer copy")
		h.session("in_beta", at, nil)
		h.asked("in_beta", "m5", at, "beta")
	})
	for _, id := range []string{"left_behind", "moved", "in_files"} {
		put(t, history{inFiles}.Log(dir, id), object{"id": id, "directory": folder, "title": "New session - x", "time": object{"created": at}})
		history{inFiles}.file(t, dir, id, 0, timeOf(at), sourcetest.Turn{User: "in files", Answer: "x"})
	}
	l := expect.Value(open(dir).List(context.Background()))(t)
	got := map[string]string{}
	for _, it := range l.Items {
		if _, twice := got[it.Session]; twice {
			t.Errorf("%s is listed twice", it.Session)
		}
		got[it.Session] = ""
		if s := sessionOf(t, dir, it.Session); len(s.Turns) > 0 {
			got[it.Session] = s.Turns[0].User
		}
	}
	for id, want := range map[string]string{"imported": "new", "made_by_version_1": "one", "emptied": "", "of_version_2": "two", "in_channels": "newer copy",
		"in_beta": "beta", "left_behind": "in files", "moved": "in the database", "in_files": "in files"} {
		expect.Is(t, got[id], want, id)
	}
	if len(got) != 9 || l.Roots[0].Items != 9 || len(l.Problems) > 0 {
		t.Errorf("%v, %+v, %v", got, l.Roots, l.Problems)
	}
	details := expect.Value(open(dir).Details(context.Background()))(t)
	if want := []string{"2 sessions in files of versions before 1.2", "4 sessions in the tables of version 2", "written by version 2.0.1, newer than 1.18.34, the newest that was tested"}; !slices.Equal(details[dir], want) {
		t.Errorf("%q", details[dir])
	}
}

// Before 0.6 each project had a store of its own. What the program did not take over from there is read, the rest once.
func TestFilesOfVersionsBefore06(t *testing.T) {
	const at = int64(begin)
	dir := t.TempDir()
	old := filepath.Join(dir, "project", "home-me-work", "storage", "session")
	for i, id := range []string{"left", "taken"} {
		was := t.TempDir()
		history{inFiles}.file(t, was, id, 0, timeOf(at), sourcetest.Turn{User: "old " + id, Answer: "b"})
		for n, message := range []string{named(id, 0, "a"), named(id, 0, "b")} {
			from := filepath.Join(was, "storage", "message", id, message+".json")
			write(t, filepath.Join(old, "message", id, message+".json"), read(t, from))
			write(t, filepath.Join(old, "part", id, message, "prt_1.json"), read(t, partFile(was, message)))
			if n == 1 {
				m := assistant(named(id, 0, "a"), at+1000)
				m["id"], m["path"] = message, object{"cwd": folder, "root": folder}
				put(t, filepath.Join(old, "message", id, message+".json"), m)
			}
		}
		put(t, filepath.Join(old, "info", id+".json"), object{"id": id, "version": "0.5.12", "title": "A name", "time": object{"created": at + int64(i), "updated": at}})
	}
	put(t, history{inFiles}.Log(dir, "taken"), object{"id": "taken", "version": "0.6.3", "projectID": "p", "directory": folder, "title": "A name", "time": object{"created": at, "updated": at}})
	history{inFiles}.file(t, dir, "taken", 0, timeOf(at), sourcetest.Turn{User: "new taken", Answer: "b"})
	for id, want := range map[string]string{"left": "old left>b", "taken": "new taken>b"} {
		if s := sessionOf(t, dir, id); told(s) != want || s.Place.Cwd != folder || s.Title != "A name" {
			t.Errorf("%s: %q, %+v", id, told(s), s)
		}
	}
	l := expect.Value(open(dir).List(context.Background()))(t)
	if len(l.Items) != 2 || len(l.Items[0].Parts) != 2 || len(l.Problems) != 0 {
		t.Errorf("%+v", l)
	}
}

func TestHomes(t *testing.T) {
	user := t.TempDir()
	env := map[string]string{}
	roots := func() (out []string) {
		s := opencode.New(opencode.Config{Defaults: true, Home: user, Env: func(name string) string { return env[name] }})
		l := expect.Value(s.List(context.Background()))(t)
		for _, r := range l.Roots {
			out = append(out, r.Path)
		}
		return out
	}
	expect.List(t, roots(), []string{filepath.Join(user, ".local", "share", "opencode")})
	env["XDG_DATA_HOME"] = filepath.Join(user, "data")
	expect.List(t, roots(), []string{filepath.Join(user, "data", "opencode")})
	dir := sourcetest.Sample(t)
	must(t, os.Mkdir(filepath.Join(user, "data"), 0o700))
	if err := os.Symlink(dir, filepath.Join(user, "data", "opencode")); err != nil {
		t.Skip(err)
	}
	s := opencode.New(opencode.Config{Homes: []string{dir}, Defaults: true, Home: user, Env: func(name string) string { return env[name] }})
	l := expect.Value(s.List(context.Background()))(t)
	if len(l.Roots) != 1 || len(l.Items) != 9 {
		t.Errorf("one home by two names: %+v, %d items", l.Roots, len(l.Items))
	}
}

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	roots := open(dir).Watch(context.Background())
	at := filepath.ToSlash(dir)
	for name, want := range map[string]bool{
		"opencode.db": true, "opencode.db-wal": true, "opencode-beta.db-wal": true, "storage/session/p/s.json": true, "storage/message/s/m.json": true,
		"opencode.db-shm": false, "auth.json": false, "log/x.log": false, "snapshot/p/HEAD": false, "storage/part/m/p.json": false,
	} {
		expect.Is(t, sourcetest.Matters(roots, at+"/"+name), want, name, "matters", !want)
	}
}

// What is no history of ours is told, or none of our business.
func TestWhatIsNoDatabase(t *testing.T) {
	for what, c := range map[string]struct {
		make     func(path string)
		problems int
		items    int
	}{
		"a text":   {func(path string) { write(t, path, []byte("no database at all, but longer than a header of one")) }, 1, 0},
		"empty":    {func(path string) { write(t, path, nil) }, 0, 0},
		"a folder": {func(path string) { must(t, os.Mkdir(path, 0o700)) }, 1, 0},
		"the program of the same name": {func(path string) {
			change(t, path, "CREATE TABLE sessions (id TEXT); CREATE TABLE messages (id TEXT); INSERT INTO sessions VALUES ('x')", func(*sql.DB) {})
		}, 0, 0},
		"a view": {func(path string) {
			change(t, path, "CREATE VIEW session AS SELECT 'x' AS id, 1 AS time_updated", func(*sql.DB) {})
		}, 0, 0},
		"odd ids": {func(path string) {
			change(t, path, schema, func(db *sql.DB) {
				h := &home{t, "", db}
				for _, id := range []string{"", "a/b", "a\nb", "..\\x", strings.Repeat("x", 300), "fine"} {
					h.session(id, 1, nil)
				}
			})
		}, 0, 1},
	} {
		dir := t.TempDir()
		c.make(base(dir))
		l := expect.Value(open(dir).List(context.Background()))(t)
		if len(l.Items) != c.items || len(l.Problems) != c.problems {
			t.Errorf("%s: %d items, %+v", what, len(l.Items), l.Problems)
		}
		for _, p := range l.Problems {
			if !p.Fatal || p.Hint == "" || p.Path != base(dir) {
				t.Errorf("%s: %+v", what, p)
			}
		}
	}
}

// A database with a writer at work is read as it stands, newest rows too, and nothing beside it
// is made, changed or removed.
func TestWriterAtWork(t *testing.T) {
	dir := t.TempDir()
	edit(t, dir, func(h *home) { h.session("ses_1", begin, nil); h.asked("ses_1", "m1", begin, "a") })
	db := expect.Value(sql.Open("sqlite", base(dir)+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)"))(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	h := &home{t, dir, db}
	h.answered("ses_1", "m2", "m1", begin+1, says("b"))
	exec(t, db, "BEGIN IMMEDIATE")
	h.answered("ses_1", "m3", "m1", begin+2, says("not yet"))
	untouched := sourcetest.Untouched(t, dir)
	expect.Is(t, told(sessionOf(t, dir, "ses_1")), "a>b")
	if runtime.GOOS == "linux" {
		untouched()
	}
	exec(t, db, "COMMIT")
	expect.Is(t, told(sessionOf(t, dir, "ses_1")), "a>b/not yet")
}

// A database that is locked fails with a hint, and is read in the next pass.
func TestLockedDatabase(t *testing.T) {
	dir := t.TempDir()
	edit(t, dir, func(h *home) { h.session("ses_1", begin, nil); h.asked("ses_1", "m1", begin, "a") })
	db := expect.Value(sql.Open("sqlite", base(dir)))(t)
	defer db.Close()
	db.SetMaxOpenConns(1)
	exec(t, db, "BEGIN EXCLUSIVE")
	s := open(dir)
	defer s.Close()
	l := expect.Value(s.List(context.Background()))(t)
	if len(l.Items) != 0 || len(l.Problems) != 1 || !l.Problems[0].Fatal || !strings.Contains(l.Problems[0].Hint, "close opencode") {
		t.Errorf("%+v", l)
	}
	exec(t, db, "COMMIT")
	if l, err := s.List(context.Background()); err != nil || len(l.Items) != 1 || len(l.Problems) > 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

// A page that is damaged fails the session that is on it, and no other.
func TestDamagedPage(t *testing.T) {
	dir := t.TempDir()
	big := strings.Repeat("wide ", 20_000)
	edit(t, dir, func(h *home) {
		for _, id := range []string{"ses_1", "ses_2", "ses_3"} {
			h.session(id, begin, nil)
			h.asked(id, id+"m", begin, id)
			h.answered(id, id+"n", id+"m", begin+1, says(id+" said "+big+"end of "+id))
		}
	})
	body := read(t, base(dir))
	page := strings.Index(string(body), "end of ses_2")/4096*4096 - 4096 // of that text alone
	copy(body[page:], make([]byte, 4096))
	write(t, base(dir), body)
	s := open(dir)
	defer s.Close()
	l := expect.Value(s.List(context.Background()))(t)
	failed := ""
	for _, it := range l.Items {
		r, err := s.Read(context.Background(), it)
		if err != nil {
			failed += it.Session
		} else if len(r.Layers) == 0 || !strings.HasPrefix(r.Layers[0].Session.Turns[0].Assistant, it.Session) {
			t.Errorf("%s: %+v", it.Session, r.Layers)
		}
	}
	expect.Is(t, failed, "ses_2", "failed")
}

// Bad records are told and the rest is read.
func TestDamagedRecords(t *testing.T) {
	for what, c := range map[string]struct {
		data, table string
		damage      int
		unknown     string
	}{
		"cut":                    {`{"type":"text","te`, "part", 1, ""},
		"empty":                  {``, "part", 1, ""},
		"a NUL tail":             {`{"type":"text","text":""}` + "\x00\x00", "part", 0, ""},
		"two values":             {`{"type":"text","text":"x"}{"type":"text"}`, "part", 1, ""},
		"a list":                 {`[1,2]`, "part", 0, "part/"},
		"a type from the future": {`{"type":"hologram","text":"x"}`, "part", 0, "part/hologram"},
		"wrong types":            {`{"type":"tool","tool":5,"state":{"status":[],"input":"x","time":{"start":"x"},"metadata":[]}}`, "part", 0, "tool of another type"},
		"too large":              {`{"type":"text","text":"` + strings.Repeat("x", 17<<20) + `"}`, "part", 1, ""},
		"a message":              {`{"role":"user",`, "message", 1, ""},
		"a role from the future": {`{"role":"oracle","time":{"created":1}}`, "message", 0, "message/oracle"},
		"the year 9999":          {`{"role":"assistant","parentID":"m1","finish":"stop","time":{"created":253402300799999,"completed":9e300}}`, "message", 0, ""},
	} {
		dir := t.TempDir()
		edit(t, dir, func(h *home) {
			h.session("ses_1", begin, nil)
			h.asked("ses_1", "m1", begin, "a")
			h.answered("ses_1", "m2", "m1", begin+1, says("b"))
			h.asked("ses_1", "m8", begin+7, "c")
			h.answered("ses_1", "m9", "m8", begin+8, says("d"))
			row := object{"id": "m3", "session_id": "ses_1", "time_created": begin + 2, "time_updated": begin + 2, "data": c.data}
			if c.table == "part" {
				row["message_id"] = "m2"
			}
			h.insert(c.table, row, nil)
		})
		r := readOf(t, dir, "ses_1")
		s := r.Layers[0].Session
		if len(s.Damage) != c.damage || c.unknown != "" && r.Unknown[c.unknown] == 0 || c.unknown == "" && len(r.Unknown) > 0 || s.Updated.Year() > 2026 && what != "the year 9999" {
			t.Errorf("%s: damage %q, unknown %v", what, s.Damage, r.Unknown)
		}
		expect.Is(t, r.Layers[0].Provisional, (c.damage > 0), what, "provisional", "what was stored before it was damaged has to stay")
		if text := strings.TrimSuffix(told(s), "?"); !strings.HasPrefix(text, "a>b") || !strings.HasSuffix(text, "c>d") {
			t.Errorf("%s: %.200q", what, text)
		}
	}
}

// Tables of credentials and files beside the database are never read, whatever is in them.
func TestSecretsOfTheProgramStayUnread(t *testing.T) {
	const canary = "canary-4f1d9a"
	dir := t.TempDir()
	edit(t, dir, func(h *home) {
		h.session("ses_1", begin, nil)
		h.asked("ses_1", "m1", begin, "a")
		exec(t, h.db, "INSERT INTO credential VALUES ('x', 'y', ?)", canary)
		exec(t, h.db, "CREATE TABLE session_share (session_id text PRIMARY KEY, id text, secret text, url text)")
		exec(t, h.db, "INSERT INTO session_share VALUES ('ses_1', 'x', ?, 'u')", canary)
	})
	for _, name := range []string{"auth.json", "mcp-auth.json", "log/x.log", "storage/session_share/ses_1.json"} {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(canary))
	}
	s := open(dir)
	defer s.Close()
	l := expect.Value(s.List(context.Background()))(t)
	var all []sources.Reading
	for _, it := range l.Items {
		r := expect.Value(s.Read(context.Background(), it))(t)
		all = append(all, r)
	}
	details := expect.Value(s.Details(context.Background()))(t)
	if strings.Contains(text(all)+text(l)+text(details), canary) {
		t.Error("a secret of the program was read")
	}
}
