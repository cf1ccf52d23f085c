package main

import (
	"encoding/json"
	"os"
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
	s.passes(s.vault, append(flags, "--plan", file)...)
	text, err := os.ReadFile(file)
	s.check(err)
	var plan extract.Plan
	s.check(json.Unmarshal(text, &plan))
	succeeds(s.t, s.config, "apply", file, "--vault", s.vault, "--state", s.vault+".state")
	return plan, string(text)
}

func TestRerenderingIsPlanned(t *testing.T) {
	t.Parallel()
	s := newRewording(t)
	if r, _, _ := s.pass(s.vault); r.Notes.Created == 0 {
		t.Fatal("nothing was created")
	}
	s.rewords()
	first, text := s.plan("--templates", ownFolder)
	if len(first.Settings) != 1 || !strings.Contains(text, "Worked on") || !strings.Contains(text, "Tested.") {
		t.Errorf("the plan lacks the setting, the new words or what is new: %+v\n%s", first.Settings, text)
	}
	s.shows(alpha, "Worked on", "Tested.")
	second, _ := s.plan()
	if len(second.Targets)+len(second.Settings) > 0 {
		t.Errorf("there is a second plan: %+v", second.Targets)
	}
	now := walk(t, s.vault)
	s.staysTheSame("a plan carried out", s.vault, exitDone, now)
	s.survivesItsLedger("a plan carried out", exitDone, now)
}
