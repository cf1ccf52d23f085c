package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault"
)

var everything = flag.Bool("whole", false, "look at all after each step of a scene, and play all cases of what is sampled otherwise")

// few leaves all but n of many cases out, the others spread over them, unless all are
// asked for.
func few[T any](n int, all []T) (some []T) {
	if *everything || len(all) <= n {
		return all
	}
	for i := range n {
		some = append(some, all[i*len(all)/n])
	}
	return some
}

// scenario is a vault over a history that changes step by step. After each step the
// promises hold: the second pass opens and writes nothing, what was remembered
// does not matter, the sources are untouched, and the vault is the golden one.
type scenario struct {
	*history
	vault   string
	folder  string            // of the vault, that holds the notes
	theirs  map[string]string // files that the vault has from its human, by path
	config  string            // of the user
	brief   bool              // the golden archive tells what was done, not what the notes say
	lasting bool              // the vault holds what the sources alone no longer give
	homes   []string          // further homes of the CLI
	users   []string          // user folders of VS Code
	exports []string          // chats exported from it
	unsound []string          // kinds of what check may find
	golden  txtar.Archive
	last    contents
	steps   int // so far
}

// What is looked at after a step, beside that a second pass does nothing: whether the vault is sound,
// and whether other ways lead to the same.
const (
	fromNothing = iota
	soundly
	byPatch
	fromNothingToo
	byPlan
	withoutLedger
	ways
)

// inTurn reports whether a step is also looked at in some ways. By default it is one
// at each step, another to begin with in each scenario.
func (s *scenario) inTurn(these ...int) bool {
	return *everything || slices.Contains(these, (len(s.t.Name())+s.steps)%ways)
}

func newScenario(t *testing.T) *scenario {
	t.Helper()
	t.Parallel()
	s := newStage(t)
	t.Cleanup(func() { compareGolden(t, "scenarios/"+strings.ToLower(strings.TrimPrefix(t.Name(), "Test")), s.golden) })
	return s
}

// newStage is a scenario that no golden archive tells of.
func newStage(t *testing.T) *scenario {
	t.Helper()
	s := &scenario{history: newHistory(t), vault: filepath.Join(t.TempDir(), "vault"), folder: "Agents"}
	s.check(os.MkdirAll(s.home, 0o700))
	createFixedVault(t, s.vault)
	return s
}

// furnish makes the vault of a scenario with another folder, with what its human has
// in it.
func (s *scenario) furnish(dir string) {
	s.t.Helper()
	s.check(vault.Create(dir, s.folder, vault.Marker{ID: "00c0ffee00c0ffee", Layout: 1}))
	for name, text := range s.theirs {
		at := filepath.Join(dir, filepath.FromSlash(name))
		s.check(os.MkdirAll(filepath.Dir(at), 0o700))
		s.check(os.WriteFile(at, []byte(text), 0o600))
	}
}

// createFixedVault makes a vault whose id does not vary.
func createFixedVault(t testing.TB, dir string) {
	t.Helper()
	expect.OK(t, vault.Create(dir, "Agents", vault.Marker{ID: "00c0ffee00c0ffee", Layout: 1}))
}

// runProgram runs the command in this process with a configuration.
func runProgram(t testing.TB, config string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	p := &terminal.Printer{Out: &out, Err: &errs}
	root := expect.Value(newRoot(p))(t)
	file := filepath.Join(t.TempDir(), "config.yaml")
	expect.OK(t, os.WriteFile(file, []byte(config), 0o600))
	root.SetArgs(append([]string{"--config", file}, args...)) // args may end with some for git
	root.SetOut(&out)
	root.SetErr(&errs)
	code = finish(t.Context(), p, root.ExecuteContext(t.Context()))
	return out.String(), errs.String(), code
}

// succeeds runs a command that must, and returns what it prints.
func succeeds(t testing.TB, config string, args ...string) string {
	t.Helper()
	stdout, stderr, code := runProgram(t, config, args...)
	if code != exitDone {
		t.Fatalf("%q: exit code %d: %s", args, code, stderr)
	}
	return stdout
}

// passes runs sync on a vault, which must succeed.
func (s *scenario) passes(dir string, flags ...string) extract.Report {
	s.t.Helper()
	r, stderr, code := s.pass(dir, flags...)
	if code != exitDone {
		s.t.Fatalf("exit code %d: %s %+v", code, stderr, r.Problems)
	}
	return r
}

