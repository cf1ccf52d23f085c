package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// userCopies leaves a second file with the text of a note, as a sync program
// does when two machines saved it.
func (s *scenario) userCopies(id, to string) {
	s.t.Helper()
	text := s.noteText(id)
	s.lasting = true
	s.check(os.WriteFile(filepath.Join(s.vault, filepath.FromSlash(to)), []byte(text+"\nfrom the other machine\n"), 0o600))
}

// Two notes with one id are told of and left alone; when one is gone the other
// lives on. Files that only look like copies of notes are nobody's business.
func TestSyncConflictCopies(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("two sessions")
	first := s.note(alpha)
	s.unsound = []string{"duplicate-id"}
	folder := filepath.ToSlash(filepath.Dir(first))
	for i, name := range []string{
		"A.sync-conflict-20260302-091500-ABCDEFG.md", "A (Ada's conflicted copy 2026-03-02).md", "A (Conflicted copy ada 202603020915).md",
	} {
		copied := folder + "/" + name
		s.userCopies(alpha, copied)
		a.asks("Go on").says("Gone on.")
		r := s.sync("a copy is left by a sync program, number " + string(rune('1'+i)))
		if len(r.Kept) != 1 || r.Kept[0].Note != first || !strings.Contains(r.Kept[0].Reason, "sync program") {
			t.Errorf("%s: kept %+v", name, r.Kept)
		}
		s.shows("home", trimMD(first)) // the links do not go to the copy, though its name is shorter
		s.check(os.Remove(filepath.Join(s.vault, filepath.FromSlash(copied))))
		r = s.sync("the copy is gone, number " + string(rune('1'+i)))
		if len(r.Kept) > 0 || r.Notes.Updated == 0 {
			t.Errorf("%s: the note does not live on: %+v", name, r)
		}
	}
	text := s.noteText(alpha)
	for _, name := range []string{".md.orig", ".md.bak", ".md~", ".txt"} {
		s.check(os.WriteFile(filepath.Join(s.vault, filepath.FromSlash(strings.TrimSuffix(first, ".md")+name)), []byte(text), 0o600))
	}
	a.asks("And on").says("On.")
	if r := s.sync("files of other kinds beside it"); len(r.Kept) > 0 {
		t.Errorf("kept %+v", r.Kept)
	}
}

func trimMD(path string) string { return strings.TrimSuffix(path, ".md") }
