//go:build unix

package faults

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver named "sqlite"

	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Files of a history, by their paths below the folder of the place.
const (
	eventLog  = "copilot/session-state/" + middle + "/events.jsonl"
	workspace = "copilot/session-state/" + middle + "/workspace.yaml"
	todos     = "copilot/session-state/" + middle + "/session.db"
	store     = "copilot/session-store.db"
	chatOf    = "user/workspaceStorage/66dec49db4e3824e1944c3e30a1790e4/"
	chatLog   = chatOf + "chatSessions/20d0eb6c-c224-4b67-a68d-795fbfbe12a0.jsonl"
	chatState = chatOf + "state.vscdb"
)

// newHistory makes a place with something of every kind that is read: two
// sessions of the CLI, one of them with todos, the store of both, and a chat of
// VS Code. Its databases are closed cleanly.
func newHistory(t *testing.T) *place {
	t.Helper()
	p := newPlace(t, small, middle)
	p.user = filepath.Join(p.dir, "user")
	home := expect.Value(testdata.CopilotHome())(p.t)
	user := expect.Value(testdata.VSCodeUser())(p.t)
	p.copyFrom(home, "session-store.db", store)
	p.copyFrom(home, "session-store.db-wal", store+"-wal")
	p.sql(store, "DELETE FROM turns WHERE 0")
	for _, file := range []string{"workspace.json", "state.vscdb", "chatSessions/20d0eb6c-c224-4b67-a68d-795fbfbe12a0.jsonl"} {
		p.copyFrom(user, chatOf[len("user/"):]+file, chatOf+file)
	}
	p.sql(todos, "CREATE TABLE todos(id TEXT PRIMARY KEY, title TEXT, description TEXT, status TEXT)",
		"INSERT INTO todos VALUES('a', 'Write the migration', '', 'pending'), ('b', 'Ask about the index', '', 'done')")
	return p
}

func (p *place) copyFrom(from fs.FS, name, to string) {
	p.t.Helper()
	text := expect.Value(fs.ReadFile(from, name))(p.t)
	p.write(to, text)
}

// at is the path of a file of the history.
func (p *place) at(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *place) write(name string, text []byte) {
	p.t.Helper()
	p.must(errors.Join(os.MkdirAll(filepath.Dir(p.at(name)), 0o700), os.WriteFile(p.at(name), text, 0o600)))
}

func (p *place) read(name string) []byte {
	p.t.Helper()
	text := expect.Value(os.ReadFile(p.at(name)))(p.t)
	return text
}

// sql has another program change a database and close it.
func (p *place) sql(name string, statements ...string) {
	p.t.Helper()
	db := expect.Value(sql.Open("sqlite", "file:"+p.at(name)))(p.t)
	for _, s := range statements {
		_, err := db.Exec(s)
		p.must(err)
	}
	p.must(db.Close())
}

// endures runs a pass over a source that is damaged or moves: it may be done in
// part, but it ends in order and says why.
func (p *place) endures(what string) outcome {
	p.t.Helper()
	out := p.run("sync", "--json")
	if out.code != 0 && out.code != 3 || out.code == 3 && out.stderr == "" {
		p.t.Fatalf("%s: %s", what, out)
	}
	return out
}

// fresh runs a pass and expects the vault that an undisturbed run makes.
func (p *place) fresh(what string) {
	p.t.Helper()
	p.endures(what)
	expect.Is(p.t, differences(p.undisturbed(), tree(p.t, p.vault), false), "", what, "the vault (+) is not that of an undisturbed run (-)")
}

// sources are all files that are read.
func (p *place) sources() contents {
	all := tree(p.t, p.home)
	for name, c := range tree(p.t, p.user) {
		all["user/"+name] = c
	}
	return all
}

// stands expects every note of a session that was before, at its place or at
// that of another project, and the sources as they were; nil: these are not
// looked at.
func (p *place) stands(what string, before, sources contents) {
	p.t.Helper()
	now := map[string]bool{}
	for name := range tree(p.t, p.vault) {
		now[filepath.Base(name)] = true
	}
	for name := range before {
		if strings.Contains(name, "/sessions/") && !now[filepath.Base(name)] {
			p.t.Errorf("%s: %s is gone", what, name)
		}
	}
	if sources == nil {
		return
	}
	expect.Is(p.t, differences(sources, p.sources(), true), "", what, "the sources were touched")
}

// few leaves all but n of many points out, the others spread over them, where only
// a sample is tried.
func few[T any](n int, all []T) (some []T) {
	if *every < sampled || len(all) <= n {
		return all
	}
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// calls are those of n calls at which a fault is tried, each step-th; k of them where
// only a sample is tried.
func calls(k, n, step int) (some []int) {
	if *every == sampled {
		for i := range k {
			some = append(some, 1+n*(2*i+1)/(2*k))
		}
		return some
	}
	for i := 1; i <= n; i += step {
		some = append(some, i)
	}
	return some
}

// thin leaves some of many points out, as -faults.every says.
func thin[T any](all []T) (some []T) {
	for i := 0; i < len(all); i += *every {
		some = append(some, all[i])
	}
	return some
}
