//go:build unix

package faults

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asked is an agent whose user laid baits.
type asked struct {
	*agent
	baits
	requests []string // that the model got
	ran      string   // folder in which all that runs makes a file
	shim     string   // what is run in place of the program
}

// newAsked lays the baits. The environment of the test is then that of the user.
func newAsked(t *testing.T, b baits, version string) *asked {
	a := &asked{baits: b}
	d := b.driver
	d.answers = func(m *model, w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			m.mu.Lock()
			a.requests = append(a.requests, string(body))
			m.mu.Unlock()
		}
		b.answers(m, w, r)
	}
	a.agent = newAgent(t, d, version)
	a.ran = filepath.Join(a.dir, "ran")
	a.write("bait.js", baitServer)
	for path, text := range b.files(a) {
		a.write(path, text)
	}
	a.repository(filepath.Join(a.user, "tmp"), a.outside()) // in which it is asked
	a.write("tmp/"+bait+" in a name", "")
	a.shim = filepath.Join(a.dir, "bin", strings.TrimPrefix(d.folder, "."))
	a.must(os.MkdirAll(filepath.Dir(a.shim), 0o700))
	a.must(os.WriteFile(a.shim, []byte("#!/bin/sh\n[ \"$1\" = debug ] || set -- \"$@\" "+b.also(a)+"\nexec '"+a.program+"' \"$@\"\n"), 0o700))
	for _, v := range append(a.outside(), "TMPDIR="+filepath.Join(a.user, "tmp")) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	return a
}

// clear forgets what ran and what was asked.
func (a *asked) clear() {
	a.must(os.RemoveAll(a.ran))
	a.must(os.MkdirAll(a.ran, 0o700))
	a.requests = nil
}

// write makes a file in the home folder of the user.
func (a *asked) write(path, text string) {
	path = filepath.Join(a.user, path)
	a.must(os.MkdirAll(filepath.Dir(path), 0o700))
	a.must(os.WriteFile(path, []byte(text), 0o600))
}

// touch is a command that shows that it ran.
func (a *asked) touch(name string) string { return "touch " + filepath.Join(a.ran, name) }

// list names what is in a folder.
func list(dir string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// offered are the tools that a request offers to the model. Codex has them in the input
// of some models.
func offered(t *testing.T, request string) (tools []string) {
	t.Helper()
	var r struct {
		Tools []any
		Input []struct{ Tools []any }
	}
	if err := json.Unmarshal([]byte(request), &r); err != nil {
		t.Fatal(err)
	}
	for _, item := range r.Input {
		r.Tools = append(r.Tools, item.Tools...)
	}
	for _, tool := range r.Tools {
		if gemini, ok := tool.(map[string]any)["functionDeclarations"].([]any); ok && len(gemini) == 0 {
			continue
		}
		text, _ := json.Marshal(tool)
		tools = append(tools, string(text[:min(len(text), 100)]))
	}
	return tools
}
