package sidecars_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const (
	index  = "chat.ChatSessionStore.index"
	model  = "agentSessions.model.cache"
	states = "agentSessions.state.cache"
	legacy = "interactive.sessions"
)

const (
	idA = "40a86369-6e1d-4d1a-8f65-f8682085b206"
	idB = "b298a1e7-38aa-4f2f-bab3-7f6788b77fe5"
	// localA is the resource of the session idA.
	localA = "vscode-chat-session://local/NDBhODYzNjktNmUxZC00ZDFhLThmNjUtZjg2ODIwODViMjA2"
)

var must = expect.OK

// database writes a state.vscdb of the given values.
func database(t *testing.T, path string, values map[string]any) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
	must(t, err)
	for key, value := range values {
		_, err = db.Exec("INSERT INTO ItemTable VALUES (?, ?)", key, value)
		must(t, err)
	}
}

// read reads a new state.vscdb of the given values.
func read(t *testing.T, values map[string]any) sidecars.State {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.vscdb")
	database(t, path, values)
	s := expect.Value(sidecars.ReadState(context.Background(), path, t.TempDir()))(t)
	return s
}

// one reads a state of which one entry is expected.
func one(t *testing.T, values map[string]any) sidecars.Entry {
	t.Helper()
	s := read(t, values)
	if len(s.Entries) != 1 {
		t.Fatalf("%d entries: %+v", len(s.Entries), s)
	}
	return s.Entries[0]
}

func at(s string) time.Time {
	when, err := time.Parse("2006-01-02T15:04:05", s)
	if err != nil {
		panic(err)
	}
	return when
}

// Of what the lists know, some sessions have no file any more, and those of other
// providers never had one. One that moved to another provider stays one.
func TestEdgeCase6SessionsWithoutFiles(t *testing.T) {
	s := read(t, map[string]any{
		index: `{"version":1,"entries":{
			"8a481841-ecac-47d0-b48f-8edb7fa7dc98":{"sessionId":"8a481841-ecac-47d0-b48f-8edb7fa7dc98","title":"Gone from disk"},
			"copilotcli:/` + idB + `":{"sessionId":"` + idB + `","title":"Old name","isExternal":true,"lastResponseState":1,"timing":{"created":1794492180000}},
			"claude-code:/` + idA + `":{"title":"Another agent","isExternal":true},
			"copilot-cloud-agent:/7":{"title":"Seven","isExternal":true}}}`,
		model: `[{"providerType":"agent-host-copilotcli","resource":"agent-host-copilotcli:/` + strings.ToUpper(idB) + `","label":"errors.Is in internal/auth","status":0,
			"archived":true,"timing":{"created":1794492190000,"lastRequestEnded":1794492600000},"changes":{"files":2,"insertions":4,"deletions":2},
			"metadata":{"workingDirectoryPath":"/home/dev/src/widget"}}]`,
	})
	if len(s.Entries) != 4 {
		t.Fatalf("%+v", s.Entries)
	}
	want := sidecars.Entry{Scheme: "agent-host-copilotcli", Session: sources.Session{
		ID: idB, Title: "errors.Is in internal/auth", TitleFrom: sources.TrustNamed, Archived: true,
		Place: sources.Place{Cwd: "/home/dev/src/widget"}, Created: at("2026-11-12T14:03:00"), Updated: at("2026-11-12T14:10:00")}}
	if i := slices.IndexFunc(s.Entries, func(e sidecars.Entry) bool { return e.ID == idB }); !reflect.DeepEqual(s.Entries[i], want) {
		t.Errorf("%+v", s.Entries[i])
	}
	for i, want := range []string{"claude-code", "copilot-cloud-agent", "local"} {
		for _, e := range s.Entries {
			if e.Title == []string{"Another agent", "Seven", "Gone from disk"}[i] && e.Scheme != want {
				t.Errorf("%+v is not of %s", e, want)
			}
		}
	}
}

func TestEdgeCase7OneTitleOfTwoSessions(t *testing.T) {
	s := read(t, map[string]any{index: `{"entries":{"` + idB + `":{"title":"Same"},"` + idA + `":{"title":"Same"}}}`})
	if len(s.Entries) != 2 || s.Entries[0].ID != idA || s.Entries[1].ID != idB {
		t.Fatalf("%+v", s.Entries)
	}
	for _, e := range s.Entries {
		if e.Title != "Same" || e.TitleFrom != sources.TrustDerived {
			t.Errorf("%+v", e)
		}
	}
}

