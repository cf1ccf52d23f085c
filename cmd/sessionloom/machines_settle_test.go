package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// twoMachines share a vault that holds the note of one session. The first one
// changes it, the second one does something else to it.
func twoMachines(t *testing.T) (a, b *machine, s *talk) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	all := newMachines(t, 2, func(m *machine) { m.tool("git", "install") })
	a, b = all[0], all[1]
	s = a.begins("11111111-1111-4000-8000-000000000000", widget).asks("Draw a map").says(strings.Repeat("Drawn, with a line for each road of the town.\n\n", 12))
	a.agree(t)
	b.agree(t)
	return a, b, s
}

// agree exchanges what must go through.
func (m *machine) agree(t *testing.T) {
	t.Helper()
	expect.OK(t, m.exchanges(false))
}

// note is the file of the session's note, and its text.
func (m *machine) note() (file, text string) {
	m.t.Helper()
	for _, p := range sortedKeys(walk(m.t, filepath.Join(m.vault, "Agents"))) {
		if strings.Contains(p, "/sessions/") && strings.HasSuffix(p, ".md") {
			file = filepath.Join(m.vault, "Agents", filepath.FromSlash(p))
			b := expect.Value(os.ReadFile(file))(m.t)
			return file, string(b)
		}
	}
	return "", ""
}

func (m *machine) writes(said string) {
	m.t.Helper()
	file, text := m.note()
	m.check(os.WriteFile(file, []byte(text+"\n"+said+"\n"), 0o600))
}

// What a pull stops at is settled, whichever side deleted or renamed the note.
func TestGitResolvesDeletionsAndMoves(t *testing.T) {
	deletes := func(m *machine) { file, _ := m.note(); m.check(os.Remove(file)) }
	renames := func(to string) func(*machine) {
		return func(m *machine) { file, _ := m.note(); m.check(os.Rename(file, filepath.Join(filepath.Dir(file), to))) }
	}
	type point struct {
		name  string
		there func(*machine) // what is pushed
		here  func(*machine) // what then pulls
		want  []string       // words of the one note that stands; nil: none stands
		how   string         // of the pull
		grows int            // how many lines the session says more
	}
	var points []point
	for _, c := range []point{
		{name: "deleted there, written in here", there: deletes, here: func(m *machine) { m.writes("Here.") }},
		{name: "written in there, deleted here", there: func(m *machine) { m.writes("There.") }, here: deletes},
		{"renamed here and there", func(m *machine) { m.writes("There."); renames("There.md")(m) },
			func(m *machine) { m.writes("Here."); renames("Here.md")(m) }, []string{"There.", "Here."}, "", 0},
		{name: "renamed there, written in here", there: renames("There.md"), here: func(m *machine) { m.writes("Here.") }, want: []string{"Here."}},
		{name: "renamed there, deleted here", there: renames("There.md"), here: deletes},
		{name: "renamed there and grown a lot, written in here", there: renames("There.md"), here: func(m *machine) { m.writes("Here.") }, want: []string{"Here."}, grows: 200},
	} {
		for _, c.how = range []string{"--rebase", "--no-rebase"} {
			points = append(points, c)
		}
	}
	for _, c := range few(4, points) {
		t.Run(c.name+" "+c.how, func(t *testing.T) {
			a, b, s := twoMachines(t)
			s.asks("More").says("Much more." + strings.Repeat("\n\nAnd a street more.", c.grows))
			c.there(a)
			a.agree(t)
			c.here(b)
			expect.OK(t, b.exchanges(c.how == "--no-rebase"))
			a.agree(t)
			b.agree(t)
			for _, m := range []*machine{a, b} {
				_, text := m.note()
				expect.Is(t, text != "", c.want != nil, m.name, "the note stands", text != "")
				for _, words := range c.want {
					expect.Has(t, text, words, m.name, "lost")
				}
			}
			if err := alike([]*machine{a, b}); err != nil {
				t.Error(err)
			}
		})
	}
}

