package query

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/query/memdb"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestMain(m *testing.M) {
	if err := memdb.BoundMemory(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// told are sessions that a test makes up; read counts how often they were asked for.
type told struct {
	all  []*sources.Session
	read int
}

func (t *told) Read(_ context.Context, _ extract.Selected, found func(*extract.Kept) error) ([]extract.Problem, error) {
	t.read++
	for _, s := range t.all {
		if err := found(&extract.Kept{Session: s, Project: extract.ExportedProject{Key: "github.com/o/r", Name: "r (o)"}}); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// masked are two secrets as the ledger keeps them.
const (
	maskedOne = "\ue000github-token~000000000001\ue001"
	maskedTwo = "\ue000github-token~000000000002\ue001"
)

func history() *told {
	at := time.Date(2026, 11, 3, 23, 30, 0, 0, time.UTC)
	yes, exit := true, 1
	return &told{all: []*sources.Session{{
		ID: "s1", Agent: "codex-cli", Title: "First", Created: at, Updated: at.Add(time.Hour), Models: []string{"m1", "m2"},
		Turns: []sources.Turn{
			{Index: 0, At: at, End: at.Add(time.Minute), User: "Fix it", Assistant: "I look. Done.", Model: "m1", Tokens: &sources.Tokens{In: 10, Out: 2}, Status: sources.Complete,
				Tools: []sources.Tool{{Name: "bash", Kind: sources.ToolRun, Command: "go test ./...", Detail: "Run the tests", Exit: &exit, After: 7}, {Name: "view", Kind: sources.ToolRead, OK: &yes, After: 7}}},
			{Index: 1, At: at.Add(time.Hour), User: "Again", Model: "m2", Status: sources.Cancelled},
		},
		Checkpoints: []sources.Checkpoint{{Number: 1, Title: "So far", At: at.Add(time.Minute * 30), Overview: "All"}},
		Todos:       []sources.Todo{{ID: "a", Title: "One", Status: sources.TodoDone, Origin: "session.db", After: []string{"b", "c"}}},
		Artifacts:   []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", Text: "# The plan\n\nDo."}, {Kind: sources.Memory, Name: "m.md", Text: "Keep."}},
	}}}
}

// run answers a statement.
func run(ctx context.Context, statement string, from Sessions, o Options) (a Answer, err error) {
	q, err := New(ctx, statement, o)
	if err != nil {
		return a, err
	}
	if err = q.Fill(ctx, from, extract.Selected{}, time.FixedZone("east", 3600)); err == nil {
		a, err = q.Answer(ctx)
	}
	return a, errors.Join(err, q.Close())
}

// answer answers a statement and returns a line for each row.
func answer(t *testing.T, from Sessions, statement string) string {
	t.Helper()
	a, err := run(t.Context(), statement, from, Options{MaxRows: 100, Timeout: 10 * time.Second})
	if err != nil {
		t.Errorf("%s: %v", statement, err)
	}
	var b strings.Builder
	for _, row := range a.Rows {
		fmt.Fprintln(&b, row...)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestViews(t *testing.T) {
	for _, test := range [][2]string{
		{"SELECT session, agent, project, created, day, week, minutes, turns, tool_calls, failed_calls, tokens_in, tokens_out FROM sessions",
			"s1 codex-cli github.com/o/r 2026-11-03T23:30:00Z 2026-11-04 2026-W45 60 2 2 1 10 2"},
		{"SELECT model, models, parent, automatic FROM sessions", "m1 m1,m2 <nil> 0"},
		{"SELECT turn, seconds, tokens_in, status, tool_calls FROM turns", "1 60 10 complete 2\n2 <nil> <nil> cancelled 0"},
		{"SELECT number, turn, message_type, text, tool, ok FROM messages", strings.Join([]string{
			"1 <nil> session_start First <nil> <nil>", "2 1 user Fix it <nil> <nil>", "3 1 assistant I look. <nil> <nil>", "4 1 tool_start Run the tests bash 0",
			"5 1 tool_start <nil> view 1", "6 1 assistant Done. <nil> <nil>", "7 <nil> compaction_complete So far\n\nAll <nil> <nil>",
			"8 2 model_change <nil> <nil> <nil>", "9 2 user Again <nil> <nil>", "10 2 abort <nil> <nil> <nil>"}, "\n")},
		{"SELECT turn, number, name, kind, ok FROM tool_calls", "1 1 bash run 0\n1 2 view read 1"},
		{"SELECT line, description, kind, ok, exit FROM commands", "go test ./... Run the tests test 0 1"},
		{"SELECT number, title, overview FROM checkpoints", "1 So far All"},
		{"SELECT name, title, length(text) FROM plans", "plan.md The plan 15"},
		{"SELECT todo, title, state, source, after FROM todos", "a One done session.db b,c"},
		{"SELECT scope, name, text FROM memories", "session m.md Keep."},
		{"SELECT project, name, sessions, turns FROM projects", "github.com/o/r r (o) 1 2"},
		{"SELECT day, turns, tokens_out FROM days", "2026-11-04 2 2"},
		{"SELECT value FROM stats WHERE name='turns'", "2"},
	} {
		expect.Is(t, answer(t, history(), test[0]), test[1], test[0])
	}
}

// A column says the same whatever else is read, also where a join compares what it does not name.
func TestOnlyWhatIsReadIsFilled(t *testing.T) {
	h := history()
	if got := answer(t, h, "SELECT 1+1"); got != "2" || h.read != 0 {
		t.Errorf("a statement without views gives %q and reads %d times", got, h.read)
	}
	whole := answer(t, h, "SELECT * FROM turns")
	if !strings.Contains(whole, "Fix it") || !strings.Contains(whole, "I look. Done.") {
		t.Errorf("of all columns there is %q", whole)
	}
	for _, test := range [][2]string{
		{"SELECT count(*) FROM turns", "2"}, {"SELECT count(*) FROM turns a NATURAL JOIN turns b", "0"}, {"SELECT count(*) FROM tool_calls a JOIN tool_calls b USING(session, turn, name)", "2"},
		{"SELECT count(*) FROM (SELECT prompt FROM turns) WHERE prompt LIKE 'fix%'", "1"}, {"SELECT 1 FROM turns GROUP BY session HAVING max(length(answer)) > 5", "1"},
		{"SELECT count(*) FROM turns WHERE EXISTS (SELECT 1 FROM messages m WHERE m.text = turns.prompt)", "2"}, {"SELECT rowid FROM turns WHERE answer IS NOT NULL", "1"},
		{"WITH t AS (SELECT * FROM turns) SELECT prompt FROM t ORDER BY answer DESC LIMIT 1", "Fix it"}, {"SELECT m.prompt FROM main.turns AS m WHERE m.turn = 2", "Again"},
	} {
		expect.Is(t, answer(t, h, test[0]), test[1], test[0])
	}
}

// A secret has one number in a session, whatever is asked.
func TestMasksAreNumbered(t *testing.T) {
	h := history()
	h.all[0].Turns[0].User, h.all[0].Turns[1].User = maskedOne, maskedTwo
	h.all[0].Turns[0].Tools[0].Command = "curl " + maskedTwo
	expect.Is(t, answer(t, h, "SELECT prompt FROM turns"), "[redacted:github-token#1]\n[redacted:github-token#2]", "prompts")
	expect.Is(t, answer(t, h, "SELECT command FROM commands"), "curl [redacted:github-token#2]", "alone it")
}

// What comes to a bound says so.
func TestBounds(t *testing.T) {
	h := history()
	for i := range 110 {
		h.all[0].Turns = append(h.all[0].Turns, sources.Turn{Index: i + 2, User: strings.Repeat("€", 800_000)})
	}
	const endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) "
	for statement, want := range map[string]error{
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r LIMIT 900000000) SELECT n FROM r WHERE n % 899999999 = 1": ErrTime,
		"SELECT turn FROM turns": ErrRows, "SELECT prompt FROM turns LIMIT 90": ErrSize, endless + "SELECT count(*) FROM r": ErrTime,
		"SELECT group_concat(prompt) FROM turns": memdb.ErrTooLong, endless + "SELECT n FROM r ORDER BY printf('%5000d', n)": memdb.ErrMemory,
	} {
		o := Options{MaxRows: 100, Timeout: time.Minute}
		if errors.Is(want, ErrTime) {
			o.Timeout = 100 * time.Millisecond
		}
		a, err := run(t.Context(), statement, h, o)
		if !errors.Is(err, want) || errors.Is(err, errStuck) {
			t.Errorf("%s ends in %v with %d rows, not in %v", statement, err, len(a.Rows), want)
		}
	}
	expect.Is(t, answer(t, h, "SELECT max(length(CAST(prompt AS BLOB))) <= 1048576, prompt LIKE '%€…' FROM turns"), "1 1", "a long text is not cut as it should be")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := run(ctx, endless+"SELECT count(*) FROM r", h, Options{MaxRows: 1, Timeout: time.Minute}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped by its user it ends in %v", err)
	}
}

// What is refused is so before a session is read.
func TestRefusedBeforeReading(t *testing.T) {
	h := history()
	for _, statement := range []string{
		"SELECT * FROM sessions; SELECT 1", "DELETE FROM sessions", "PRAGMA table_info(sessions)", "SELECT * FROM sqlite_schema", "SELECT sqlite_source_id()", "SELECT zeroblob(1)",
		"SELECT randomblob(1)", "SELECT load_extension('x')", "SELECT fts3_tokenizer('x')", "SELECT * FROM pragma_table_info('sessions')", "CREATE TEMP TABLE x AS SELECT * FROM sessions", "SELECT nothing FROM sessions",
	} {
		_, err := run(t.Context(), statement, h, Options{MaxRows: 100, Timeout: time.Second})
		var refused *memdb.RefusedError
		var wrong *memdb.Error
		if !errors.As(err, &refused) && !errors.As(err, &wrong) || h.read > 0 {
			t.Errorf("%s ends in %v after %d readings", statement, err, h.read)
		}
	}
}

// Every view and column is told in a sentence, and every function of the list is one of SQLite.
func TestSchemaIsWhole(t *testing.T) {
	var names []string
	for _, v := range Views() {
		names = append(names, v.Name)
		seen := map[string]bool{}
		for _, c := range v.Columns {
			if c.Type == "" || !strings.HasSuffix(c.Says, ".") || seen[c.Name] {
				t.Errorf("%s.%s: type %q, %q", v.Name, c.Name, c.Type, c.Says)
			}
			seen[c.Name] = true
		}
		if v.made == "" && fills[v.Name] == nil {
			t.Errorf("nothing fills %s", v.Name)
		}
		a, err := run(t.Context(), "SELECT * FROM "+v.Name, &told{}, Options{MaxRows: 100, Timeout: time.Second})
		if len(a.Columns) != len(v.Columns) || err != nil {
			t.Errorf("%s has columns %q, %v", v.Name, a.Columns, err)
			continue
		}
		for i, c := range v.Columns {
			expect.Is(t, a.Columns[i], c.Name, "column", i, v.Name, "told as")
		}
	}
	want := strings.Fields("sessions turns messages tool_calls commands checkpoints plans todos files refs memories decisions open_ends distilled projects days stats")
	expect.Deep(t, names, want, "the views")
}
