package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// settingOfVault changes a setting that all machines share, as its owner does in
// an editor.
func (s *scene) settingOfVault(key, value string) {
	s.t.Helper()
	file := filepath.Join(s.vault, "Agents", ".sessionloom", "vault.yaml")
	text, err := os.ReadFile(file)
	s.check(err)
	line := "  " + key + ": \"" + value + "\"\n"
	if strings.Contains(string(text), "settings: {}") {
		s.check(os.WriteFile(file, []byte(strings.Replace(string(text), "settings: {}\n", "settings:\n"+line, 1)), 0o600))
		return
	}
	s.check(os.WriteFile(file, append(text, line...), 0o600))
}

// With `follow: vault` a note is kept up to date wherever its user takes it, is
// deleted where it is deleted, and comes home.
func TestFollowedNotes(t *testing.T) {
	s := newScene(t)
	a := s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.").notes("Tag it", "pending")
	s.begins(beta, widget).asks("Test it").edits("parse.go").says("Tested.")
	s.settingOfVault("follow", "vault")
	s.sync("two sessions")
	s.userMoves(alpha, "Archive/2026/The parser.md")
	s.userEdits(alpha, "%% sessionloom:end body %%\n", "%% sessionloom:end body %%\n\nMy own words.\n")
	s.sync("moved out of the folder and written in")
	s.shows("home", "[[Archive/2026/The parser\\|Write a parser]]")
	s.shows(beta, "[[Archive/2026/The parser|Write a parser]]")
	a.asks("Go on").edits("lex.go").says("Gone on.")
	s.sync("it grows where it lies")
	if at := s.note(alpha); at != "Archive/2026/The parser.md" {
		t.Errorf("the note is at %s", at)
	}
	s.shows(alpha, "Gone on.", "My own words.", "turn_count: 2")
	s.userEdits(alpha, "- [ ] Tag it", "- [x] Tag it")
	s.sync("a box is ticked there")
	s.hides("threads", "Tag it")
	s.userMoves("home", "Start.md")
	s.sync("Home moves to the top")
	s.begins(gamma, widget).asks("Ship it").says("Shipped.")
	s.sync("a third session")
	s.shows("home", "Ship it")
	if at := s.note("home"); at != "Start.md" {
		t.Errorf("Home is at %s", at)
	}
	s.userMoves(alpha, "Agents/Favourites/The parser.md")
	s.sync("moved back")
	a.asks("And on").says("On.")
	s.sync("it grows at home")
	s.shows(alpha, "turn_count: 3", "My own words.")
	s.userMoves(beta, "Tests.md")
	s.sync("another one moves out")
	s.userDeletes(beta)
	if r := s.sync("and is deleted there"); r.Notes.Tombstoned != 1 {
		t.Errorf("%d notes are buried, want 1", r.Notes.Tombstoned)
	}
	s.hides("home", "Test it")
}
