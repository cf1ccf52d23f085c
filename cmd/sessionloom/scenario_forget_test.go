package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

const delta = "dddddddd-0004-4000-8000-000000000004"

// forget runs the command on the vault of the scenario.
func (s *scenario) forget(want int, args ...string) string {
	s.t.Helper()
	return s.runs(want, "forget", append(args, "--yes")...)
}

// runs runs a command other than sync on the vault of the scenario.
func (s *scenario) runs(want int, command string, args ...string) string {
	s.t.Helper()
	all := append([]string{command, "--vault", s.vault, "--state", s.vault + ".state", "--no-defaults", "--copilot-home", s.home}, args...)
	out, stderr, code := runProgram(s.t, s.config, all...)
	if code != want {
		s.t.Fatalf("%s: exit code %d, want %d: %s%s", command, code, want, out, stderr)
	}
	return out + stderr
}

// remembers reports whether any file of the state folder holds a word.
func (s *scenario) remembers(word string) bool {
	s.t.Helper()
	files := expect.Value(filepath.Glob(filepath.Join(s.vault+".state", "*", "*")))(s.t)
	for _, file := range files {
		text := expect.Value(os.ReadFile(file))(s.t)
		if strings.Contains(string(text), word) {
			return true
		}
	}
	return false
}

// A session that is forgotten leaves no trace in vault and ledger, however it
// continues, until it is restored.
func TestForgottenSession(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Rotate the zanzibar keys").edits("keys.go").says("Rotated.").notes("Tell zanzibar", "pending")
	s.begins(beta, widget).asks("Test it").edits("keys.go").says("Tested.")
	s.sync("two sessions")
	if !s.remembers("zanzibar") {
		t.Fatal("this test would not see what is remembered")
	}
	before := walk(t, s.vault)
	if out := s.forget(exitDone, "--dry-run", alpha); !strings.Contains(out, "1 note removed") && !strings.Contains(out, "removed") {
		t.Errorf("a dry run says %s", out)
	}
	expect.Is(t, differences(before, walk(t, s.vault), true), "", "a dry run wrote")
	s.forget(exitDone, alpha)
	s.lasting = true
	s.sync("one is forgotten")
	if s.remembers("zanzibar") {
		t.Error("the ledger still knows what was said")
	}
	for path, f := range walk(t, s.vault) {
		expect.Lacks(t, path+f.text, "zanzibar", path, "still tells of it")
	}
	a.asks("Rotate the zanzibar keys again").says("Rotated.")
	s.sync("it goes on")
	if s.has(alpha) || s.remembers("zanzibar") {
		t.Error("what was forgotten came back")
	}
	if out := s.runs(exitDone, "status"); !strings.Contains(out, "\n  "+alpha[:8]+"\n") || strings.Contains(out, "zanzibar") {
		t.Errorf("status says %s", out)
	}
	s.runs(exitDone, "restore", alpha)
	s.lasting = false
	s.sync("it is asked back")
	s.shows(alpha, "zanzibar keys again")
}

// A note in which its user wrote is not removed without a word.
func TestForgottenWithWordsOfTheUser(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, widget).asks("Rotate the zanzibar keys").says("Rotated.")
	s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("two sessions")
	s.userEdits(alpha, "%% sessionloom nav", "My own words.\n\n%% sessionloom nav")
	expect.Has(t, s.forget(exitDone, "session:"+alpha), "--edited", "forget")
	s.sync("one is forgotten, and stays for what was written in it")
	s.shows(alpha, "My own words.")
	s.forget(exitDone, "--edited", alpha)
	s.sync("it is put aside")
	saved := expect.Value(filepath.Glob(filepath.Join(s.vault, "Agents", ".sessionloom", "rescued", "*.md")))(s.t)
	if len(saved) != 1 {
		t.Fatalf("put aside are %v", saved)
	}
	if text, err := os.ReadFile(saved[0]); err != nil || !strings.Contains(string(text), "My own words.") {
		t.Errorf("put aside is %q, %v", text, err)
	}
	s.hides("home", "zanzibar")
}

// A project that is forgotten takes all its sessions along, those that come
// later and those that know only its folder too.
func TestForgottenProject(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, widget).asks("Rotate the zanzibar keys").edits("keys.go").says("Rotated.").compacts("Half of zanzibar", "Half.", "The other half")
	s.begins(beta, latency).asks("Measure it").says("Measured.")
	s.sync("two projects")
	s.forget(exitDone, "project:widget")
	s.lasting = true
	s.sync("one is forgotten")
	s.begins(gamma, widget).asks("Rotate the zanzibar keys again").says("Rotated.")
	s.begins(delta, widget+"/cmd").asks("What is in zanzibar?").says("Nothing.")
	s.sync("it goes on, in a folder of it too")
	for path, f := range walk(t, s.vault) {
		if strings.Contains(path+f.text, "zanzibar") || strings.Contains(path, "widget") {
			t.Errorf("%s tells of it", path)
		}
	}
	if s.remembers("zanzibar") {
		t.Error("the ledger knows what was said")
	}
	s.runs(exitDone, "restore", "project:github.com/octo-org/widget")
	s.lasting = false
	s.sync("it is asked back")
	s.shows(gamma, "zanzibar keys again")
	s.shows(delta, "Nothing.")
}
