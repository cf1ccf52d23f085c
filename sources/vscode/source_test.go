package vscode_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/sources/vscode"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const (
	id    = "0a6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a01"
	other = "1b6fa1f4-5a3b-4d35-9c5e-0f1f0c6f0a02"
)

var at = time.Date(2026, 4, 2, 9, 0, 0, 0, time.UTC)

// layer is that of a reading that has the name.
func layer(t *testing.T, r sources.Reading, name string) sources.Layer {
	t.Helper()
	all := r.Layers
	for _, s := range r.Sessions {
		all = append(all, s.Layers...)
	}
	for _, la := range all {
		if la.Name == name {
			return la
		}
	}
	t.Fatalf("no layer %q: %+v", name, r)
	return sources.Layer{}
}

func list(t *testing.T, s *vscode.Source) sources.Listing {
	t.Helper()
	l := expect.Value(s.List(context.Background()))(t)
	for _, p := range l.Problems {
		t.Errorf("problem while listing: %+v", p)
	}
	return l
}

func itemWith(t *testing.T, s *vscode.Source, keyEnd string) sources.Item {
	t.Helper()
	l := list(t, s)
	for _, it := range l.Items {
		if strings.HasSuffix(it.Key, keyEnd) {
			return it
		}
	}
	t.Fatalf("no item %q among %d", keyEnd, len(l.Items))
	return sources.Item{}
}

func readItem(t *testing.T, s *vscode.Source, it sources.Item) sources.Reading {
	t.Helper()
	r := expect.Value(s.Read(context.Background(), it))(t)
	return r
}

func storageFile(dir string, elements ...string) string {
	return filepath.Join(append([]string{dir, "workspaceStorage", hash}, elements...)...)
}

func prompts(n int) []sourcetest.Turn {
	all := []sourcetest.Turn{{User: "one", Answer: "1"}, {User: "two", Answer: "2"}, {User: "three", Answer: "3"}}
	return all[:n]
}

func userTexts(s *sources.Session) (all []string) {
	for _, t := range s.Turns {
		all = append(all, t.User)
	}
	return all
}

// Versions from 1.109 on leave the old file behind when they begin a log.
func TestLogWinsOverDocument(t *testing.T) {
	dir := t.TempDir()
	documents{}.Write(t, dir, id, at, prompts(1))
	logs{}.Write(t, dir, id, at, prompts(3))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	it := itemWith(t, s, "chat/"+id)
	if r := readItem(t, s, it); len(r.Layers) != 1 || r.Layers[0].Name != "vscode/chatlog" {
		t.Fatalf("layers %+v", r.Layers)
	}
	write(t, logOf(dir, id), []byte("\x00\x00\x00 nothing of use \x00\n"))
	r := readItem(t, s, itemWith(t, s, "chat/"+id))
	expect.List(t, userTexts(layer(t, r, "vscode/chat").Session), []string{"one"}, "behind an unreadable log stand")
}

// A log without a request does not stand for the document: both are read, and tell one session.
func TestEmptyLogBesideADocument(t *testing.T) {
	for name, log := range map[string]string{
		"begun":    string(line(map[string]any{"kind": 0, "v": header(id, at, []any{})})),
		"titled":   string(line(map[string]any{"kind": 0, "v": header(id, at, []any{})})) + `{"kind":1,"k":["customTitle"],"v":"T"}` + "\n",
		"no array": `{"kind":0,"v":{"version":3}}` + "\n",
	} {
		dir := t.TempDir()
		documents{}.Write(t, dir, id, at, prompts(2))
		write(t, logOf(dir, id), []byte(log))
		s := vscode.New(vscode.Config{UserDirs: []string{dir}})
		it := itemWith(t, s, "chat/"+id)
		r := readItem(t, s, it)
		if got := userTexts(layer(t, r, "vscode/chat").Session); it.Session != id || len(r.Layers) != 2 || layer(t, r, "vscode/chatlog").Session.Complete || !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("%s: %d layers, %q", name, len(r.Layers), got)
		}
	}
}

// What VS Code deletes after two weeks stays: the layer says that it accumulates.
func TestMemoriesAccumulate(t *testing.T) {
	dir := t.TempDir()
	logs{}.Write(t, dir, id, at, prompts(1))
	folder := storageFile(dir, "GitHub.copilot-chat", "memory-tool", "memories", "MGE2ZmExZjQtNWEzYi00ZDM1LTljNWUtMGYxZjBjNmYwYTAx")
	write(t, filepath.Join(folder, "plan.md"), []byte("- [ ] first\n"))
	write(t, filepath.Join(folder, "deep", "notes.md"), []byte("a note\n"))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	la := layer(t, readItem(t, s, itemWith(t, s, "chat/"+id)), "vscode/memory")
	var got []string
	for _, a := range la.Session.Artifacts {
		got = append(got, a.Kind+" "+a.Name+" "+a.Text)
	}
	if want := []string{"memory deep/notes.md a note\n", "plan plan.md - [ ] first\n"}; !la.Accumulates || !slices.Equal(got, want) {
		t.Errorf("accumulates %v, memories %q, want %q", la.Accumulates, got, want)
	}
}