// pass runs sync on a vault with the state folder beside it.
func (s *scenario) pass(dir string, flags ...string) (r extract.Report, stderr string, code int) {
	s.t.Helper()
	s.rests()
	args := append([]string{"sync", "--json", "--create"}, s.flags(dir)...)
	stdout, stderr, code := runProgram(s.t, s.config, append(args, flags...)...)
	if err := json.Unmarshal([]byte(stdout), &r); err != nil && code != exitFailed {
		s.t.Fatalf("sync printed no report (%v), exit code %d: %s%s", err, code, stdout, stderr)
	}
	return r, stderr, code
}

// flags are those by which a vault is made from the history.
func (s *scenario) flags(dir string) []string {
	args := []string{"--vault", dir, "--state", dir + ".state", "--no-defaults", "--copilot-home", s.home, "--folder", s.folder}
	for _, home := range s.homes {
		args = append(args, "--copilot-home", home)
	}
	for _, user := range s.users {
		args = append(args, "--vscode-user", user)
	}
	for _, path := range s.exports {
		if _, err := os.Stat(path); err == nil { // what a flag names has to be there
			args = append(args, "--vscode-export", path)
		}
	}
	return args
}

// sync is a step of the scenario: what happened since, and then a pass.
func (s *scenario) sync(happened string, flags ...string) extract.Report {
	s.t.Helper()
	return s.syncEnds(exitDone, happened, flags...)
}

// syncEnds is a step whose pass ends with the given exit code.
func (s *scenario) syncEnds(want int, happened string, flags ...string) extract.Report {
	s.t.Helper()
	s.later(time.Minute)
	s.steps++
	before := s.sources()
	var patched, planned contents
	if s.inTurn(byPatch) {
		patched = s.patched(happened, flags...)
	}
	if s.inTurn(byPlan) {
		planned = s.planned(happened, flags...)
	}
	r, stderr, code := s.pass(s.vault, flags...)
	expect.Is(s.t, code, want, happened, "exit code", stderr)
	now := walk(s.t, s.vault)
	s.record(happened, r, code, now)
	if d := differences(readable(now), patched, false); d != "" && patched != nil {
		s.t.Errorf("%s: the patch of diff makes (+) other notes than sync (-):\n%s", happened, d)
	}
	if d := differences(now, planned, false); d != "" && planned != nil {
		s.t.Errorf("%s: a plan makes (+) another vault than sync (-):\n%s", happened, d)
	}
	s.staysTheSame(happened, s.vault, code, now)
	if s.inTurn(soundly) {
		s.sound(happened)
	}
	if s.inTurn(withoutLedger) {
		s.survivesItsLedger(happened, code, now)
	}
	if !s.lasting && s.inTurn(fromNothing, fromNothingToo) {
		s.fresh(happened, code, now)
	}
	expect.Is(s.t, differences(before, s.sources(), true), "", happened, "the sources changed")
	return r
}

// survivesItsLedger runs a pass on a copy of the vault that has no ledger.
func (s *scenario) survivesItsLedger(happened string, code int, now contents) {
	s.t.Helper()
	lost := s.vault + " without ledger"
	copyTree(s.t, s.vault, lost)
	keepTimes(s.t, s.vault, lost)
	s.staysTheSame(happened+", ledger lost", lost, code, now)
	s.check(os.RemoveAll(lost))
	s.check(os.RemoveAll(lost + ".state"))
}

// sources are all files that are read.
func (s *scenario) sources() contents {
	s.t.Helper()
	all := walk(s.t, s.home)
	for _, root := range slices.Concat(s.homes, s.users, s.exports) {
		if _, err := os.Lstat(root); err != nil {
			continue // gone in the course of the scenario
		}
		for path, f := range walk(s.t, root) {
			all[filepath.Join(root, path)] = f
		}
	}
	return all
}

// staysTheSame runs a pass that has nothing to do, and sees it do nothing.
func (s *scenario) staysTheSame(happened, dir string, want int, now contents) {
	s.t.Helper()
	r, stderr, code := s.pass(dir)
	expect.Is(s.t, code, want, happened, "the second pass ends with", stderr)
	if len(r.Changed) > 0 || r.Notes.Tombstoned > 0 {
		s.t.Errorf("%s: the second pass changes %v, buries %d", happened, r.Changed, r.Notes.Tombstoned)
	}
	expect.Is(s.t, differences(now, walk(s.t, dir), true), "", happened, "the second pass writes")
	for _, src := range r.Sources {
		if dir == s.vault && want == exitDone && src.Read+int(src.BytesRead) > 0 {
			s.t.Errorf("%s: the second pass opens %d items, %d bytes", happened, src.Read, src.BytesRead)
		}
	}
}

