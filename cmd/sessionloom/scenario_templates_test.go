package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract"
)

// rewording is a vault whose user puts templates of their own into it while a
// session continues.
type rewording struct {
	*scenario
	talk *talk
}

const ownFolder = "Agents/.sessionloom/templates"

func newRewording(t *testing.T) *rewording {
	t.Helper()
	s := &rewording{scenario: newStage(t)}
	s.talk = s.begins(alpha, widget).asks("Write a parser").says("Written.")
	return s
}

func (s *rewording) rewords() {
	s.t.Helper()
	dir := filepath.Join(s.vault, filepath.FromSlash(ownFolder))
	s.check(os.MkdirAll(dir, 0o700))
	s.check(os.WriteFile(filepath.Join(dir, "nav.tmpl"), []byte(`{{define "nav"}}{{with links .Days}}Worked on {{.}}{{end}}{{end}}`), 0o600))
	s.talk.asks("Test it").says("Tested.")
}

// plan makes a plan as a user does and returns it back with its text.
func (s *rewording) plan(flags ...string) (extract.Plan, string) {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "plan.json")
	if _, stderr, code := s.pass(s.vault, append(flags, "--plan", file)...); code != exitDone {
		s.t.Fatalf("no plan: %d %s", code, stderr)
	}
	text, err := os.ReadFile(file)
	s.check(err)
	var plan extract.Plan
	s.check(json.Unmarshal(text, &plan))
	if _, stderr, code := runProgram(s.t, s.config, "apply", file, "--vault", s.vault, "--state", s.vault+".state"); code != exitDone {
		s.t.Fatalf("apply: %d %s", code, stderr)
	}
	return plan, string(text)
}

func TestRerenderingIsAPlanOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newRewording(t)
	if r, _, _ := s.pass(s.vault); r.Notes.Created == 0 {
		t.Fatal("nothing was created")
	}
	s.rewords()
	first, text := s.plan("--templates", ownFolder)
	if !first.Rerender || len(first.Settings) != 1 || len(first.Targets) == 0 || !strings.Contains(text, "Worked on") || strings.Contains(text, "Tested.") {
		t.Errorf("the first plan is not one of the re-rendering alone: %+v\n%s", first.Settings, text)
	}
	s.shows(alpha, "Worked on")
	s.hides(alpha, "Tested.")
	second, text := s.plan()
	if second.Rerender || len(second.Settings) > 0 || !strings.Contains(text, "Tested.") {
		t.Errorf("the second plan does not take in what is new:\n%s", text)
	}
	s.shows(alpha, "Worked on", "Tested.")
	third, _ := s.plan()
	if third.Rerender || len(third.Targets) > 0 {
		t.Errorf("there is a third plan: %+v", third.Targets)
	}
	now := walk(t, s.vault)
	s.staysTheSame("two plans carried out", s.vault, exitDone, now)
	s.survivesItsLedger("two plans carried out", exitDone, now)
}

func TestRerenderingIsACommitOfItsOwn(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(t.TempDir(), "none"),
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
	} {
		t.Setenv(name, value)
	}
	s := newRewording(t)
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", s.vault}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	commit := func(flags ...string) {
		t.Helper()
		if _, stderr, code := s.pass(s.vault, append(flags, "--commit")...); code != exitDone {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
	}
	commit()
	s.rewords()
	commit("--templates", ownFolder)
	log := strings.Split(strings.TrimSpace(git("log", "--reverse", "--format=%s")), "\n")
	if len(log) != 3 || !strings.HasPrefix(log[1], "sessionloom: rendered anew, ") || !strings.HasPrefix(log[2], "sessionloom: 1 session (widget), ") {
		t.Fatalf("the commits are %q", log)
	}
	anew, grown := git("show", "HEAD^"), git("show", "HEAD")
	if !strings.Contains(anew, "+Worked on") || !strings.Contains(anew, "+  templates:") || strings.Contains(anew, "Tested.") {
		t.Errorf("the commit of the re-rendering holds\n%s", anew)
	}
	if strings.Contains(grown, "+Worked on") || !strings.Contains(grown, "Tested.") {
		t.Errorf("the commit of what is new holds\n%s", grown)
	}
	commit()
	if n := strings.TrimSpace(git("rev-list", "--count", "HEAD")); n != "3" {
		t.Errorf("there are %s commits", n)
	}
}
