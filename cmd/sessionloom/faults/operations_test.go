//go:build unix

package faults

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// operation is something the program does that changes the vault, and all that comes
// before it. It is done over and over, with a fault at another point each time.
type operation struct {
	name    string
	prepare func(p *place) // up to the moment before the operation
	args    []string       // the operation; "PLAN" stands for the plan that was made
	words   []string       // that a human wrote into the vault, and that stay
	extra   []string       // files elsewhere that the operation writes, from the place's folder
	hidden  []string       // words that are nowhere afterwards
	rare    int            // tried at fewer points by this factor, unless at all
}

// sampledOperations are the operations that one of the four sweeps over them tries. By default
// this is one, in each sweep another; with -faults.every below that all are in all.
func sampledOperations(sweep int) (some []operation) {
	for i, d := range operations() {
		if *every < sampled || i%4 == sweep {
			some = append(some, d)
		}
	}
	return few(1, some)
}

// operations are what is tried with faults at every point.
func operations() []operation {
	return append([]operation{
		{name: "first pass", prepare: func(*place) {}, args: []string{"sync"}},
		{name: "session grew, notes edited", prepare: growsEdited, args: []string{"sync"}, words: edits},
		{name: "setting changed", prepare: onceEdited, args: []string{"sync", "--transcript", "none"}, words: edits[:2], rare: 2},
		{name: "notes of days move", prepare: renamesJournal, args: []string{"sync"}, words: edits, rare: 2},
		{name: "forget", prepare: onceEdited, args: []string{"forget", "--yes", small}, words: edits[1:], rare: 2},
		{name: "forget what was edited", prepare: onceEdited, args: []string{"forget", "--yes", "--edited", middle}, words: edits, rare: 2},
		{name: "restore", prepare: deletesNote, args: []string{"restore", "session:" + small}, words: edits, rare: 2},
		{name: "apply a plan", prepare: plans, args: []string{"apply", "PLAN"}, words: edits, rare: 2},
		{name: "nothing to weave yet", prepare: func(p *place) { p.must(os.RemoveAll(p.home)); p.must(os.Mkdir(p.home, 0o700)) }, args: []string{"sync"}},
		{name: "init", prepare: func(*place) {}, args: []string{"init"}, extra: []string{".config/sessionloom/config.yaml"}},
		{name: "commit", prepare: keepsGit, args: []string{"sync", "--commit"}, words: edits, rare: 8},
	}, undoing()...)
}

// operationOf is the operation of that name.
func operationOf(t *testing.T, name string) operation {
	t.Helper()
	all := operations()
	i := slices.IndexFunc(all, func(d operation) bool { return d.name == name })
	if i < 0 {
		t.Fatalf("there is no operation %q", name)
	}
	return all[i]
}

// edits are what a human writes into the notes: into our text, below it, and into
// a page that lists sessions.
var edits = []string{"I asked Ann about this.", "My own words below all of it.", "Home is where my words are."}

// onceEdited has two sessions in the vault, and words of a human in the notes.
func onceEdited(p *place) {
	p.add(middle, 0.6)
	p.sync(0)
	p.edit(middle, func(text string) string {
		text = strings.Replace(text, "\n## Conversation\n", "\n"+edits[0]+"\n\n## Conversation\n", 1)
		return text + "\n" + edits[1] + "\n"
	})
	p.edit("Home", func(text string) string { return text + "\n" + edits[2] + "\n" })
}

// growsEdited has one of them grow then.
func growsEdited(p *place) {
	onceEdited(p)
	p.add(middle, 1)
}

// renamesJournal has the notes of days and weeks move.
func renamesJournal(p *place) {
	onceEdited(p)
	p.renameJournal()
}

// renameJournal has the notes of days and weeks called by their dates alone.
func (p *place) renameJournal() {
	file := filepath.Join(p.vault, "Agents", ".sessionloom", "vault.yaml")
	text := expect.Value(os.ReadFile(file))(p.t)
	p.must(os.WriteFile(file, bytes.Replace(text, []byte(`"{date} agents"`), []byte(`"{date}"`), 1), 0o600))
}

func deletesNote(p *place) {
	onceEdited(p)
	p.must(os.Remove(p.note(small)))
	p.sync(0)
}

func plans(p *place) {
	growsEdited(p)
	if out := p.run("sync", "--plan", filepath.Join(p.dir, "PLAN")); out.code != 0 {
		p.t.Fatal(out)
	}
}

func keepsGit(p *place) {
	if _, err := exec.LookPath("git"); err != nil {
		p.t.Skip("needs git")
	}
	p.git("init", "--quiet", "--initial-branch=main")
	growsEdited(p)
	p.git("add", "--all")
	p.git("commit", "--quiet", "--message=before")
}

func (p *place) git(args ...string) {
	p.t.Helper()
	identity := []string{"-C", p.vault, "-c", "user.name=Ann", "-c", "user.email=ann@example.com"}
	cmd := exec.Command("git", append(identity, args...)...)
	cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	if args[0] == "init" {
		p.git("config", "user.name", "Ann")
		p.git("config", "user.email", "ann@example.com")
	}
}

