//go:build unix

package faults

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Sessions of the sample: one small, one with checkpoints and todos, one that is
// a fork of none and has a file edited by another.
const (
	small  = "7a241af3-eeba-4c06-b3d9-35b3bedd4547"
	middle = "b298a1e7-38aa-4f2f-bab3-7f6788b77fe5"
	large  = "8612c3a0-b47f-46ff-9df4-6de928a8d4c3"
)

// place is a history, a vault and a state folder in a folder of their own.
type place struct {
	t     *testing.T
	dir   string // holds all of them
	home  string // of the agent
	named string // flag that names the home; empty: that of the Copilot CLI
	user  string // folder of VS Code; empty: none
	vault string
	state string
}

// newPlace makes a place with a few sessions of the sample. Its vault is empty.
func newPlace(t *testing.T, sessions ...string) *place {
	t.Helper()
	return placeIn(t, t.TempDir(), sessions...)
}

// placeIn is newPlace below dir, which may be on another file system.
func placeIn(t *testing.T, dir string, sessions ...string) *place {
	t.Helper()
	p := &place{t: t, dir: dir, home: filepath.Join(dir, "copilot"), vault: filepath.Join(dir, "vault"), state: filepath.Join(dir, "state")}
	p.must(os.MkdirAll(p.home, 0o700))
	p.must(os.MkdirAll(p.vault, 0o700))
	for _, id := range sessions {
		p.add(id, 1)
	}
	return p
}

func (p *place) must(err error) {
	p.t.Helper()
	expect.OK(p.t, err)
}

// add puts the first part of a session of the sample into the home, 1 being all
// of it; called again with a larger part, the session has grown.
func (p *place) add(id string, part float64) {
	p.t.Helper()
	sample := expect.Value(testdata.CopilotHome())(p.t)
	from := "session-state/" + id
	p.must(fs.WalkDir(sample, from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(sample, path)
		if err != nil {
			return err
		}
		to := filepath.Join(p.home, filepath.FromSlash(path))
		if d.Name() == "events.jsonl" {
			lines := strings.SplitAfter(string(text), "\n")
			return p.grow(to, strings.Join(lines[:int(float64(len(lines))*part)], ""))
		}
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, text, 0o600))
	}))
}

// grow appends to a log what it does not have yet, as its writer would.
func (p *place) grow(to, text string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	at, err := f.Seek(0, 2)
	if err == nil && int(at) < len(text) {
		_, err = f.WriteString(text[at:])
	}
	return errors.Join(err, f.Close())
}

// flags are those by which the vault is made from the history. Of two sources a configuration names
// the places: what a flag names has to be there.
func (p *place) flags() []string {
	flags := []string{"--vault", p.vault, "--state", p.state, "--no-defaults"}
	if p.user == "" {
		return append(flags, cmp.Or(p.named, "--copilot-home"), p.home)
	}
	file := filepath.Join(p.dir, "config.yaml")
	p.must(os.WriteFile(file, fmt.Appendf(nil, "sources: {copilot_cli: {homes: [%q]}, vscode: {user_dirs: [%q]}}\n", p.home, p.user), 0o644))
	return append(flags, "--config", file)
}

// flagsOf are those that a command takes.
func (p *place) flagsOf(command string) []string {
	switch command {
	case "apply":
		return p.flags()[:4]
	case "sync":
		return append(p.flags(), "--create")
	}
	return p.flags()
}

// report is what "sync --json" prints, as far as tests look at it.
type report struct {
	Notes    struct{ Created, Updated, Merged, Kept, Failed, Tombstoned int }
	Sessions struct{ Listed, Failed int }
	Changed  []struct{ Note, Outcome string }
	Problems []struct{ Item, Path, Error string }
}

// sync runs a pass that is to end with the given exit code.
func (p *place) sync(want int, flags ...string) report {
	p.t.Helper()
	out := p.run(append([]string{"sync", "--json"}, flags...)...)
	var r report
	if err := json.Unmarshal([]byte(out.stdout), &r); err != nil && want == 0 {
		p.t.Fatalf("sync printed no report (%v): %s", err, out)
	}
	if out.code != want {
		p.t.Fatalf("sync: want exit code %d: %s", want, out)
	}
	return r
}

