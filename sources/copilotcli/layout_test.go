package copilotcli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

const id = "4f0e8e0a-6f0b-4b58-8a5e-6a1c2d3e4f50"

// at joins a home, the folder of a session and a file.
func at(home, session, file string) string {
	return filepath.Join(home, "session-state", session, file)
}

// session writes a session of one turn and further files.
func session(t *testing.T, home, id string, files map[string]string) {
	t.Helper()
	history{}.Write(t, home, id, created, []sourcetest.Turn{{User: "Sort the\nlist of " + strings.Repeat("long words ", 12), Answer: "Done."}})
	for name, body := range files {
		write(t, at(home, id, name), []byte(body))
	}
}

func TestHomesAreFoundWhereTheCLIPutThem(t *testing.T) {
	user := t.TempDir()
	env := map[string]string{"XDG_STATE_HOME": filepath.Join(user, "xdg")}
	config := copilotcli.Config{Defaults: true, Home: user, GOOS: "linux", Env: func(k string) string { return env[k] }}

	l := list(t, copilotcli.New(config))
	for _, r := range l.Roots {
		if r.Found || r.Why != "not there" {
			t.Errorf("nothing is there: %+v", r)
		}
	}
	if len(l.Roots) != 3 {
		t.Errorf("%d places were looked at", len(l.Roots))
	}

	session(t, filepath.Join(user, ".copilot"), id, nil)
	must(t, os.MkdirAll(filepath.Join(user, "xdg", ".copilot"), 0o700))
	must(t, os.Symlink(filepath.Join(user, ".copilot", "session-state"), filepath.Join(user, "xdg", ".copilot", "session-state")))
	l = list(t, copilotcli.New(config))
	if len(l.Items) != 1 || l.Items[0].Key != "~/.copilot/session/"+id {
		t.Errorf("a home and a link to it: %v", l.Items)
	}

	env["COPILOT_HOME"] = filepath.Join(user, "other")
	session(t, filepath.Join(user, "other", "state"), "user-123-task-4", nil)
	l = list(t, copilotcli.New(config))
	if n := len(l.Items); n != 2 || l.Items[0].Session != "" {
		t.Errorf("COPILOT_HOME with a state folder: %v", l.Items)
	}
}

func TestSavedFilesAreCappedAndListed(t *testing.T) {
	home := t.TempDir()
	files := map[string]string{
		"files/a.md": "text", "files/big.txt": strings.Repeat("x", 1<<20+1), "files/image.png": "\x89PNG\x00", "files/a/b/c/d/e/deep.md": "deep",
		"research/report.md": "\ufeff# Report",
	}
	for n := range 200 {
		files[fmt.Sprintf("files/z%03d", n)] = "z"
	}
	session(t, home, id, files)
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	layers, _ := readItem(t, s, itemOf(t, s, id))
	got := map[string]sources.Artifact{}
	for _, a := range layers["sidecars"].Session.Artifacts {
		got[a.Kind+"/"+a.Name] = a
		if !a.At.IsZero() || a.Left != "" && a.Text != "" {
			t.Errorf("artifact %+v", a)
		}
	}
	if got["file/a.md"].Text != "text" || got["research/report.md"].Text != "# Report" {
		t.Errorf("texts: %v", got)
	}
	if got["file/big.txt"].Left != "too large" || got["file/big.txt"].Size != 1<<20+1 || got["file/image.png"].Left != "binary" {
		t.Errorf("left out: %v", got)
	}
	if got["file/z199"].Name != "" || got["file/…"].Left == "" {
		t.Errorf("beyond the limit: %v", got)
	}
}

// A log that says nothing does not hide what an older layout says of the session.
func TestALogWithoutAWordGivesWay(t *testing.T) {
	start := string(event(id, 0, "session.start", created, map[string]any{"sessionId": id}))
	flat := string(events(id, created, 0, []sourcetest.Turn{{User: "flat", Answer: "yes"}}))
	legacy := `{"sessionId":"` + id + `","timeline":[{"type":"user","text":"oldest"},{"type":"copilot","text":"yes"}]}`
	for name, c := range map[string]struct{ log, flat, legacy, want string }{
		"an empty log":     {"", flat, legacy, "flat"},
		"a start alone":    {start, flat, "", "flat"},
		"both say nothing": {start, start, legacy, "oldest"},
		"damaged":          {"}{\n", "", legacy, "oldest"},
		"a word":           {start + strings.Replace(flat, `"flat"`, `"folder"`, 1), flat, legacy, "folder"},
		"nothing at all":   {start, "", "", ""},
	} {
		home, want := t.TempDir(), 0
		write(t, at(home, id, "events.jsonl"), []byte(c.log))
		if c.flat != "" {
			write(t, filepath.Join(home, "session-state", id+".jsonl"), []byte(c.flat))
		}
		if c.legacy != "" {
			write(t, filepath.Join(home, "history-session-state", "session_"+id+"_1750000000000.json"), []byte(c.legacy))
		}
		s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
		layers, r := readItem(t, s, itemOf(t, s, id))
		turns := layers["events"].Session.Turns
		if c.want != "" {
			want = 1
		}
		if len(r.Layers) != 1 || len(turns) != want || want == 1 && turns[0].User != c.want {
			t.Errorf("%s: %d layers, %+v", name, len(r.Layers), turns)
		}
	}
}