// Two notes whose names a person exchanged keep what another one wrote into them meanwhile.
func TestGitKeepsWordsInExchangedNotes(t *testing.T) {
	for _, how := range few(1, []string{"--rebase", "--no-rebase"}) {
		a, b, _ := twoMachines(t)
		file, _ := a.note()
		day := filepath.Join(a.vault, "Agents", "journal", "2026-03-02.md")
		a.check(errors.Join(os.Rename(file, file+".x"), os.Rename(day, file), os.Rename(file+".x", day)))
		a.agree(t)
		b.writes("Here.")
		day = filepath.Join(b.vault, "Agents", "journal", "2026-03-02.md")
		text, err := os.ReadFile(day)
		b.check(errors.Join(err, os.WriteFile(day, append(text, "\nThat day.\n"...), 0o600)))
		expect.OK(t, b.exchanges(how == "--no-rebase"))
		a.agree(t)
		b.agree(t)
		for _, m := range []*machine{a, b} {
			for id, words := range map[string]string{"session:11111111-": "Here.", "day:2026-03-02": "That day."} {
				if found := m.git("grep", "-l", "--all-match", "-e", "^id: .*"+id, "-e", words, "--", "Agents/*.md"); strings.Count(found, "\n") > 0 || found == "" {
					t.Errorf("%s %s: %q stands in %q", m.name, how, words, found)
				}
			}
		}
		if err := alike([]*machine{a, b}); err != nil {
			t.Error(err)
		}
	}
}