// Repository memory and what belongs to no session is of the folder; in the
// global storage it is the user's.
func TestSharedMemory(t *testing.T) {
	dir := t.TempDir()
	must(t, testdata.WriteVSCodeUser(dir))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	for keyEnd, want := range map[string]struct {
		scope sources.Scope
		cwd   string
		names []string
	}{
		hash + "/memory":      {sources.ScopeRepo, "/home/dev/src/widget", []string{"auth.json", "testing.md"}},
		"empty-window/memory": {sources.ScopeUser, "", []string{"debugging.md", "preferences.md"}},
	} {
		r := readItem(t, s, itemWith(t, s, keyEnd))
		got := layer(t, r, "vscode/memory").Session
		var names []string
		for _, a := range got.Artifacts {
			names = append(names, a.Name)
		}
		if len(r.Sessions) != 1 || !got.IsMemory || got.Scope != want.scope || got.Place.Cwd != want.cwd || !slices.Equal(names, want.names) {
			t.Errorf("%s: %d sessions, %+v", keyEnd, len(r.Sessions), got)
		}
	}
}

// What only looks like an export is told and leaves the others alone.
func TestEdgeCase24ImpostorsAreReported(t *testing.T) {
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("testdata/exports")))
	write(t, filepath.Join(dir, "notes.txt"), []byte("no chat, and no JSON either"))
	_ = os.Symlink("chat.json", filepath.Join(dir, "link.json")) // where there are links, none is followed in a folder
	s := vscode.New(vscode.Config{Exports: []string{dir}})
	told := map[string]bool{}
	sessions := map[string]bool{}
	for _, it := range list(t, s).Items {
		r := readItem(t, s, it)
		for _, p := range r.Problems {
			told[filepath.Base(p.Path)] = p.Err != nil && p.Hint != "" && !p.Fatal
		}
		for _, x := range r.Sessions {
			sessions[x.ID] = true
		}
	}
	if !told["impostor.json"] || !told["empty.json"] || !told["notes.txt"] || len(told) != 3 || len(sessions) != 2 {
		t.Errorf("told of %v, sessions %v", told, sessions)
	}
}

// The index fills what the chat does not tell.
func TestEdgeCase6IndexKnowsArchivedAndExternal(t *testing.T) {
	dir := t.TempDir()
	must(t, testdata.WriteVSCodeUser(dir))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	r := readItem(t, s, itemWith(t, s, hash+"/state"))
	got := map[string]*sources.Session{}
	for _, x := range r.Sessions {
		got[x.ID] = x.Layers[0].Session
	}
	if x := got["c01616cd-b141-4c63-959b-ea3571eaad08"]; x == nil || !x.Archived {
		t.Errorf("archived: %+v", x)
	}
	if x := got["40a86369-6e1d-4d1a-8f65-f8682085b206"]; x == nil || !x.Pinned || x.Agent != "vscode-copilot" {
		t.Errorf("pinned: %+v", x)
	}
	if x := got["b298a1e7-38aa-4f2f-bab3-7f6788b77fe5"]; x == nil || x.Agent != "" || len(x.Turns) != 0 {
		t.Errorf("run by the CLI: %+v", x)
	}
	details := expect.Value(s.Details(context.Background()))(t)
	all := strings.Join(details[dir], "\n")
	for _, want := range []string{
		"8a481841-ecac-47d0-b48f-8edb7fa7dc98 Gone from disk (no chat on this disk)",
	} {
		expect.Has(t, all, want, "details lack")
	}
}

// Edits of an empty window lie in a storage of their own.
func TestEditsOfAnEmptyWindowFindTheirSession(t *testing.T) {
	dir := t.TempDir()
	state := `{"version":2,"timeline":{"operations":[{"type":"create","uri":{"scheme":"file","path":"/home/dev/a.go"},"requestId":"request_1","epoch":1}],"currentEpoch":2},"recentSnapshot":{"entries":[]}}`
	write(t, filepath.Join(dir, "workspaceStorage", "1794219600123", "chatEditingSessions", other, "state.json"), []byte(state))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	it := itemWith(t, s, "1794219600123/chat/"+other)
	r := readItem(t, s, it)
	files := layer(t, r, "vscode/edits").Session.Files
	if it.Session != other || len(files) != 1 || files[0].TurnID != "request_1" || files[0].Kind != sources.Created {
		t.Errorf("session %q, files %+v", it.Session, files)
	}
}

// Sub-agents leave transcripts in which nobody asks anything.
func TestTranscriptWithoutAPromptIsNoSession(t *testing.T) {
	dir := t.TempDir()
	write(t, storageFile(dir, "GitHub.copilot-chat", "transcripts", other+".jsonl"), []byte(
		`{"type":"session.start","data":{"sessionId":"`+other+`","version":1,"producer":"copilot-agent","startTime":"2026-04-02T09:00:00.000Z"},"id":"a","timestamp":"2026-04-02T09:00:00.000Z","parentId":null}
{"type":"assistant.turn_start","data":{"turnId":"0"},"id":"b","timestamp":"2026-04-02T09:00:01.000Z","parentId":"a"}
{"type":"assistant.message","data":{"messageId":"m","content":"Found three callers.","toolRequests":[]},"id":"c","timestamp":"2026-04-02T09:00:02.000Z","parentId":"b"}
`))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	r := readItem(t, s, itemWith(t, s, "chat/"+other))
	if got := layer(t, r, "vscode/transcript").Session; len(got.Turns) != 0 || len(got.Damage) != 0 {
		t.Errorf("a session of its own: %+v", got)
	}
}

// Two names of one file are one export.
func TestExportNamedTwice(t *testing.T) {
	dir := t.TempDir()
	body := read(t, "testdata/exports/chat.json")
	write(t, filepath.Join(dir, "chat.json"), body)
	if err := os.Symlink("chat.json", filepath.Join(dir, "other.json")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	s := vscode.New(vscode.Config{Exports: []string{filepath.Join(dir, "chat.json"), filepath.Join(dir, "other.json")}})
	if l := list(t, s); len(l.Items) != 1 {
		t.Errorf("%d items", len(l.Items))
	}
}
