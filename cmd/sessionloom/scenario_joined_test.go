package main

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// lab is the key of the project of the folder latency.
const lab = "folder/latency-e3b399fc"

// joins has the vault say of projects which other one each of them is; nothing if there is none.
func (s *scenario) joins(projects ...string) {
	s.t.Helper()
	lasting := s.lasting
	s.userChanges("Agents/.sessionloom/vault.yaml", func(text string) string {
		text, _, _ = strings.Cut(text, "projects:\n")
		if len(projects) > 0 {
			text += "projects:\n"
		}
		for _, line := range projects {
			text += "  " + line + "\n"
		}
		return text
	})
	s.lasting = lasting // a setting is part of what a pass is given
}

// inFolder expects the note of a session in the folder of a project.
func (s *scenario) inFolder(id, project string) {
	s.t.Helper()
	if at := s.note(id); !strings.HasPrefix(at, "Agents/projects/"+project+"/") {
		s.t.Errorf("the note of %s is at %q, want it in %q", id, at, project)
	}
}

// A folder that its user says to be a repository is one project with it, from the start, later
// and by either of its names; where nobody says so any longer, they part.
func TestJoinedProjects(t *testing.T) {
	s := newScenario(t)
	s.joins(`"latency (e3b3)": "github.com/octo-org/widget"`)
	s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.")
	s.later(time.Hour)
	b := s.begins(beta, latency).asks("Measure it").edits("parse.go").says("Measured.").notes("Plot it", "pending")
	s.sync("a folder is a repository from the start")
	s.inFolder(beta, "widget (octo-org)")
	s.shows("file:github.com/octo-org/widget:parse.go", "Write a parser", "Measure it")
	s.joins(lab + ": github.com/octo-org/widget")
	if r := s.sync("it is named by its key"); len(r.Changed) > 0 {
		t.Errorf("another spelling changes %v", r.Changed)
	}
	b.asks("Once more").says("Measured again.")
	s.begins(gamma, latency+"/plots").asks("Draw it").says("Drawn.")
	s.sync("it goes on")
	s.joins()
	s.sync("they part")
	s.inFolder(beta, "latency (e3b3)")
	s.joins(lab+": folder/lab-00000000", "github.com/octo-org/widget: github.com/octo-org/renamed")
	r := s.sync("the repository has another name, a key is unknown")
	s.inFolder(alpha, "renamed (octo-org)")
	s.inFolder(beta, "latency (e3b3)")
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Error, `no project has the key or name "folder/lab-00000000"`) {
		t.Errorf("problems %v", r.Problems)
	}
	s.joins(lab+": github.com/octo-org/renamed", "github.com/octo-org/widget: "+lab)
	s.sync("one after the other")
	s.inFolder(alpha, "renamed (octo-org)")
	s.inFolder(beta, "renamed (octo-org)")
}

// What goes round in a circle joins nothing, and is told each time.
func TestJoinedInACircle(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.begins(beta, latency).asks("Measure it").says("Measured.")
	s.sync("two projects")
	s.joins(lab+": github.com/octo-org/widget", "github.com/octo-org/widget: "+lab)
	for range 2 {
		r := s.sync("each is the other")
		if len(r.Changed) > 0 || len(r.Problems) != 2 || !strings.Contains(r.Problems[0].Error, `"`+lab+`" is joined in a circle`) {
			t.Errorf("changed %v, problems %v", r.Changed, r.Problems)
		}
	}
	if _, stderr, _ := s.pass(s.vault); !strings.Contains(stderr, "in the setting projects of the vault") {
		t.Errorf("sync says %s", stderr)
	}
}

// Notes of a project that is joined later move with what their user did to them.
func TestJoinedLater(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, widget).asks("Write a parser").says("Written.")
	const moved = "Agents/Favourites/The plot.md"
	for i, id := range []string{beta, gamma, delta} {
		s.later(time.Hour)
		s.begins(id, latency).asks([]string{"Measure it", "Plot it", "Publish it"}[i]).edits("bench.go").says("Done.").plans("- [ ] Tell them\n")
	}
	s.sync("two projects")
	s.userEdits(beta, "%% sessionloom nav", "My own words.\n\n%% sessionloom nav")
	s.userEdits("project:"+lab, "%% sessionloom nav", "What it is about.\n\n%% sessionloom nav")
	s.userMoves(gamma, moved)
	s.userDeletes(delta)
	s.userDeletes("file:" + lab + ":bench.go")
	s.sync("their user was at work")
	s.joins(lab + ": github.com/octo-org/widget")
	s.sync("they are joined")
	s.inFolder(beta, "widget (octo-org)")
	s.shows(beta, "My own words.", " ¦ project github.com/octo-org/widget ¦", " ¦ joined "+lab+" ¦")
	s.shows("project:"+lab, "What it is about.")
	s.shows("home", "[[Agents/Favourites/The plot\\|Plot it]]")
	expect.Is(t, s.note(gamma), moved, "the note that its user moved is at")
	gone := func(happened string) {
		t.Helper()
		for path := range walk(t, s.vault) {
			if s.has(delta) || strings.HasSuffix(path, "bench.go.md") {
				t.Errorf("%s: what was deleted came back: %s", happened, path)
			}
		}
	}
	gone("joined")
	s.begins("eeeeeeee-0005-4000-8000-000000000005", widget).asks("Go on").edits("bench.go").says("Gone on.")
	s.sync("the repository goes on")
	gone("gone on")
	s.runs(exitDone, "restore", "file:github.com/octo-org/widget:bench.go", "session:"+delta)
	s.sync("they are asked back")
	s.inFolder(delta, "widget (octo-org)")
	s.shows("file:github.com/octo-org/widget:bench.go", "Go on", "Publish it")
	s.joins()
	s.sync("they part")
	s.inFolder(beta, "latency (e3b3)")
	s.shows(beta, "My own words.")
}

// A project that was forgotten stays so when it is joined, and takes nothing else along; and it
// can be forgotten by its own key while it is.
func TestForgottenAndJoined(t *testing.T) {
	for name, early := range map[string]bool{"forgotten first": true, "joined first": false} {
		t.Run(path.Base(name), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.")
			s.begins(beta, latency).asks("Measure the zanzibar").edits("parse.go").says("Measured.").plans("- [ ] Plot the zanzibar\n")
			s.sync("two projects")
			joined := lab + ": github.com/octo-org/widget"
			if !early {
				s.joins(joined)
				s.sync("they are joined")
			}
			s.forget(exitDone, "project:"+lab)
			s.lasting = true
			s.sync("the folder is forgotten")
			s.joins(joined)
			s.begins(gamma, latency).asks("Measure the zanzibar again").says("Measured.")
			s.sync("it is joined, and goes on")
			for path, f := range walk(t, s.vault) {
				expect.Lacks(t, path+f.text, "zanzibar", path, "tells of it")
			}
			if s.remembers("zanzibar") {
				t.Error("the ledger knows what was said")
			}
			s.shows(alpha, "Written.")
			s.runs(exitDone, "restore", "project:"+lab)
			s.lasting = false
			s.sync("it is asked back")
			s.inFolder(beta, "widget (octo-org)")
			s.inFolder(gamma, "widget (octo-org)")
			s.forget(exitDone, "project:github.com/octo-org/widget")
			s.lasting = true
			s.sync("all of it is forgotten")
			if s.has(alpha) || s.has(beta) || s.has(gamma) || s.remembers("zanzibar") {
				t.Error("something is left")
			}
		})
	}
}
