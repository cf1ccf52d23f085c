package main

import (
	"os"
	"strings"
	"testing"
)

// What a person changes in our own text stays, and what is new comes in around
// it. Where both changed one place it is reported once.
func TestEditsInOurText(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Plan the release").says("First the changelog.\n\nThen the tag.").notes("Changelog", "pending", "Tag it", "pending")
	s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("two sessions")
	s.userEdits(alpha, "> Then the tag.\n", "> Then the tag, **signed**.\n\nI asked Ann: she agrees.\n")
	s.userEdits(alpha, "> First the changelog.\n>\n", "")
	s.sync("a line changed, a paragraph added, one deleted")
	a.asks("Go on").says("Gone on.").notes("Changelog", "pending", "Tag it", "pending")
	if r := s.sync("it grows"); r.Notes.Merged != 1 || len(r.Kept) > 0 {
		t.Errorf("merged %d, kept %v", r.Notes.Merged, r.Kept)
	}
	s.shows(alpha, "> Then the tag, **signed**.\n\nI asked Ann: she agrees.\n", "Gone on.", "2 prompts")
	s.hides(alpha, "First the changelog")

	s.userEdits(alpha, "- [ ] Changelog", "- [x] Changelog")
	s.sync("the user ticks a box")
	a.notes("Changelog", "done", "Tag it", "pending")
	if r := s.sync("the agent did it too"); len(r.Kept) > 0 {
		t.Errorf("kept %v", r.Kept)
	}
	s.shows(alpha, "## Done\n\n- ☑ Changelog\n", "- [ ] Tag it")

	s.userEdits(alpha, "# Plan the release\n", "# The release, as I planned it\n")
	s.sync("another heading")
	a.isCalled("Release of the widget", true)
	if r := s.sync("the agent has another, too"); len(r.Kept) != 1 || r.Notes.Kept != 1 {
		t.Errorf("kept %v", r.Kept)
	}
	s.shows(alpha, "# The release, as I planned it\n", `title: "Release of the widget"`)
	a.asks("And on").says("On.")
	if r := s.sync("it grows, the heading is no news"); len(r.Kept) > 0 || r.Notes.Merged != 1 {
		t.Errorf("told again of %v, merged %d", r.Kept, r.Notes.Merged)
	}
	s.shows(alpha, "# The release, as I planned it\n", "> On.", "I asked Ann")
	a.isCalled("Widget 1.0", true)
	if r := s.sync("a third heading"); len(r.Kept) != 1 {
		t.Errorf("kept %v", r.Kept)
	}
	s.userEdits(alpha, "# The release, as I planned it\n", "# Plan the release\n")
	s.sync("the user gives way")
	s.shows(alpha, "# Widget 1.0\n", "I asked Ann")
}

// What was taken out of a note stays out: lines, the links, all of our text.
func TestTextTakenOut(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Plan the release").says("Planned.")
	b := s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("two sessions")
	_, links, _ := strings.Cut(s.noteText(alpha), "%% sessionloom nav")
	links, _, _ = strings.Cut(links, "%% sessionloom facts")
	s.userEdits(alpha, "%% sessionloom nav"+links, "")
	_, body, _ := strings.Cut(s.noteText(beta), "# Test it")
	body, _, _ = strings.Cut(body, "%% /sessionloom body")
	s.userEdits(beta, "# Test it"+body, "")
	s.sync("the links of one and the text of the other are gone")
	a.asks("Go on").says("Gone on.")
	b.asks("Go on").says("Gone on.")
	s.begins(gamma, widget).asks("Ship it").says("Shipped.")
	if r := s.sync("both grow, another follows"); len(r.Kept) > 0 {
		t.Errorf("kept %v", r.Kept)
	}
	s.shows(alpha, "> Gone on.")
	s.hides(alpha, "sessionloom nav", "Ship it")
	s.hides(beta, "> Gone on.", "Test it\n\n")
	s.shows(beta, "turn_count: 2", "Ship it")
}

// Without what we last wrote (the ledger is lost) an edited text cannot be
// merged: it stays, until there is a common version again.
func TestEditsAndALostLedger(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Plan the release").says("Planned.")
	b := s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("two sessions")
	s.userEdits(alpha, "> Planned.\n", "> Planned, by me.\n")
	s.userEdits(beta, "> Tested.\n", "> Tested, by me.\n")
	s.check(os.RemoveAll(s.vault + ".state"))
	a.asks("Go on").says("Gone on.")
	if r := s.sync("both are edited, one grows, the ledger is lost"); len(r.Kept) != 1 {
		t.Errorf("kept %v", r.Kept)
	}
	s.hides(alpha, "> Gone on.")
	b.asks("Go on").says("Gone on.")
	if r := s.sync("the other grows"); r.Notes.Merged != 1 {
		t.Errorf("what did not change meanwhile is not merged: %+v", r.Notes)
	}
	s.shows(beta, "> Tested, by me.\n", "> Gone on.")
}