func TestOneInvalidEntryLosesNoOther(t *testing.T) {
	good := `"` + idA + `":{"title":"Kept","lastResponseState":2}`
	for name, bad := range map[string]string{
		"no object":       `"x":17`,
		"null":            `"` + idB + `":null`,
		"names nothing":   `"":{}`,
		"an older format": `"file:///home/dev":{"title":"no session"}`,
	} {
		s := read(t, map[string]any{index: `{"version":1,"entries":{` + bad + `,` + good + `}}`})
		found := slices.ContainsFunc(s.Entries, func(e sidecars.Entry) bool { return e.ID == idA && e.Title == "Kept" })
		if !found || len(s.Damage) != 0 || len(s.Entries)+s.Skipped != 2 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	e := one(t, map[string]any{index: `{"entries":{"` + idA + `":{"sessionId":5,"title":["x"],"timing":"y","stats":[],"lastResponseState":"1","isEmpty":1,"workingDirectory":{}}}}`})
	if !reflect.DeepEqual(e, sidecars.Entry{Scheme: "local", Session: sources.Session{ID: idA}}) {
		t.Errorf("wrong types: %+v", e)
	}
	s := read(t, map[string]any{model: `[7, {"label":"no resource"}, {"resource":"` + localA + `","label":"A"}, {"resource":`, states: `{}`})
	if len(s.Entries) != 1 || s.Skipped != 3 || len(s.Damage) != 2 {
		t.Errorf("a torn list: %+v", s)
	}
}

func TestTimesOfEveryVersion(t *testing.T) {
	early, late := at("2026-11-03T13:00:00"), at("2026-11-03T14:00:00")
	const a, b = "1793710800000", "1793714400000"
	for name, c := range map[string]struct {
		entry            string
		created, updated time.Time
	}{
		"since 1.109":    {`"timing":{"created":` + a + `,"lastRequestStarted":` + a + `,"lastRequestEnded":` + b + `}`, early, late},
		"before":         {`"timing":{"startTime":` + a + `,"endTime":` + b + `}`, early, late},
		"long before":    {`"lastMessageDate":` + b, time.Time{}, late},
		"never answered": {`"timing":{"created":` + a + `}`, early, early},
		"a fraction":     {`"timing":{"created":` + a + `.5}`, early, early},
		"no moments":     {`"timing":{"created":-1,"startTime":null,"endTime":1e300},"lastMessageDate":"` + b + `"`, time.Time{}, time.Time{}},
	} {
		e := one(t, map[string]any{index: `{"entries":{"` + idA + `":{` + c.entry + `}}}`})
		if !e.Created.Equal(c.created) || !e.Updated.Equal(c.updated) {
			t.Errorf("%s: %v to %v", name, e.Created, e.Updated)
		}
	}
}

func TestArchivedAndPinned(t *testing.T) {
	old := `{"$mid":1,"scheme":"vscode-chat-session","authority":"local","path":"/NDBhODYzNjktNmUxZC00ZDFhLThmNjUtZjg2ODIwODViMjA2"}`
	cached := `[{"resource":"` + localA + `","label":"A","archived":true}]`
	for name, c := range map[string]struct {
		model, states    string
		archived, pinned bool
		entries          int
	}{
		"by its provider":             {cached, ``, true, false, 1},
		"taken back by the user":      {cached, `[{"resource":"` + localA + `","archived":false}]`, false, false, 1},
		"an older resource":           {``, `[{"resource":` + old + `,"archived":true,"pinned":true}]`, true, true, 1},
		"only read marks":             {``, `[{"resource":"` + localA + `","read":1794492600000}]`, false, false, 0},
		"only one of two is archived": {``, `[{"resource":"copilotcli:/` + idA + `","archived":true},{"resource":"agent-host-copilotcli:/` + idA + `","archived":false}]`, true, false, 1},
		"no booleans":                 {cached, `[{"resource":"` + localA + `","archived":"no","pinned":1}]`, true, false, 1},
	} {
		s := read(t, map[string]any{model: c.model, states: c.states})
		if len(s.Entries) != c.entries || c.entries == 1 && (s.Entries[0].Archived != c.archived || s.Entries[0].Pinned != c.pinned || s.Entries[0].ID != idA) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestStateThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		body []byte // of state.vscdb; nil: it is missing
		err  error
	}{
		"damaged":    {[]byte(strings.Repeat("no database ", 400)), files.ErrNotDatabase},
		"missing":    {nil, fs.ErrNotExist},
		"empty file": {[]byte{}, nil},
	} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		if c.body != nil {
			must(t, os.WriteFile(path, c.body, 0o600))
		}
		if s, err := sidecars.ReadState(context.Background(), path, t.TempDir()); !errors.Is(err, c.err) || len(s.Entries) > 0 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// Of a database that is in use the next run has more luck.
func TestABusyDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.vscdb")
	database(t, path, nil)
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("BEGIN EXCLUSIVE")
	must(t, err)
	if s, err := sidecars.ReadState(context.Background(), path, t.TempDir()); !errors.Is(err, files.ErrBusy) {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestNothingIsLeftBeside(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "state.vscdb")
	database(t, path, map[string]any{index: "{}"})
	before, err := os.Stat(path)
	must(t, err)
	_, err = sidecars.ReadState(context.Background(), path, temp)
	must(t, err)
	after := expect.Value(os.Stat(path))(t)
	beside := expect.Value(os.ReadDir(dir))(t)
	copies := expect.Value(os.ReadDir(temp))(t)
	if len(beside) != 1 || len(copies) != 0 || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("%v, %v", beside, copies)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sidecars.ReadState(ctx, path, temp); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