// note finds the note of a session by its id, a page by its name.
func (p *place) note(name string) string {
	p.t.Helper()
	if len(name) > 8 && strings.Count(name, "-") == 4 {
		if at := p.sessionNotes()[name]; at != "" {
			return filepath.Join(p.vault, filepath.FromSlash(at))
		}
		p.t.Fatalf("no note of session %s", name)
	}
	for _, pattern := range []string{"Agents/%.md", "Agents/projects/*/sessions/%.md", "Agents/*/%.md"} {
		found := expect.Value(fs.Glob(os.DirFS(p.vault), strings.Replace(pattern, "%", name, 1)))(p.t)
		if len(found) > 0 {
			return filepath.Join(p.vault, found[0])
		}
	}
	p.t.Fatalf("no note %q", name)
	return ""
}

// edit has a human change a note.
func (p *place) edit(name string, change func(string) string) {
	p.t.Helper()
	file := p.note(name)
	was := expect.Value(os.ReadFile(file))(p.t)
	now := change(string(was))
	if now == string(was) {
		p.t.Fatalf("the edit of %q changes nothing", file)
	}
	p.must(os.WriteFile(file, []byte(now), 0o600))
}

// done reports whether a run did all of the operation.
func (d operation) done(out outcome) bool { return out.code == 0 }

// line is the command line of a operation.
func (d operation) line(p *place) []string {
	args := make([]string, len(d.args))
	for i, a := range d.args {
		if args[i] = a; a == "PLAN" {
			args[i] = filepath.Join(p.dir, a)
		}
	}
	return args
}

// begin makes a place in which the operation is about to be done.
func (d operation) begin(t *testing.T) *place {
	t.Helper()
	p := placeIn(t, memoryDir(t), small)
	d.prepare(p)
	return p
}

// memoryDir is a temporary folder in memory, where the system has such a place: a
// fault that is tried hundreds of times need not wait for a disk.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "faults-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// end does what the operation left undone, and more of it changes nothing.
func (d operation) end(p *place, what string) {
	p.t.Helper()
	out := p.run(d.line(p)...)
	if out.code != 0 && strings.Contains(out.stderr, ".lock") { // a git that was killed leaves that to its user
		p.unlockGit(out)
		out = p.run(d.line(p)...)
	}
	if !d.done(out) && !strings.Contains(out.stderr, "no deleted note is called") { // it was restored
		p.t.Fatalf("%s: the next run: %s", what, out)
	}
	p.sync(0)
	p.steady(what)
	p.hides(what, d.hidden)
}

// unlocked removes what a git left that had the power cut under it.
func (p *place) unlocked() {
	for _, pattern := range []string{"*.lock", "refs/heads/*.lock", "objects/*.lock"} {
		found, _ := filepath.Glob(filepath.Join(p.vault, ".git", pattern))
		for _, file := range found {
			_ = os.Remove(file)
		}
	}
}

// unlockGit does what the message of git asks for.
func (p *place) unlockGit(out outcome) {
	p.t.Helper()
	p.unlocked()
	if !strings.Contains(out.stderr, "hint:") {
		p.t.Errorf("no hint what to do: %s", out)
	}
}

// result is the place as it is once the operation was done undisturbed.
type result struct {
	before, after contents // the vault
	final         contents // and after a further pass
	state         []string // names in the state folder
	extra         map[string]string
}

// results are those of operations that were done undisturbed, by their names.
var results sync.Map

// undisturbed does the operation without a fault, once for all tests.
func (d operation) undisturbed(t *testing.T) result {
	t.Helper()
	if r, ok := results.Load(d.name); ok {
		return r.(result)
	}
	p := d.begin(t)
	r := result{before: tree(t, p.vault), extra: map[string]string{}}
	if out := p.run(d.line(p)...); !d.done(out) {
		t.Fatal(out)
	}
	r.after = tree(t, p.vault)
	for _, name := range d.extra {
		text := expect.Value(os.ReadFile(filepath.Join(p.dir, name)))(p.t)
		r.extra[name] = p.anywhere(string(text))
	}
	d.end(p, "undisturbed")
	r.final = tree(t, p.vault)
	r.state = p.stateNames()
	if !t.Failed() {
		results.Store(d.name, r)
	}
	return r
}

// anywhere is a text that names the place's folder, without that name.
func (p *place) anywhere(text string) string {
	text = strings.ReplaceAll(text, p.dir, "DIR")
	return strings.ReplaceAll(text, "~", "DIR")
}

// stateNames lists the files of the state folder but for the ledger's own, which
// come and go.
func (p *place) stateNames() []string {
	p.t.Helper()
	var names []string
	for path := range tree(p.t, p.state) {
		if name := filepath.Base(path); strings.Contains(path, "/") && !strings.HasPrefix(name, "ledger.db-") {
			names = append(names, name)
		}
	}
	return names
}

// toldOf expects a run that failed to say so: by its exit code, and in words.
func (p *place) toldOf(what string, out outcome) {
	p.t.Helper()
	switch {
	case strings.Contains(out.stderr, "panic") || strings.Contains(out.stderr, "goroutine "):
		p.t.Errorf("%s: %s", what, out)
	case out.code == 4 && strings.Contains(out.stdout, ": left: "):
	case out.code != 0 && out.code != 1 && out.code != 3:
		p.t.Errorf("%s: an exit code of no such meaning: %s", what, out)
	case out.code != 0 && !strings.Contains(out.stderr, "error: "):
		p.t.Errorf("%s: no error: %s", what, out)
	case out.code == 1 && !strings.Contains(out.stderr, "hint: "):
		p.t.Errorf("%s: no hint: %s", what, out)
	}
}
