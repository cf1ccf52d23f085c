package copilotcli_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var created = time.Date(2026, 4, 2, 9, 0, 0, 0, time.UTC)

const other = "5f0e8e0a-6f0b-4b58-8a5e-6a1c2d3e4f51"

// schema is version 1 of the store, as far as
// it is read, without the columns later versions added.
const schema = `
CREATE TABLE sessions(id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, branch TEXT, summary TEXT, created_at TEXT, updated_at TEXT);
CREATE TABLE turns(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, turn_index INTEGER, user_message TEXT, assistant_response TEXT, timestamp TEXT);
CREATE TABLE checkpoints(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, checkpoint_number INTEGER, title TEXT, overview TEXT, created_at TEXT);
CREATE TABLE session_files(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, file_path TEXT, tool_name TEXT, turn_index INTEGER, first_seen_at TEXT);
CREATE TABLE session_refs(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, ref_type TEXT, ref_value TEXT, turn_index INTEGER);`

// rows fill the store for the session both tests and folders know.
const rows = `
INSERT INTO sessions VALUES('` + id + `', '/home/dev/src/widget', 'octo-org/widget', 'main', 'A summary', '2026-04-02 09:00:00', '2030-01-01 00:00:00');
INSERT INTO turns(session_id, turn_index, user_message, assistant_response, timestamp) VALUES
 ('` + id + `', 0, 'from the store', 'yes', '2026-04-02T09:00:01.500Z'), ('` + id + `', 1, 'no answer', NULL, '2026-04-02 09:10:00');
INSERT INTO checkpoints(session_id, checkpoint_number, title, overview, created_at) VALUES
 ('` + id + `', 1, '', 'known', '2026-04-02 09:20:00'), ('` + id + `', 7, 'Dead', 'rewound', '2026-04-02 09:21:00');
INSERT INTO session_files(session_id, file_path, tool_name, turn_index, first_seen_at) VALUES
 ('` + id + `', '/home/dev/src/widget/a.go', 'create', 0, '2026-04-02 09:00:05'),
 ('` + id + `', '/home/dev/.copilot/session-state/` + id + `/plan.md', 'edit', 0, '2026-04-02 09:00:06');
INSERT INTO session_refs(session_id, ref_type, ref_value, turn_index) VALUES('` + id + `', 'commit', 'abc1234', 0);`

func store(t *testing.T, home string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(home, "session-store.db"))
	must(t, err)
	_, err = db.Exec(strings.Join(statements, "\n"))
	must(t, err)
	must(t, db.Close())
}

// storeLayer reads what the store says beside whatever log there is.
func storeLayer(t *testing.T, home string) *sources.Session {
	t.Helper()
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	defer s.Close()
	layers, r := readItem(t, s, itemOf(t, s, id))
	for _, p := range r.Problems {
		t.Errorf("%s: %v", p.Path, p.Err)
	}
	return layers["store"].Session
}

func TestTheStoreFillsOnlyGaps(t *testing.T) {
	home := t.TempDir()
	store(t, home, schema, rows)
	write(t, at(home, id, "plan.md"), []byte("only a plan is left"))
	got := storeLayer(t, home)
	if len(got.Turns) != 2 || got.Turns[0].Status != sources.Complete || got.Turns[1].Status != sources.Pending ||
		!got.Turns[0].At.Equal(created.Add(1500*time.Millisecond)) || !got.Turns[1].At.Equal(created.Add(10*time.Minute)) {
		t.Errorf("without a log: %+v", got.Turns)
	}
	if len(got.Checkpoints) != 2 || len(got.Files) != 1 || got.Files[0].Kind != sources.Created || got.Files[0].Turn != 0 {
		t.Errorf("without a log: %+v %+v", got.Checkpoints, got.Files)
	}
	if !got.Created.Equal(created) || got.Title != "A summary" || got.TitleFrom != sources.TrustDerived {
		t.Errorf("without a log: %+v", got)
	}

	session(t, home, id, map[string]string{"checkpoints/001-known.md": "<overview>\nknown\n</overview>"})
	got = storeLayer(t, home)
	if len(got.Turns) != 0 || len(got.Checkpoints) != 1 || got.Checkpoints[0].Number != 1 || got.Checkpoints[0].At.IsZero() {
		t.Errorf("beside a whole log: %+v", got)
	}
	if len(got.Files) != 1 || got.Files[0].Turn != -1 || len(got.Refs) != 1 {
		t.Errorf("beside a whole log: %+v %+v", got.Files, got.Refs)
	}

	history{}.Append(t, home, id, created, 1, []sourcetest.Turn{{User: "second", Answer: "yes"}})
	history{}.Break(t, home, id)
	if got = storeLayer(t, home); len(got.Turns) != 2 {
		t.Errorf("beside a damaged log: %+v", got)
	}
}

