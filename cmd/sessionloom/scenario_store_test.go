package main

import (
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A deleted session keeps its note; one of which only rows were ever seen makes
// none unless asked for.
func TestDelete(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	s.lasting = true
	a := s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.").leaves()
	b := s.begins(beta, widget).asks("An angry letter").says("Written.").leaves()
	s.begins(gamma, widget).asks("Which folder is this?").says("The widget.").leaves()
	b.isDeleted()
	r := s.sync("one was deleted before the first pass")
	expect.Is(t, r.StoreOnly, 1, "sessions of rows only")
	note := s.noteText(alpha)
	a.isDeleted()
	s.sync("one is deleted after it was seen")
	if now := s.noteText(alpha); now != note {
		t.Errorf("the note of a deleted session changed:\n%s", hunks(t, note, now))
	}
	for path, f := range s.last {
		expect.Lacks(t, f.text, "angry", path, "tells of a deleted session")
	}
}

// What only rows know is written where the user asks for it.
func TestStoreOnly(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	s.config = "sources: {copilot_cli: {store_only: write}}\n"
	a := s.begins(alpha, widget).asks("An old question").edits("parse.go").says("An old answer.").leaves()
	a.isDeleted()
	s.sync("only rows are left")
	s.shows(alpha, "An old answer.", "only the store's rows are left")
	s.rows.reindexes(a, "An old question", "A question that was lost")
	s.sync("the -wal gets another row")
	s.shows(alpha, "A question that was lost")
}

// What the agent keeps of a repository is a note of its project; how often it is
// read changes nothing, and a text that is gone from the store stays.
func TestRepositoryMemory(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	add := "INSERT INTO dynamic_context_items (repository, branch, src, name, description, content) VALUES ('octo-org/widget', 'main', 'agent', ?, ?, ?)"
	s.rows.exec(add, "build", "How to build", "Run `make all`, never `make`.")
	s.rows.exec(add, "tests", "", "Tests need -race.")
	s.sync("two memories")
	s.rows.exec("UPDATE dynamic_context_items SET read_count = read_count + 5, count = 9")
	s.sync("they were read")
	s.rows.exec("UPDATE dynamic_context_items SET content = 'Run `make`.' WHERE name = 'build'")
	s.sync("one was changed")
	s.rows.exec("DELETE FROM dynamic_context_items WHERE name = 'tests'")
	s.lasting = true
	s.sync("one is gone")
}

// The store appears when a newer version of the CLI is installed, and its rows
// change nothing of what the log knows better.
func TestLateStore(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.")
	s.sync("no store")
	s.keepsStore()
	s.rows.session(a)
	s.rows.reindexes(a, "Write a parser")
	s.sync("the store appears")
	a.asks("Go on").says("Gone on.")
	a.leaves()
	s.sync("the session goes on")
	s.shows(alpha, "turn_count: 2", "Written.")
}

// Layouts of old versions of the CLI, and a session that lived through them.
func TestOldLayouts(t *testing.T) {
	s := newScenario(t)
	s.write("history-session-state/session_"+beta+"_1741000000000.json", encode(t, fields{
		"sessionId": beta, "startTime": "2025-10-01T08:00:00Z", "selectedModel": "gpt-5",
		"timeline": []any{
			fields{"type": "user", "text": "The oldest prompt", "timestamp": "2025-10-01T08:00:10Z", "id": "1"},
			fields{"type": "copilot", "text": "The oldest answer.", "timestamp": "2025-10-01T08:00:20Z", "id": "2"},
		},
		"chatMessages": []any{},
	}))
	a := &talk{history: s.history, uuid: alpha, cwd: widget, began: s.clock}
	flat := "session-state/" + alpha + ".jsonl"
	s.extend(flat, s.event("session.start", "", fields{"sessionId": alpha, "startTime": s.clock, "context": workplace(widget)}))
	s.extend(flat, s.event("user.message", "", fields{"content": "Write a parser\n\n<current_datetime>2025-12-01</current_datetime>"}))
	s.extend(flat, s.event("assistant.message", "", fields{"messageId": "m", "content": "Written.", "toolRequests": []any{}}))
	s.sync("a file and an older file")
	s.shows(beta, "The oldest answer.")
	s.hides(alpha, "current_datetime")
	a.write(a.path("events.jsonl"), s.text(flat))
	a.name = "Write a parser"
	a.workspace()
	a.asks("Go on in a newer version").says("Gone on.")
	s.sync("the folder appears and wins")
	s.shows(alpha, "turn_count: 2")
	s.remove(flat)
	s.sync("the old file goes")
}
