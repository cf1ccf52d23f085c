package codexcli_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// readKey reads an item by the end of its key.
func readKey(t *testing.T, s *codexcli.Source, end string) sources.Reading {
	t.Helper()
	l := expect.Value(s.List(context.Background()))(t)
	i := slices.IndexFunc(l.Items, func(it sources.Item) bool { return strings.HasSuffix(it.Key, end) })
	if i < 0 {
		t.Fatalf("no item %s", end)
	}
	r := expect.Value(s.Read(context.Background(), l.Items[i]))(t)
	return r
}

// Of a session whose rollout is gone the prompts are left, which are given where that is
// wished. What is no prompt is none.
func TestListOfPrompts(t *testing.T) {
	dir := t.TempDir()
	line := func(id string, at int, text string) string {
		return fmt.Sprintf(`{"session_id":%q,"ts":%d,"text":%q}`+"\n", id, at, text)
	}
	rollout := lines(0, begins(""), prompt("kept"))
	write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), rollout)
	write(t, filepath.Join(dir, "history.jsonl"), []byte(line(own, 1, "kept")+line(parent, 1795330320, "!ls")+line(parent, 1795330324, "one")+"{broken\n"+
		line(parent, 1795330330, "/goal ship")+line(parent, 1<<60, "one")+line("no id", 1, "x")+line(child, 1, "!only a command")+`{"session_id":"`+third+`","ts":1,"text":"torn`))
	r := readKey(t, open(t, dir), "/history")
	if !slices.Equal(r.RowsOnly, []string{parent}) || len(r.Sessions) != 0 {
		t.Errorf("%v, %d sessions", r.RowsOnly, len(r.Sessions))
	}
	if len(r.Problems) != 1 || r.Problems[0].Fatal { // the damaged line is told, and no session lacks anything
		t.Errorf("%+v", r.Problems)
	}
	r = readKey(t, codexcli.New(codexcli.Config{Homes: []string{dir}, PromptOnly: true}), "/history")
	if len(r.Sessions) != 1 {
		t.Fatalf("%+v", r.Sessions)
	}
	la := r.Sessions[0].Layers[0]
	s := la.Session
	if la.Rank != sources.RankIndex || s.ID != parent || len(s.Turns) != 2 || s.Turns[0].ID == s.Turns[1].ID || s.Turns[0].At.Unix() != 1795330324 ||
		!s.Turns[1].At.IsZero() || len(s.Actions) != 2 || s.Actions[0].Turn != -1 || s.Actions[1].Turn != 0 || len(s.Damage) != 1 || s.Complete {
		t.Errorf("%+v", s)
	}
	live := readOf(t, dir, own).Layers[0].Session.Turns[0].ID
	write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), nil)
	must(t, os.RemoveAll(filepath.Join(dir, "sessions")))
	for _, x := range readKey(t, codexcli.New(codexcli.Config{Homes: []string{dir}, PromptOnly: true}), "/history").Sessions {
		if x.ID == own && x.Layers[0].Session.Turns[0].ID != live {
			t.Error("a prompt has another id than in its rollout")
		}
	}
}

func TestMemoriesAndSummaries(t *testing.T) {
	dir := t.TempDir()
	summary := func(name, header string) {
		write(t, filepath.Join(dir, "memories", "rollout_summaries", name), []byte(header+"\n\n# Task 1\n\nOutcome: done: yes\n"))
	}
	summary("a.md", "thread_id: "+strings.ToUpper(own)+"\nupdated_at: 2026-11-22T08:00:00Z\ncwd: /x")
	write(t, filepath.Join(dir, "memories", "rollout_summaries", "b.md"), []byte("---\nthread_id: "+own+"\nupdated_at: 2026-11-22T07:00:00Z\n---\n\nolder\n"))
	summary("c.md", "no header")
	write(t, filepath.Join(dir, "memories", "MEMORY.md"), []byte("- likes tabs\n"))
	write(t, filepath.Join(dir, "memories", "raw_memories.md"), []byte("raw"))
	s := open(t, dir)
	r := readKey(t, s, "/summaries")
	if len(r.Sessions) != 1 || r.Sessions[0].ID != own || len(r.Unknown) != 1 {
		t.Fatalf("%+v", r)
	}
	if x := r.Sessions[0].Layers[0].Session; x.Summary != "# Task 1\n\nOutcome: done: yes" || x.SummaryFrom != sources.TrustNamed || x.SummaryAt.Hour() != 8 {
		t.Errorf("%+v", x)
	}
	m := readKey(t, s, "/memories").Sessions[0].Layers[0].Session
	if !m.IsMemory || m.Scope != sources.ScopeUser || len(m.Artifacts) != 1 || m.Artifacts[0].Text != "- likes tabs\n" || strings.Contains(m.ID, dir) {
		t.Errorf("%+v", m)
	}
}