func TestDeadRowsOfARewoundSessionStayDead(t *testing.T) {
	home := t.TempDir()
	store(t, home, schema, rows)
	session(t, home, id, map[string]string{"rewind-file-snapshots/index.json": `{"schema":1,"snapshots":[{"timestamp":"2026-04-02T09:00:00Z",
		"files":{"a":{"path":"/home/dev/src/widget/dead.go","preimage":{"kind":"absent"},"postimage":{"kind":"content"}}}}]}`})
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	layers, _ := readItem(t, s, itemOf(t, s, id))
	if touches := layers["sidecars"].Session.Files; len(touches) != 1 || touches[0].Kind != sources.Created {
		t.Fatalf("before the rewind: %+v", touches)
	}
	log := append(read(t, logOf(home, id)), event(id, 9, "session.info", created.Add(time.Hour), map[string]any{"infoType": "rewind", "message": "Rewound"})...)
	write(t, logOf(home, id), log)
	must(t, s.Close())
	layers, _ = readItem(t, s, itemOf(t, s, id))
	defer s.Close()
	if got := layers["store"].Session; len(got.Files)+len(got.Refs)+len(got.Checkpoints)+len(got.Turns) != 0 {
		t.Errorf("the store brought back %+v", got)
	}
	if got := layers["sidecars"].Session; len(got.Files) != 0 {
		t.Errorf("the rewind index brought back %+v", got.Files)
	}
}

func TestOnlyTheSessionWhoseRowsMovedIsReadAgain(t *testing.T) {
	home := t.TempDir()
	store(t, home, schema, rows, strings.ReplaceAll(rows, id, other))
	session(t, home, id, nil)
	session(t, home, other, nil)
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	digests := func() (a, b string) {
		a = expect.Value(s.Digest(context.Background(), itemOf(t, s, id), "store"))(t)
		b = expect.Value(s.Digest(context.Background(), itemOf(t, s, other), "store"))(t)
		return a, b
	}
	a1, b1 := digests()
	must(t, s.Close())
	store(t, home, "INSERT INTO session_refs(session_id, ref_type, ref_value) VALUES('"+other+"', 'pr', '12'); UPDATE sessions SET updated_at = '2031-01-01'")
	a2, b2 := digests()
	if a1 != a2 || b1 == b2 || a1 == "" {
		t.Errorf("digests %q to %q, %q to %q", a1, a2, b1, b2)
	}
	must(t, s.Close())
}

func TestADamagedStoreIsToldOnce(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, "session-store.db"), []byte(strings.Repeat("no database ", 400)))
	session(t, home, id, nil)
	session(t, home, other, nil)
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	told := 0
	for _, session := range []string{id, other} {
		layers, r := readItem(t, s, itemOf(t, s, session))
		told += len(r.Problems)
		if layers["events"].Session == nil || !layers["store"].Failed {
			t.Errorf("%s: the log was not read, or a store made up", session)
		}
	}
	expect.Is(t, told, 1, "times")
	must(t, s.Close())
	must(t, os.WriteFile(filepath.Join(home, "session-store.db"), nil, 0o600))
	if got := storeLayer(t, home); got != nil {
		t.Errorf("an empty store says %+v", got)
	}
}

func TestMemoryOfRepositories(t *testing.T) {
	home := t.TempDir()
	store(t, home, schema, `CREATE TABLE dynamic_context_items(repository TEXT, branch TEXT, src TEXT, name TEXT, description TEXT, content TEXT, read_count INTEGER, count INTEGER);
		INSERT INTO dynamic_context_items VALUES('octo-org/widget', 'main', 'agent', 'build', 'How to build', 'make all', 1, 1), ('octo-org/docs', 'main', 'user', 'tone', '', 'plain', 0, 0)`)
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	r := readKind(t, s, list(t, s), sources.KindMemory)
	if len(r.Sessions) != 2 || r.Sessions[1].ID != "copilot-cli:octo-org/widget" {
		t.Fatalf("%+v", r.Sessions)
	}
	memory := r.Sessions[1].Layers[0].Session
	if a := memory.Artifacts[0]; memory.Place.Repository != "octo-org/widget" || a.Kind != sources.Memory || a.Name != "main/agent/build" || a.Text != "How to build\n\nmake all" {
		t.Errorf("%+v", memory)
	}
	must(t, s.Close())
	store(t, home, "UPDATE dynamic_context_items SET read_count = read_count + 5, count = 9")
	for _, item := range list(t, s).Items {
		again := expect.Value(s.Read(context.Background(), item))(t)
		expect.Deep(t, again.Sessions, r.Sessions, "a counter moved the memory")
	}
	must(t, s.Close())
}

// Of a session of which only rows are left, texts of its files may stand in the search
// index.
func TestFilesOnlyTheSearchIndexHas(t *testing.T) {
	home := t.TempDir()
	entry := func(of, kind, file, text string) string {
		return "INSERT INTO search_index VALUES('" + text + "', '" + of + "', '" + kind + "', '" + of + ":workspace:" + file + "');"
	}
	folder := "/home/dev/.copilot/session-state/" + id + "/"
	store(t, home, schema, rows, "CREATE VIRTUAL TABLE search_index USING fts5(content, session_id UNINDEXED, source_type UNINDEXED, source_id UNINDEXED);",
		entry(id, "workspace_artifact", folder+"plan.md", "the plan"), entry(id, "workspace_artifact", folder+"research/a/b.md", "found"),
		entry(id, "workspace_artifact", folder+"files/n.txt", "kept"), entry(id, "workspace_artifact", "/etc/passwd", "no"), entry(id, "turn", folder+"files/t.txt", "no"))
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}, StoreOnly: true})
	defer s.Close()
	multi := readKind(t, s, list(t, s), sources.KindMemory)
	var got []string
	for _, a := range multi.Sessions[0].Layers[0].Session.Artifacts {
		got = append(got, a.Kind+" "+a.Name+" "+a.Text)
	}
	expect.Deep(t, got, []string{"file n.txt kept", "plan plan.md the plan", "research a/b.md found"}, "artifacts")
}
