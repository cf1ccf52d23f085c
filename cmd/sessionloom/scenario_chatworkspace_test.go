package main

import (
	"os"
	"strings"
	"testing"
)

// A storage that does not tell its folder for a while takes no chat out of its
// project, neither with the ledger nor without.
func TestChatWhoseStorageForgetsItsFolder(t *testing.T) {
	for name, folder := range map[string]string{"of a repository": widget, "of a folder": latency} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			w := s.edition("Code").opens(folder)
			a := w.chat(alpha).asks("Write a parser").edits("parse.go").says("Written.")
			a.remembers("plan.md", "- [ ] Publish it\n")
			b := w.chat(beta).asks("What is a parser?").says("A reader of text.")
			s.sync("two chats")
			at, other := s.note(alpha), s.note(beta)
			workspace := w.path("workspace.json")
			text, err := os.ReadFile(workspace)
			s.check(err)
			s.check(os.Remove(workspace))
			s.lasting = true
			stays := func(happened string) {
				t.Helper()
				s.sync(happened)
				s.survivesItsLedger(happened, exitDone, walk(t, s.vault))
				if s.note(alpha) != at || s.note(beta) != other {
					t.Errorf("%s: the notes are %q and %q, were %q and %q", happened, s.note(alpha), s.note(beta), at, other)
				}
			}
			stays("the storage does not tell its folder")
			a.asks("Test it").edits("parse_test.go").says("Tested.")
			b.asks("And a lexer?").says("A reader of letters.")
			stays("the chats go on")
			s.shows(alpha, "Tested.")
			s.put(workspace, "{")
			if _, _, code := s.pass(s.vault); code != exitPartial || s.note(alpha) != at {
				t.Errorf("the file is torn: exit code %d, the note is %q", code, s.note(alpha))
			}
			s.put(workspace, strings.TrimSpace(string(text)))
			s.lasting = false
			stays("the file is back")
		})
	}
}

// What the storage told when a chat was read stays, though the files of the chat
// alone would tell another folder.
func TestFolderIsRemembered(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	w := s.edition("Code").opens(latency)
	a := w.chat(alpha).asks("Write a parser").edits("cmd/parse.go").says("Written.")
	s.sync("a chat")
	at, text := s.note(alpha), s.noteText(alpha)
	s.check(os.Remove(w.path("workspace.json")))
	for n := range 2 {
		if _, _, code := s.pass(s.vault); code != exitDone || s.note(alpha) != at {
			t.Errorf("exit code %d, the note is %q, was %q", code, s.note(alpha), at)
		}
		if d := hunks(t, text, s.noteText(alpha)); n == 0 && d != "" {
			t.Errorf("the note changed:\n%s", d)
		}
		a.asks("Test it").edits("cmd/parse_test.go").says("Tested.")
	}
	s.shows(alpha, "Tested.", "cmd/parse_test.go")
}