// fresh makes the same sources into an empty vault.
func (s *scenario) fresh(happened string, want int, now contents) {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "fresh")
	s.furnish(dir)
	// The vault's settings are part of what a pass is given.
	marker := filepath.Join(s.folder, ".sessionloom", "vault.yaml")
	text := expect.Value(os.ReadFile(filepath.Join(s.vault, marker)))(s.t)
	s.check(os.WriteFile(filepath.Join(dir, marker), text, 0o600))
	if _, stderr, code := s.pass(dir); code != want {
		s.t.Errorf("%s: a fresh pass ends with %d, want %d: %s", happened, code, want, stderr)
	}
	if nameAs(s.t, dir, s.vault) {
		s.pass(dir)
	}
	expect.Is(s.t, differences(asNamed(now), asNamed(walk(s.t, dir)), false), "", happened, "incremental (-) is not fresh (+)")
}

// record adds a step to the golden archive: the report in words, then each new
// file of the vault and what changed in the others.
func (s *scenario) record(happened string, r extract.Report, code int, now contents) {
	step := fmt.Sprintf("%02d %s/", 1+strings.Count(string(s.golden.Comment), "\n"), happened)
	s.golden.Comment = append(s.golden.Comment, step+"\n"...)
	var b strings.Builder
	fmt.Fprintf(&b, "exit code %d\n", code)
	n, c := r.Notes, r.Sessions
	for _, count := range []struct {
		word string
		n    int
	}{
		{"sessions new", c.New}, {"sessions changed", c.Changed}, {"sessions empty", c.Empty}, {"sessions vanished", c.Vanished},
		{"sessions failed", c.Failed}, {"sessions of rows only", r.StoreOnly}, {"notes created", n.Created}, {"notes updated", n.Updated},
		{"notes merged", n.Merged}, {"notes moved", n.Moved}, {"notes removed", n.Removed}, {"notes tombstoned", n.Tombstoned},
	} {
		if count.n > 0 {
			fmt.Fprintf(&b, "%s: %d\n", count.word, count.n)
		}
	}
	for _, k := range r.Kept {
		fmt.Fprintf(&b, "kept %s: %s\n", k.Note, k.Reason)
	}
	for _, p := range r.Partial {
		fmt.Fprintf(&b, "partial %s: %s\n", p.Session, strings.Join(p.Damage, "; "))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "problem: %s\n", strings.NewReplacer(s.home, "~/.copilot", s.vault, "~/Vault").Replace(filepath.ToSlash(p.Error)))
	}
	var files []txtar.File
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if s.brief {
			break
		}
		then, ok := s.last[path]
		switch {
		case !ok && strings.HasSuffix(path, ".base"): // the same in every vault: the sample shows it
		case !ok:
			files = append(files, txtar.File{Name: step + path, Data: []byte(now[path].text)})
		case then.text != now[path].text:
			files = append(files, txtar.File{Name: step + path, Data: []byte(hunks(s.t, then.text, now[path].text))})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(s.last)) {
		if _, ok := now[path]; !ok {
			fmt.Fprintf(&b, "gone %s\n", path)
		}
	}
	s.golden.Files = append(s.golden.Files, txtar.File{Name: step + "report", Data: []byte(b.String())})
	s.golden.Files = append(s.golden.Files, files...)
	s.last = now
}

// note finds a note of ours by its id, or by that of its session.
func (s *scenario) note(id string) string {
	s.t.Helper()
	for path, f := range walk(s.t, s.vault) {
		if got := noteID(f.text); got == id || got == "session:"+id {
			return path
		}
	}
	s.t.Fatalf("no note %s", id)
	return ""
}

// noteID reads the id in the first line of a note's properties.
func noteID(text string) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n")
	id, ok := strings.CutPrefix(line, "id: ")
	if !ok {
		return ""
	}
	return strings.Trim(id, `"`)
}

func (s *scenario) noteText(id string) string {
	s.t.Helper()
	return walk(s.t, s.vault)[s.note(id)].text
}

// shows expects words in a note.
func (s *scenario) shows(id string, words ...string) {
	s.t.Helper()
	text := s.noteText(id)
	for _, w := range words {
		expect.Has(s.t, text, w, "the note", id, "does not say")
	}
}

// hides expects that words are not in a note.
func (s *scenario) hides(id string, words ...string) {
	s.t.Helper()
	text := s.noteText(id)
	for _, w := range words {
		expect.Lacks(s.t, text, w, "the note", id)
	}
}
