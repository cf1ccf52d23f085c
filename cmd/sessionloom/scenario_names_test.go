package main

import (
	"path"
	"strings"
	"testing"
	"time"
)

// named expects the note of a session at a name.
func (s *scenario) named(id, want string) {
	s.t.Helper()
	if got := path.Base(s.note(id)); got != want {
		s.t.Errorf("the note of %s is called %q, want %q", id, got, want)
	}
}

// Two sessions of the same minute that begin with the same words are distinguished, both of
// them, and only for as long as there are two.
func TestEqualNames(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Write a parser").edits("parser.go").says("Written.")
	s.later(time.Hour)
	s.sync("one session")
	s.named(alpha, "2026-03-02 0901 Write a parser.md")
	s.userEdits(alpha, "%% sessionloom facts", "Mine.\n\n%% sessionloom facts")
	s.clock = a.began.Add(-time.Minute)
	b := s.begins(beta, widget).asks("Write a parser").edits("parser.go").says("Another one.")
	s.later(2 * time.Hour)
	s.sync("another of the same minute and words")
	s.named(alpha, "2026-03-02 0901 Write a parser (7da88845).md")
	s.named(beta, "2026-03-02 0901 Write a parser (ceddace2).md")
	s.shows(alpha, "Mine.\n")
	s.shows("home", "Write a parser (7da88845)", "Write a parser (ceddace2)")
	b.isCalled("Owls at night", false)
	s.sync("the other gets a title")
	s.named(alpha, "2026-03-02 0901 Write a parser.md")
	s.named(beta, "2026-03-02 0901 Owls at night.md")
	s.hides("home", "(7da88845)", "(ceddace2)")
}

// Where the user put one of two notes of equal names, it stays.
func TestEqualNamesAfterAMove(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.sync("one session")
	s.userMoves(alpha, path.Dir(s.note(alpha))+"/My parser.md")
	s.clock = a.began.Add(-time.Minute)
	s.begins(beta, widget).asks("Write a parser").says("Another one.")
	s.later(time.Hour)
	s.sync("another of the same minute and words")
	s.named(alpha, "My parser.md")
	s.named(beta, "2026-03-02 0901 Write a parser.md")
}

// A note whose name a file of its user has gets the name once that file is gone.
func TestNameThatAFileHas(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.sync("one session")
	s.clock = a.began.Add(-time.Minute)
	s.foreign(path.Dir(s.note(alpha))+"/2026-03-02 0901 Write A Table.md", "mine\n")
	s.begins(beta, widget).asks("Write a table").says("Another one.")
	s.later(time.Hour)
	s.sync("another, whose name is taken")
	s.named(beta, "2026-03-02 0901 Write a table (ceddace2).md")
	s.userRemoves(path.Dir(s.note(alpha)) + "/2026-03-02 0901 Write A Table.md")
	s.foreign(path.Dir(s.note(alpha))+"/2026-03-02 0901 Write a table.md/mine.md", "mine\n")
	s.sync("a folder has it instead")
	s.named(beta, "2026-03-02 0901 Write a table (ceddace2).md")
	s.userRemoves(path.Dir(s.note(alpha)) + "/2026-03-02 0901 Write a table.md/mine.md")
	s.userRemoves(path.Dir(s.note(alpha)) + "/2026-03-02 0901 Write a table.md")
	s.sync("the folder is gone")
	s.named(beta, "2026-03-02 0901 Write a table.md")
}

// Names keep the zone in which the vault was made.
func TestNamesKeepTheirZone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.vault += "2"
	succeeds(t, "timezone: Asia/Tokyo\n", append([]string{"sync", "--create"}, s.flags(s.vault)...)...)
	s.named(alpha, "2026-03-02 1801 Write a parser.md")
	marker := "Agents/.sessionloom/vault.yaml"
	s.userChanges(marker, func(text string) string {
		return strings.Replace(text, "  timezone: \"Asia/Tokyo\"", "  timezone: \"UTC\"", 1)
	})
	s.rests()
	s.passes(s.vault)
	s.named(alpha, "2026-03-02 1801 Write a parser.md")
	s.shows(alpha, "created: 2026-03-02T09:01")
}
