package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	sessionsBase  = "Agents/Sessions.base"
	latencyPage   = "project:folder/latency-e3b399fc"
	latencyCanvas = "Agents/projects/latency (e3b3)/latency (e3b3).canvas"
)

// userChanges changes a file of the vault that is not a note.
func (s *scenario) userChanges(path string, change func(string) string) {
	s.t.Helper()
	file := filepath.Join(s.vault, filepath.FromSlash(path))
	text, err := os.ReadFile(file)
	s.check(err)
	s.lasting = true
	s.check(os.WriteFile(file, []byte(change(string(text))), 0o600))
}

func (s *scenario) userRemoves(path string) {
	s.t.Helper()
	s.lasting = true
	s.check(os.Remove(filepath.Join(s.vault, filepath.FromSlash(path))))
}

func (s *scenario) restores(id string) {
	s.t.Helper()
	succeeds(s.t, "", "restore", id, "--vault", s.vault, "--state", s.vault+".state", "--no-defaults", "--copilot-home", s.home)
}

// A base is a place of its user's: views of theirs stay, a deleted one stays
// deleted and no page shows it any longer, until it is restored.
func TestBasesOfTheUser(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Plan the release").says("Planned.")
	s.sync("a session")
	s.userChanges(sessionsBase, func(text string) string { return text + "  - type: cards\n    name: Mine\n" })
	s.sync("a view of the user's")
	a.asks("Go on").says("Gone on.")
	s.sync("the session grows")
	if text := walk(t, s.vault)[sessionsBase].text; !strings.HasSuffix(text, "    name: Mine\n") {
		t.Errorf("the view of the user is gone:\n%s", text)
	}
	s.shows("home", "![["+sessionsBase+"#")
	s.userRemoves(sessionsBase)
	s.sync("the base is deleted")
	a.asks("And on").says("And on.")
	s.sync("the session grows again")
	if _, there := walk(t, s.vault)[sessionsBase]; there {
		t.Error("a deleted base came back")
	}
	s.hides("home", sessionsBase)
	s.restores("base:sessions")
	s.sync("it is asked back")
	s.shows("home", "![["+sessionsBase+"#")
	s.shows("project:github.com/octo-org/widget", "![["+sessionsBase+"#This project]]")
}

// A canvas follows its project while nobody touches it, and is its user's from then on: it neither
// changes nor comes back.
func TestCanvasOfTheUser(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, latency).asks("Measure it").says("Measured.").edits("a.go")
	s.begins(beta, latency).asks("Measure it again").says("Measured.").edits("a.go")
	s.sync("two sessions")
	if _, there := walk(t, s.vault)[latencyCanvas]; there {
		t.Error("there is a canvas of two sessions")
	}
	c := s.begins(gamma, latency).asks("Compare").says("Compared.")
	s.sync("a third")
	s.shows(latencyPage, latencyCanvas)
	c.asks("Go on").edits("a.go").notes("find out why", "pending").says("It is slower.")
	s.sync("a session grows")
	drawn := walk(t, s.vault)[latencyCanvas].text
	if !strings.Contains(drawn, "It is slower: `a.go`\\n\\n2 Mar 2026 · 1 open\"") || strings.Count(drawn, "fromNode") != 3 {
		t.Errorf("the canvas does not follow:\n%s", drawn)
	}
	s.userChanges(latencyCanvas, func(text string) string { return strings.Replace(text, `"x":0`, `"x":-4000`, 1) })
	moved := walk(t, s.vault)[latencyCanvas].text
	c.asks("And then?").says("Then it is faster.")
	if r := s.sync("a card is moved, a session grows"); len(r.Kept) > 0 {
		t.Errorf("a canvas of the user is named: %+v", r.Kept)
	}
	if now := walk(t, s.vault)[latencyCanvas].text; now != moved || now == drawn {
		t.Errorf("the canvas was written again:\n%s", now)
	}
	s.check(os.RemoveAll(s.vault + ".state"))
	c.asks("Sure?").says("Sure.")
	s.sync("the ledger is lost")
	if now := walk(t, s.vault)[latencyCanvas].text; now != moved {
		t.Errorf("the canvas was written again:\n%s", now)
	}
	s.userRemoves(latencyCanvas)
	c.asks("And on").says("And on.")
	s.sync("the canvas is deleted, the session grows")
	s.hides(latencyPage, ".canvas")
	s.restores("canvas:" + strings.TrimPrefix(latencyPage, "project:"))
	s.sync("it is asked back")
	s.shows(latencyPage, latencyCanvas)
}

// A canvas that is no longer wanted goes, and comes again with the sessions; where its user touched
// it, it stays.
func TestCanvasOfFewSessions(t *testing.T) {
	s := newScenario(t)
	s.brief = true
	for _, id := range []string{alpha, beta, gamma} {
		s.begins(id, latency).asks("Measure it " + id[:2]).says("Measured.")
	}
	s.sync("three sessions")
	s.userDeletes(gamma)
	s.sync("one is deleted")
	if _, there := walk(t, s.vault)[latencyCanvas]; there {
		t.Error("there is a canvas of two sessions")
	}
	s.hides(latencyPage, ".canvas")
	s.restores(gamma)
	s.shows(latencyPage, latencyCanvas)
	s.userChanges(latencyCanvas, func(text string) string { return text + "\n" })
	s.userDeletes(gamma)
	s.sync("it is deleted again, and the canvas was touched")
	if _, there := walk(t, s.vault)[latencyCanvas]; !there {
		t.Error("a canvas of the user is gone")
	}
}

