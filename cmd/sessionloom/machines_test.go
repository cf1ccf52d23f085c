package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// machine is one of several on which somebody works, each with a history of its
// own and a clone of the vault's repository.
type machine struct {
	*history
	name   string
	vault  string
	config string
	talks  []*talk
	said   map[string]string // what people wrote on any of them → id of the note
}

// isolateGit keeps the configuration of this machine out of a test, and has git
// call this test binary as the program.
func isolateGit(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "XDG_STATE_HOME": filepath.Join(home, ".state"),
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"), actAs: "1",
	} {
		t.Setenv(name, value)
	}
	config := "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
}

// newMachines sets up machines that share a vault through a bare repository.
func newMachines(t *testing.T, n int, install func(*machine)) []*machine {
	t.Helper()
	isolateGit(t)
	dir := t.TempDir()
	bare := filepath.Join(dir, "vault.git")
	if out, err := exec.Command("git", "init", "-q", "--bare", bare).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	all := make([]*machine, n)
	said := map[string]string{}
	for i := range all {
		m := &machine{history: newHistory(t), name: fmt.Sprintf("machine %d", i), vault: filepath.Join(dir, fmt.Sprintf("vault %d", i)), said: said}
		m.count = i << 12 // ids of events differ
		m.check(os.MkdirAll(m.home, 0o700))
		m.config = fmt.Sprintf("vault: %q\nstate: %q\nsources:\n  copilot_cli:\n    homes: [%q]\n  vscode:\n    enabled: false\n", m.vault, m.vault+".state", m.home)
		if out, err := exec.Command("git", "clone", "-q", bare, m.vault).CombinedOutput(); err != nil {
			t.Fatalf("git clone: %v\n%s", err, out)
		}
		if i == 0 {
			createFixedVault(t, m.vault)
			m.commitAll("an empty vault")
			m.git("push", "-q", "-u", "origin", "main")
		}
		install(m)
		all[i] = m
	}
	return all
}

func (m *machine) git(args ...string) string {
	m.t.Helper()
	out, err := m.tryGit(args...)
	if err != nil {
		m.t.Fatalf("%s: git %s: %v\n%s", m.name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func (m *machine) tryGit(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = m.vault
	cmd.Env = append(os.Environ(), "GIT_EDITOR=true")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// tool runs a command of ours that must not fail.
func (m *machine) tool(args ...string) string {
	m.t.Helper()
	return succeeds(m.t, m.config, args...)
}

// commitAll commits what a person wrote.
func (m *machine) commitAll(message string) {
	m.t.Helper()
	m.git("add", "-A")
	if m.git("status", "--porcelain") != "" {
		m.git("commit", "-q", "-m", message)
	}
}

// exchanges commits, pulls and pushes, and reports whether anything came of it.
func (m *machine) exchanges(merge bool) error {
	m.t.Helper()
	m.tool("sync", "--commit")
	m.commitAll("by hand")
	how := "--rebase"
	if merge {
		how = "--no-rebase"
	}
	for range 4 {
		if err := m.pulls(how); err != nil {
			return err
		}
		if _, err := m.tryGit("push", "-q"); err == nil {
			return nil
		}
		m.tool("sync", "--commit") // what was rendered is in the way of the next pull
	}
	return fmt.Errorf("%s cannot push", m.name)
}

// pulls does it as the manual says: what git stops at is settled, then all is rendered again.
func (m *machine) pulls(how string) error {
	m.t.Helper()
	if said, err := m.tryGit("pull", "-q", how); err != nil {
		if stdout, stderr, code := runProgram(m.t, m.config, "git", "settle"); code != exitDone {
			return fmt.Errorf("%s: git pull: %w\n%ssettle: exit code %d\n%s%s", m.name, err, said, code, stdout, stderr)
		}
	}
	m.tool("sync")
	return nil
}

// conflicts are the files at which git stopped.
func (m *machine) conflicts() []string {
	m.t.Helper()
	return strings.Split(strings.Trim(m.git("diff", "--name-only", "-z", "--diff-filter=U"), "\x00"), "\x00")
}

// works lets something happen in the history of a machine.
func (m *machine) works(r *rand.Rand, n int) {
	if len(m.talks) == 0 || r.IntN(3) == 0 {
		where := []string{widget, latency}[r.IntN(2)]
		s := m.begins(fmt.Sprintf("%08x-%04x-4000-8000-000000000000", n*2654435761&0xffffffff, n), where)
		m.talks = append(m.talks, s.asks(fmt.Sprintf("Task %d", n)).says("Begun."))
		return
	}
	s := m.talks[r.IntN(len(m.talks))]
	switch r.IntN(4) {
	case 0:
		s.edits(fmt.Sprintf("file%d.go", r.IntN(3)))
	case 1:
		s.notes(fmt.Sprintf("Step %d", n), "pending", fmt.Sprintf("Later %d", n), "pending")
	}
	s.asks(fmt.Sprintf("Question %d", n)).says(fmt.Sprintf("Answer %d.", n))
}

// edits does something to a note as its reader would.
func (m *machine) edits(r *rand.Rand, n int) string {
	m.t.Helper()
	files := walk(m.t, filepath.Join(m.vault, "Agents"))
	var notes []string
	for _, p := range sortedKeys(files) {
		if strings.HasSuffix(p, ".md") {
			notes = append(notes, p)
		}
	}
	if len(notes) == 0 {
		return "nothing"
	}
	at := notes[r.IntN(len(notes))]
	file := filepath.Join(m.vault, "Agents", filepath.FromSlash(at))
	text := files[at].text
	write := func(now, said string) {
		m.check(os.WriteFile(file, []byte(now), 0o600))
		if said != "" && now != text {
			m.said[said] = noteID(text)
		}
	}
	switch r.IntN(6) {
	case 0:
		said := fmt.Sprintf("Remark %d.", n)
		write(text+"\n"+said+"\n", said)
		return "wrote below " + at
	case 1:
		write(strings.Replace(text, "- [ ] ", "- [x] ", 1), "")
		return "ticked in " + at
	case 2:
		said := fmt.Sprintf("Inside %d.", n)
		lines := strings.SplitAfter(text, "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, "# ") {
				lines[i] += "\n" + said + "\n"
				break
			}
		}
		write(strings.Join(lines, ""), said)
		return "wrote in " + at
	case 3:
		said := fmt.Sprintf("  - mine%d\n", n)
		write(strings.Replace(text, "tags:\n", "tags:\n"+said, 1), said)
		return "tagged " + at
	case 4:
		if !strings.Contains(at, "/sessions/") {
			return "nothing"
		}
		m.check(os.Rename(file, strings.TrimSuffix(file, ".md")+fmt.Sprintf(" renamed %d.md", n)))
		return "renamed " + at
	default:
		if !strings.Contains(at, "/sessions/") {
			return "nothing"
		}
		m.check(os.Remove(file))
		return "deleted " + at
	}
}
