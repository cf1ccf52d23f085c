package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The last line of a killed process is torn; it waits until it is whole.
func TestTornTail(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	line := s.event("user.message", "", fields{"content": "And a «test»"})
	a.extend(a.path("events.jsonl"), line[:len(line)/2])
	s.sync("torn in the middle of a line")
	s.hides(alpha, "And a")
	a.extend(a.path("events.jsonl"), line[len(line)/2:])
	a.says("Tested.")
	s.sync("the line is whole")
	s.shows(alpha, "turn_count: 2", "Tested.")
	a.extend(a.path("events.jsonl"), strings.Repeat("\x00", 300))
	s.sync("power is lost: zeros at the end")
	a.extend(a.path("events.jsonl"), "\n")
	a.asks("Once more").says("Done.")
	s.sync("the next process goes on behind them")
	s.shows(alpha, "turn_count: 3")
}

// A line that cannot be read is left out and told of.
func TestBadLine(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	a.extend(a.path("events.jsonl"), `{"type":"assistant.message","data":{"content":"half a li`+"\n")
	a.extend(a.path("events.jsonl"), `{"type":"session.from_the_future","data":{"x":1},"id":"9","timestamp":"2026-03-02T10:00:00Z"}`+"\n")
	a.asks("Go on").says("Gone on.")
	r := s.sync("a bad line in the middle, an unknown event")
	if len(r.Partial) != 1 || r.Sources[0].Unknown["session.from_the_future"] != 1 {
		t.Errorf("partial %v, unknown %v", r.Partial, r.Sources[0].Unknown)
	}
	s.shows(alpha, "Gone on.", "1 line could not be read")
	a.asks("And on").says("On.")
	s.sync("it grows")
	s.write(a.path("events.jsonl"), strings.Replace(a.text(a.path("events.jsonl")), `"half a li`+"\n", `"half a line"},"id":"7","timestamp":"2026-03-02T09:05:00Z"}`+"\n", 1))
	s.sync("the CLI repairs the line")
	s.hides(alpha, "could not be read")
}

// What cannot be read is named and tried again; the others continue.
func TestUnreadable(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	b := s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("all is well")
	note := s.noteText(alpha)
	log, saved := filepath.Join(s.home, a.path("events.jsonl")), filepath.Join(s.home, "aside")
	s.check(os.Rename(log, saved))
	s.check(os.Mkdir(log, 0o700))
	b.asks("Again").says("Tested again.")
	s.lasting = true // the note outlives its log for a while
	r := s.syncEnds(exitPartial, "a log is no file")
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Path, alpha) {
		t.Errorf("problems %v", r.Problems)
	}
	s.shows(beta, "Tested again.")
	if now := s.noteText(alpha); now != note {
		t.Errorf("the note of an unreadable session changed:\n%s", hunks(t, note, now))
	}
	s.check(os.Remove(log))
	s.check(os.Rename(saved, log))
	s.lasting = false
	a.asks("Still there?").says("Still here.")
	s.sync("it can be read again")
	s.shows(alpha, "Still here.")
}

// A store that is not a database costs nothing but what it alone knew.
func TestBrokenStore(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	s.sync("all is well")
	db, wal := s.text("session-store.db"), s.text("session-store.db-wal")
	s.later(time.Minute)
	s.write("session-store.db", "not a database at all, but long enough to be looked at"+strings.Repeat(".", 5000))
	s.remove("session-store.db-wal")
	s.rows = nil
	a.asks("Go on").says("Gone on.")
	s.syncEnds(exitPartial, "the store is broken")
	s.shows(alpha, "Gone on.")
	s.later(time.Minute)
	s.write("session-store.db", db)
	s.write("session-store.db-wal", wal)
	s.sync("it is back")
}

// Two sessions whose ids begin alike, and two that begin on one day with one
// prompt: every session has a note of its own.
func TestSameNames(t *testing.T) {
	s := newScenario(t)
	const copied = "aaaaaaaa-0001-4000-8000-000000000002"
	s.begins(alpha, widget).asks("Write a parser").says("One.")
	s.sync("the first")
	s.begins(copied, widget).asks("Write a parser").says("Two.")
	s.begins(beta, widget).asks("Write a parser").says("Three.")
	s.sync("its twins")
	s.shows(alpha, "One.")
	s.shows(copied, "Two.")
	s.shows(beta, "Three.")
}

// The project of a session becomes known when VS Code leaves its metadata.
func TestLateProject(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, `C:\WINDOWS\system32`).asks("Write a parser").says("Written.")
	s.sync("a junk folder is no project")
	s.later(time.Minute)
	s.write(a.path("vscode.metadata.json"), encode(t, fields{
		"repositoryProperties": fields{"repositoryPath": "/home/ada/src/widget", "branchName": "parser", "baseBranchName": "main"},
		"workspaceFolder":      fields{"folderPath": "/home/ada/src/widget", "timestamp": 1},
	}))
	s.sync("the project is known")
	s.shows(alpha, `branch: "parser"`)
}

// A log that its user emptied by hand takes no words from the note.
func TestEmptiedLog(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.sync("a session")
	s.later(time.Minute)
	s.write(a.path("events.jsonl"), "")
	s.lasting = true
	s.sync("its log is emptied")
	s.shows(alpha, "Written.")
	a.asks("Now test it").says("Tested.")
	s.sync("it goes on")
	s.shows(alpha, "Written.")
	s.shows(alpha, "Tested.")
}