// sound expects what holds after every fault: the next pass ends well, check
// finds nothing, a further pass writes nothing, and the vault is the one that an
// undisturbed run makes of the same history.
func (p *place) sound(what string) {
	p.t.Helper()
	p.sync(0)
	p.steady(what)
	if d := differences(p.undisturbed(), tree(p.t, p.vault), false); d != "" {
		p.t.Fatalf("%s: the vault (+) is not that of an undisturbed run (-):\n%s", what, d)
	}
}

// steady is sound without the comparison: the vault has words of a human.
func (p *place) steady(what string) {
	p.t.Helper()
	if out := p.run("check", "--full"); out.code != 0 {
		p.t.Fatalf("%s: check: %s", what, out)
	}
	before := tree(p.t, p.vault)
	if r := p.sync(0); len(r.Changed) > 0 {
		p.t.Fatalf("%s: a further pass changes %v", what, r.Changed)
	}
	if d := differences(before, tree(p.t, p.vault), true); d != "" {
		p.t.Fatalf("%s: a further pass writes:\n%s", what, d)
	}
}

// undisturbed is the vault that one run makes of the history. Of histories whose files
// are the same, wherever they lie, the first one that is asked for is run.
func (p *place) undisturbed() contents {
	p.t.Helper()
	history := p.history()
	if vault, ok := vaults.Load(history); ok {
		return vault.(contents)
	}
	q := *p
	q.dir = p.t.TempDir()
	q.vault, q.state = filepath.Join(q.dir, "vault"), filepath.Join(q.dir, "state")
	p.must(os.MkdirAll(q.vault, 0o700))
	q.sync(0)
	vault := tree(p.t, q.vault)
	vaults.Store(history, vault)
	return vault
}

// vaults are those that undisturbed runs made, by what their histories hold.
var vaults sync.Map

// history reports what the files of the history are and hold, but for when they were
// written.
func (p *place) history() string {
	p.t.Helper()
	var b strings.Builder
	for _, root := range []string{p.home, p.user} {
		if root == "" {
			continue
		}
		all := tree(p.t, root)
		for _, path := range slices.Sorted(maps.Keys(all)) {
			target, _ := os.Readlink(filepath.Join(root, path)) // of a link
			fmt.Fprintf(&b, "%q %v %x %q\n", path, all[path].mode, all[path].hash, target)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// contents is a folder: what is there, by path.
type contents map[string]content

// content is a file or folder.
type content struct {
	hash  [sha256.Size]byte
	mtime time.Time
	mode  fs.FileMode
}

// tree walks a folder. What differs from vault to vault (its id) is left out.
func tree(t testing.TB, dir string) contents {
	t.Helper()
	all := contents{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		c := content{mode: info.Mode()}
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			c.mtime = info.ModTime()
			if d.Name() != "vault.yaml" {
				c.hash = sha256.Sum256([]byte(testdata.Settled(string(text))))
			}
		}
		rel, err := filepath.Rel(dir, path)
		all[filepath.ToSlash(rel)] = c
		return err
	})
	expect.OK(t, err)
	return all
}

// differences says how two folders differ, modification times included if told.
func differences(was, is contents, times bool) string {
	var b strings.Builder
	paths := slices.Sorted(maps.Keys(was))
	for path := range is {
		if _, ok := was[path]; !ok {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		then, had := was[path]
		now, has := is[path]
		switch {
		case !has:
			fmt.Fprintf(&b, "- %s\n", path)
		case !had:
			fmt.Fprintf(&b, "+ %s\n", path)
		case then.hash != now.hash || then.mode.Type() != now.mode.Type():
			fmt.Fprintf(&b, "! %s\n", path)
		case times && !then.mtime.Equal(now.mtime):
			fmt.Fprintf(&b, "t %s\n", path)
		}
	}
	return b.String()
}

// sessionNotes are the notes of sessions by the ids of these.
func (p *place) sessionNotes() map[string]string {
	p.t.Helper()
	notes := map[string]string{}
	for name := range tree(p.t, p.vault) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		text := p.noteText(name)
		_, id, _ := strings.Cut(text[:min(len(text), 300)], "id: \"session:")
		if id, _, found := strings.Cut(id, "\""); found {
			notes[id] = name
		}
	}
	return notes
}

// noteText is the text of a file of the vault.
func (p *place) noteText(name string) string {
	p.t.Helper()
	text := expect.Value(os.ReadFile(filepath.Join(p.vault, filepath.FromSlash(name))))(p.t)
	return string(text)
}
