package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// theirsStands expects every file of the human as it was.
func (s *scenario) theirsStands() {
	s.t.Helper()
	now := walk(s.t, s.vault)
	for path, text := range s.theirs {
		if now[path].text != text {
			s.t.Errorf("%s was touched:\n%s", path, now[path].text)
		}
	}
}

// Where the managed folder is the whole vault, most notes are not ours, many have
// an id of their human's, and some are in no state to be read.
func TestWholeVault(t *testing.T) {
	s := newScenario(t)
	s.check(os.RemoveAll(s.vault))
	s.folder, s.brief, s.theirs = ".", true, map[string]string{
		".obsidian/app.json":    "{}",
		"journal/2026-03-02.md": "A day of mine.\n",
		"_templates/day.md":     "---\nid: \"day:{{date}}\"\n---\n",
		"home.md":               "---\nid: home\ntype: home\n---\n",
		"projects/widget.md":    "---\nid: project:widget\n---\n",
	}
	for i := range 300 {
		text := fmt.Sprintf("---\nid: 2026%04d\ntype: session\n---\n# Note %d\n\n- [ ] a task #tag\n", i, i)
		switch i % 4 {
		case 1:
			text = "\ufeff---\r\nid: [\r\n" + text
		case 2:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		s.theirs[fmt.Sprintf("Notes/%02d/Note %d.md", i%7, i)] = text
	}
	s.furnish(s.vault)
	s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	if r := s.sync("a session"); len(r.Kept) > 0 || len(r.Problems) > 0 {
		t.Errorf("kept %v, problems %v", r.Kept, r.Problems)
	}
	s.theirsStands()
	s.shows(alpha, "[[journal/2026-03-02 (agents)|Mon 2 Mar 2026]]")

	s.theirs["Notes/00/Note 0.md"] += "More.\n"
	s.check(os.WriteFile(filepath.Join(s.vault, "Notes", "00", "Note 0.md"), []byte(s.theirs["Notes/00/Note 0.md"]), 0o600))
	for i := range 25 { // many of theirs, none of ours: no accident
		name := fmt.Sprintf("Notes/%02d/Note %d.md", (i+100)%7, i+100)
		delete(s.theirs, name)
		s.check(os.Remove(filepath.Join(s.vault, filepath.FromSlash(name))))
	}
	s.begins(beta, widget).asks("Test it").says("Tested.").leaves()
	s.sync("notes of theirs change and go, a session comes")
	s.theirsStands()
	s.userMoves(alpha, "_archive/parser.md")
	r := s.sync("a note of ours is put among the archived")
	if len(r.Kept) != 1 || r.Kept[0].Note != "_archive/parser.md" || !s.has(alpha) {
		t.Errorf("kept %v", r.Kept)
	}

	for _, folder := range []string{"projects", "journal"} { // another tool's archive of all pages: no second notes
		copyTree(t, filepath.Join(s.vault, folder), filepath.Join(s.vault, "_archives", "2026-03-04", folder))
	}
	s.lasting = true
	if r := s.sync("all pages are archived"); len(r.Changed) > 0 || len(r.Kept) > 0 {
		t.Errorf("the archive was taken for notes: %v, %v", r.Changed, r.Kept)
	}
}