// A deletion is seen even where the ledger is lost at the same time: the page still
// shows what is gone.
func TestDeletedViewsAndALostLedger(t *testing.T) {
	s := newScenario(t)
	s.brief = true
	for _, id := range []string{alpha, beta, gamma} {
		s.begins(id, latency).asks("Measure it " + id[:2]).says("Measured.")
	}
	s.sync("three sessions")
	s.userRemoves(sessionsBase)
	s.userRemoves(latencyCanvas)
	s.check(os.RemoveAll(s.vault + ".state"))
	s.sync("both are deleted, the ledger too")
	for _, path := range []string{sessionsBase, latencyCanvas} {
		if _, there := walk(t, s.vault)[path]; there {
			t.Errorf("%s came back", path)
		}
	}
}

// The count of open ends in the frontmatter follows the boxes as they stand.
func TestTickedBoxesAreCounted(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Plan the release").says("Planned.").notes("Changelog", "pending", "Tag it", "pending")
	s.sync("two things to do")
	s.shows(alpha, "\nopen_count: 2\n")
	s.shows("week:2026-W10", "Left open", "Changelog", "Tag it")
	s.shows("threads", "- [ ] Changelog", "- [ ] Tag it")
	s.userEdits(alpha, "- [ ] Changelog", "- [x] Changelog")
	s.sync("one is ticked")
	s.shows(alpha, "\nopen_count: 1\n")
	s.hides("threads", "Changelog")
	s.hides("week:2026-W10", "Changelog")
	s.shows("week:2026-W10", "Tag it")
	a.asks("Go on").says("Gone on.").notes("Changelog", "pending", "Tag it", "pending")
	s.sync("the session grows")
	s.shows(alpha, "\nopen_count: 1\n")
}

// A box that is ticked on a page of lists closes its thread: the notes of all sessions that told of it
// are ticked, also by a mark that a plugin signs, and it opens again where one of them is unticked.
func TestTicksOnPagesOfLists(t *testing.T) {
	s := newScenario(t)
	s.brief = true
	a := s.begins(alpha, widget).asks("Plan the release").says("Planned.").notes("Write the changelog", "pending")
	s.begins(beta, widget).asks("Go on with it").says("Half of it.").notes("write the changelog", "in_progress")
	s.sync("one thing in two sessions")
	s.shows("threads", "1 open", "- [ ] write the changelog")
	s.userEdits("threads", "- [ ] write the changelog", "- [x] write the changelog")
	s.sync("ticked on Open threads")
	s.shows(alpha, "- [x] Write the changelog", "\nturn_count: 1\n")
	s.shows(beta, "- [x] write the changelog")
	s.hides("threads", "changelog")
	s.hides("project:github.com/octo-org/widget", "- [x]")
	s.userEdits(beta, "- [x] write the changelog", "- [ ] write the changelog")
	s.sync("unticked in the newest session")
	s.shows("threads", "1 open", "- [ ] write the changelog")
	project := "project:github.com/octo-org/widget"
	s.userEdits(project, "- [ ] write the changelog", "- [x] write the changelog")
	s.userEdits(project, " ^open-", " ✅ 2026-11-22 ^open-")
	s.sync("ticked on the page of the project, as a plugin does")
	s.shows(beta, "- [x] write the changelog")
	s.hides(project, "- [ ] write the changelog")
	a.asks("And the rest?").says("Nothing is left.")
	s.sync("a session grows")
	s.hides("threads", "changelog")
}

// A box that is ticked in an older session is ticked in the newer one that tells of the same, and one
// that is unticked there stays so.
func TestTickInAnOlderSession(t *testing.T) {
	s := newScenario(t)
	s.brief = true
	s.begins(alpha, widget).asks("Plan the release").says("Planned.").notes("Write the changelog", "pending")
	s.begins(beta, widget).asks("Go on with it").says("Half of it.").notes("write the changelog", "in_progress")
	s.sync("one thing in two sessions")
	s.userEdits(alpha, "- [ ] Write the changelog", "- [x] Write the changelog")
	s.sync("ticked in the older session")
	s.shows(beta, "- [x] write the changelog")
	s.hides("threads", "changelog")
	s.userEdits(beta, "- [x] write the changelog", "- [ ] write the changelog")
	s.sync("unticked in the newer session")
	s.shows("threads", "- [ ] write the changelog")
}

// A tick stays on the page, and says so, where the note that would have to take it is gone.
func TestTickThatNoNoteTakes(t *testing.T) {
	s := newScenario(t)
	s.brief = true
	s.begins(alpha, widget).asks("Plan the release").says("Planned.").notes("write the changelog", "pending")
	s.sync("one thing")
	s.userMoves(alpha, "Elsewhere/mine.md")
	s.userEdits("threads", "- [ ] write", "- [x] write")
	s.sync("ticked, but the note lies elsewhere")
	s.shows("threads", "- [x] write the changelog", "ticked here")
}