// What a person wrote while a pull was stopped is not settled away, and what is
// no note of ours is left to the user; once that is settled it continues.
// A forge merges without our merge driver: a session grew on one machine, and on the other one
// somebody wrote into its note.
func TestForgeMergesWithoutTheDriver(t *testing.T) {
	a, b, s := twoMachines(t)
	s.plans("- [ ] Tell them\n- [x] Draw\n")
	a.agree(t)
	b.agree(t)
	s.asks("More").says("Much more.")
	a.tool("sync", "--commit")
	a.git("push", "-q")
	b.writes("Here.")
	b.commitAll("by hand")
	b.git("push", "-q", "origin", "HEAD:refs/heads/words")
	forge := t.TempDir()
	for _, args := range [][]string{
		{"clone", "-q", a.git("remote", "get-url", "origin"), forge}, {"-C", forge, "-c", "merge.sessionloom.driver=git merge-file %A %O %B", "merge", "-q", "-m", "merged", "origin/words"}, {"-C", forge, "push", "-q"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	for _, m := range []*machine{a, b, a} {
		m.agree(t)
	}
	for _, m := range []*machine{a, b} {
		if _, text := m.note(); !strings.Contains(text, "Here.") || !strings.Contains(text, "Much more.") || strings.Contains(text, "<<<<") {
			t.Errorf("%s:\n%s", m.name, text)
		}
	}
	if err := alike([]*machine{a, b}); err != nil {
		t.Error(err)
	}
}

func TestGitResolvesNothingOfTheUsers(t *testing.T) {
	a, b, _ := twoMachines(t)
	mine := func(m *machine) string { return filepath.Join(m.vault, "mine.md") }
	a.check(os.WriteFile(mine(a), []byte("one\n"), 0o600))
	a.agree(t)
	b.agree(t)
	file, _ := a.note()
	a.check(os.Remove(file))
	a.check(os.WriteFile(mine(a), []byte("there\n"), 0o600))
	a.agree(t)
	b.writes("Here.")
	b.check(os.WriteFile(mine(b), []byte("here\n"), 0o600))
	b.tool("sync", "--commit")
	b.commitAll("by hand")
	if _, err := b.tryGit("pull", "-q", "--rebase"); err == nil {
		t.Fatal("git did not stop")
	}
	_, stderr, code := runProgram(t, b.config, "git", "settle")
	if code != exitPartial || !strings.Contains(stderr, `"mine.md": a conflict that is left to you`) {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	b.check(os.WriteFile(mine(b), []byte("both\n"), 0o600))
	b.git("add", "mine.md")
	expect.Has(t, b.tool("git", "settle"), "no conflict was left; finished a rebase", "said of a rebase that came to its end")
	expect.Has(t, b.tool("git", "settle"), "nothing to do: git", "said with nothing to settle")
	if _, err := os.Lstat(filepath.Join(b.vault, ".git", "rebase-merge")); err == nil {
		t.Error("the rebase did not come to its end")
	}
	expect.Is(t, b.git("show", "HEAD:mine.md"), "both", "mine.md")

	// git stops again, and somebody continues writing.
	b.git("push", "-q")
	a.agree(t)
	a.tool("restore", "session:11111111-1111-4000-8000-000000000000")
	a.agree(t)
	b.agree(t)
	file, _ = a.note()
	a.check(os.Remove(file))
	a.agree(t)
	b.writes("Before.")
	b.tool("sync", "--commit")
	b.commitAll("by hand")
	if _, err := b.tryGit("pull", "-q", "--rebase"); err == nil {
		t.Fatal("git did not stop")
	}
	b.writes("Meanwhile.")
	if _, stderr, code := runProgram(t, b.config, "git", "settle"); code != exitPartial {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if _, text := b.note(); !strings.Contains(text, "Meanwhile.") {
		t.Error("what was written meanwhile is gone")
	}
}

// A base and a canvas that two people changed are named, with what to do. What is deleted there comes again, what is left with conflict markers
// in it stays as it is.
func TestGitResolvesNoBasesAndCanvases(t *testing.T) {
	ways := map[string]func(*machine, string){
		"one side":        func(m *machine, file string) { m.git("checkout", "--quiet", "--theirs", "--", file) },
		"deleted":         func(m *machine, file string) { m.check(os.Remove(filepath.Join(m.vault, file))) },
		"left with marks": func(*machine, string) {},
	}
	for _, how := range few(1, []string{"one side", "deleted", "left with marks"}) {
		resolve := ways[how]
		t.Run(how, func(t *testing.T) {
			a, b, _ := twoMachines(t)
			const base, canvas = "Agents/Sessions.base", "Agents/projects/widget (octo-org)/widget (octo-org).canvas"
			for i, m := range []*machine{a, b} {
				for n := range 2 {
					m.begins(fmt.Sprintf("2222222%d-111%d-4000-8000-000000000000", i, n), widget).asks("Draw a map of " + m.name).says("Drawn.")
				}
				m.tool("sync")
				for file, mine := range map[string]string{base: "  # mine: " + m.name + "\n", canvas: strings.Repeat("\n", i+1)} {
					text := expect.Value(os.ReadFile(filepath.Join(m.vault, file)))(m.t)
					m.check(os.WriteFile(filepath.Join(m.vault, file), append(text, mine...), 0o600))
				}
				m.tool("sync", "--commit")
				m.commitAll("by hand")
			}
			a.git("push", "-q")
			if _, err := b.tryGit("pull", "-q", "--rebase"); err == nil {
				t.Fatal("git did not stop")
			}
			before := map[string]string{}
			for {
				_, stderr, code := runProgram(t, b.config, "git", "settle")
				if code == exitDone {
					break
				}
				for _, file := range b.conflicts() {
					if !strings.Contains(stderr, fmt.Sprintf("%q: a conflict that is left to you", file)) || !strings.Contains(stderr, "git checkout --theirs FILE") {
						t.Fatalf("exit code %d: %s", code, stderr)
					}
					resolve(b, file)
					b.git("add", "--", file)
					text, _ := os.ReadFile(filepath.Join(b.vault, file))
					before[file] = string(text)
				}
			}
			if len(before) != 2 || before[base] == "" && how != "deleted" {
				t.Fatalf("git stopped at %q", before)
			}
			b.tool("sync", "--commit")
			for file, then := range before {
				text, err := os.ReadFile(filepath.Join(b.vault, file))
				switch {
				case err != nil:
					t.Error(err)
				case how == "left with marks" && (string(text) != then || !strings.Contains(then, "<<<<<<< ") && file == base):
					t.Errorf("%s is now:\n%s", file, text)
				case how == "one side" && string(text) != then:
					t.Errorf("%s is now:\n%s\nand was:\n%s", file, text, then)
				case how == "deleted" && (strings.Contains(string(text), "mine") || filepath.Ext(file) == ".canvas" && strings.Count(string(text), "sessions/") < 5):
					t.Errorf("%s is not rendered anew:\n%s", file, text)
				}
				out, _, code := runProgram(t, b.config, "check")
				expect.Is(t, strings.Contains(out, file), (how == "left with marks" && file == base), "check", file, "exit code", code, out)
			}
			expect.Is(t, b.git("status", "--porcelain"), "", "not committed")
		})
	}
}

// A page that went with a session which was forgotten comes back where another machine has
// something to list on it, and nobody is told that it is missing.
func TestPageComesBackAfterForget(t *testing.T) {
	a, b, _ := twoMachines(t)
	a.tool("forget", "--yes", "11111111")
	a.tool("sync", "--commit")
	a.git("push", "-q")
	b.tool("forget", "--yes", "11111111")
	b.begins("22222222-2222-4000-8000-000000000000", widget).asks("Draw a map").says("Drawn.")
	b.tool("sync", "--commit")
	if _, err := b.tryGit("pull", "-q", "--no-rebase"); err == nil {
		t.Fatal("git did not stop")
	}
	if out, stderr, code := runProgram(t, b.config, "git", "settle"); code != exitDone || stderr != "" || !strings.Contains(out, "resolved, finished a merge") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
	b.agree(t)
	a.agree(t)
	for _, m := range []*machine{a, b} {
		for _, page := range []string{"2026-03-02.md", "2026-W10.md"} {
			if _, err := os.Lstat(filepath.Join(m.vault, "Agents", "journal", page)); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
	}
}

// What another machine removed is no news; what a checkout removed of one's
// own is.
func TestMissingAfterGit(t *testing.T) {
	a, b, _ := twoMachines(t)
	before := a.git("rev-parse", "HEAD")
	file, _ := a.note()
	a.check(os.Remove(file))
	a.tool("sync", "--commit")
	if gone := a.git("show", "--name-status", "--format="); !strings.Contains(gone, "D\tAgents/journal/") {
		t.Fatalf("no page went with its last session:\n%s", gone)
	}
	a.git("push", "-q")
	for range 2 {
		b.git("pull", "-q")
		if _, stderr, code := runProgram(t, b.config, "sync", "--quiet"); code != exitDone || stderr != "" {
			t.Errorf("exit code %d:\n%s", code, stderr)
		}
	}
	if out, err := b.tryGit("merge", "-q", "--ff-only", before); err != nil || out != "" {
		t.Errorf("%v: %s", err, out)
	}

	a, _, _ = twoMachines(t)
	a.git("switch", "-q", "--detach", "HEAD~1")
	_, stderr, _ := runProgram(t, a.config, "sync")
	if !strings.Contains(stderr, "missing since another commit was checked out") || !strings.Contains(stderr, "session:11111111") {
		t.Errorf("not told of one's own note: %s", stderr)
	}
	if stdout, _, code := runProgram(t, a.config, "check"); code != exitDone {
		t.Errorf("check cries, exit code %d:\n%s", code, stdout)
	}
	expect.Lacks(t, a.git("status", "--porcelain"), "tombstones", "a checkout made tombstones")

	// Its user commits what a run wrote, and goes back to the commit of that run.
	a, _, _ = twoMachines(t)
	a.begins("22222222-2222-4000-8000-000000000000", widget).asks("Draw a bridge").says("Drawn.")
	a.tool("sync")
	a.commitAll("by hand")
	a.git("switch", "-q", "--detach", "HEAD~1")
	_, stderr, _ = runProgram(t, a.config, "sync")
	if out := a.git("status", "--porcelain"); strings.Contains(out, "tombstones") || !strings.Contains(stderr, "session:22222222") {
		t.Errorf("a checkout of the commit that was known made tombstones:\n%s%s", out, stderr)
	}
}

// A note that one machine deleted and another restored, which has no history of it, is written
// again where the history is.
func TestRestoredOnAnotherMachine(t *testing.T) {
	a, b, _ := twoMachines(t)
	file, _ := a.note()
	a.check(os.Remove(file))
	a.agree(t)
	b.agree(t)
	if _, text := b.note(); text != "" {
		t.Fatal("the deletion did not reach the other machine")
	}
	b.tool("restore", "session:11111111-1111-4000-8000-000000000000")
	for _, m := range []*machine{b, a, a, b} { // what a pull brings, the next sync takes in
		m.agree(t)
	}
	for _, m := range []*machine{a, b} {
		if _, text := m.note(); text == "" {
			t.Errorf("%s: the note did not come back", m.name)
		}
	}
	if err := alike([]*machine{a, b}); err != nil {
		t.Error(err)
	}
}