// A name comes from the database, else from the last line of the index, and only its own
// name makes a thread due again.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	write(t, pathOf(dir, "rollout-2026-11-22T07-00-00-"+own+".jsonl"), lines(0, begins(`,"forked_from_id":"`+parent+`"`), prompt("p"), event("thread_name_updated", `,"thread_name":"in the rollout"`)))
	name := func() string {
		layers := readOf(t, dir, own).Layers
		best := layers[len(layers)-1].Session
		return fmt.Sprintf("%s %d", best.Title, best.TitleFrom)
	}
	want := func(is string) {
		t.Helper()
		expect.Is(t, name(), is)
	}
	want("in the rollout 2")
	index := func(all ...string) {
		var out strings.Builder
		for i := 0; i < len(all); i += 2 {
			fmt.Fprintf(&out, `{"id":%q,"thread_name":%q}`+"\n", all[i], all[i+1])
		}
		write(t, filepath.Join(dir, "session_index.jsonl"), []byte(out.String()+"broken\n"))
	}
	index(own, "by a model")
	want("by a model 3")
	index(own, "by a model", own, "by its user", parent, "another")
	want("by its user 5")
	db := filepath.Join(dir, "state_5.sqlite")
	exec := func(queries ...string) {
		t.Helper()
		conn := expect.Value(sql.Open("sqlite", db))(t)
		for _, q := range queries {
			_, err := conn.Exec(q)
			must(t, err)
		}
		must(t, conn.Close())
	}
	exec("CREATE TABLE threads (id TEXT, name TEXT, title TEXT)", "INSERT INTO threads VALUES ('"+own+"', 'in the table', 'p'), ('"+parent+"', 'in the table', 'q'), ('"+child+"', NULL, 'r')")
	write(t, filepath.Join(dir, "state_4.sqlite"), []byte("older, and no database"))
	want("in the table (fork) 5")

	s := open(t, dir)
	digests := func() string {
		l := expect.Value(s.List(context.Background()))(t)
		for _, it := range l.Items {
			if it.Session == own {
				a := expect.Value(s.Digest(context.Background(), it, "state"))(t)
				b := expect.Value(s.Digest(context.Background(), it, "session_index.jsonl"))(t)
				must(t, s.Close())
				return a + " " + b
			}
		}
		return ""
	}
	before := digests()
	exec("UPDATE threads SET name = 'new' WHERE id = '" + child + "'")
	index(own, "by a model", own, "by its user", parent, "another one")
	expect.Is(t, digests(), before, "the name of another thread changes", "to")
	exec("UPDATE threads SET name = 'newer' WHERE id = '" + own + "'")
	if digests() == before {
		t.Error("its own name does not change the digest")
	}
	want("newer 5")
	write(t, db, []byte("no database at all"))
	r := readOf(t, dir, own)
	if title := r.Layers[len(r.Layers)-1].Session.Title; title != "by its user" || len(r.Problems) != 1 {
		t.Errorf("%q, %v", title, r.Problems)
	}
}

func TestWatchedIsWhatChanges(t *testing.T) {
	roots := open(t, t.TempDir()).Watch(context.Background())
	for file, want := range map[string]bool{
		"sessions/2026/11/22/rollout-x.jsonl": true, "archived_sessions/rollout-x.jsonl": true, "session_index.jsonl": true,
		"state_5.sqlite-wal": false, "logs_2.sqlite": false, "auth.json": false, "sessions/2026/11/22/x.txt": false,
	} {
		expect.Is(t, sourcetest.Matters(roots, roots[0].Path+"/"+file), want, file)
	}
}
