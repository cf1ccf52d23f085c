package main

import (
	"strings"
	"testing"
	"time"
)

// What was taken back is gone from the notes, although the store keeps its rows,
// and the log is another file with the same lines in another spelling.
func TestRewind(t *testing.T) {
	s := newScene(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Add a rate limit").edits("limit.go").says("Added.")
	a.asks("Use Redis").edits("redis.go").commits("0dead00", "use redis").says("It is on Redis.")
	s.sync("two turns, the second a mistake")
	s.says(alpha, "redis.go", "0dead00")
	a.rewindsTo(1)
	s.sync("rewound to the first")
	s.saysNot(alpha, "edis", "0dead00")
	a.asks("No Redis, a token bucket").edits("bucket.go").says("A bucket it is.")
	s.sync("another second turn")
	a.leaves()
	s.sync("the process ends")
	s.saysNot(alpha, "edis.go", "0dead00", "It is on Redis.")
}

// The number of a checkpoint that was taken back is given to another one.
func TestRewoundCheckpoint(t *testing.T) {
	s := newScene(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.").compacts("Parser written", "It reads.", "Docs")
	a.asks("Rewrite it in Rust").says("Rewritten.").compacts("Rust rewrite", "It is in Rust.", "Learn Rust")
	s.sync("two checkpoints")
	a.rewindsTo(1)
	s.sync("the second is taken back")
	a.asks("Write the docs").says("Written.").compacts("Docs written", "The docs are there.", "Publish")
	s.sync("a second one again, another")
	s.says("checkpoint:"+alpha+":2", "Docs written")
	s.saysNot("checkpoint:"+alpha+":2", "Rust")
	s.rows.reindexes(a, "Write a parser", "Write the docs", "Write the docs")
	a.later(time.Minute)
	s.sync("reindexed: blank titles, shifted turns")
	s.says("checkpoint:"+alpha+":2", "Docs written")
}

// A fork shows what is its own. What it got from its parent is linked until it
// changes it; neither takes anything from the other afterwards.
func TestFork(t *testing.T) {
	s := newScene(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Search for the manual").edits("search.js").says("Three options.")
	a.plans("# Search\n\n- [x] Options\n- [ ] Index\n").saves("options.md", "# Options\n\nOne, two, three.\n")
	a.compacts("Options found", "Three options for a search.", "Choose one")
	s.sync("the parent")
	b := a.forks(beta)
	r := s.sync("forked, nothing said")
	if r.Sessions.Empty != 1 {
		t.Errorf("%d sessions are empty, want the fork", r.Sessions.Empty)
	}
	b.asks("Try stemming").edits("stem.js").says("Not worth it.")
	s.sync("the fork goes its own way")
	s.says(beta, "turn_count: 1", "parent_id: \""+alpha+"\"", "Try stemming")
	s.saysNot(beta, "Three options.", "search.js", "checkpoint_count")
	b.plans("# Search\n\n- [x] Options\n- [ ] Measure stemming\n")
	s.sync("the fork changes the plan")
	s.says("memory:"+beta+":plan", "Measure stemming")
	s.saysNot("memory:"+alpha+":plan", "Measure stemming")
	a.asks("Take the first").edits("index.js").says("Taken.").plans("# Search\n\n- [x] Options\n- [x] Index\n")
	s.sync("the parent goes on")
	s.saysNot(beta, "Take the first")
	b.compacts("Stemming tried", "Stemming is not worth it.", "Forget it")
	b.leaves()
	s.sync("the fork gets a checkpoint of its own")
	s.says(beta, "checkpoint_count: 1")
	b.isDeleted()
	s.lasting = true
	s.sync("the fork is deleted")
	a.isDeleted()
	s.sync("the parent too")
}

// A parent that was deleted before the first pass leaves a fork that says so.
func TestOrphanedFork(t *testing.T) {
	s := newScene(t)
	a := s.begins(alpha, widget).asks("Search for the manual").says("Three options.").saves("options.md", "One, two.\n")
	b := a.forks(beta).asks("Try stemming").says("Not worth it.")
	a.isDeleted()
	s.sync("only the fork is there")
	s.says(beta, "a session that is not here", "turn_count: 1")
	b.asks("Sure?").says("Sure.")
	s.sync("it grows")
}

// A deleted session keeps its note; one of which only rows were ever seen makes
// none unless asked for.
func TestDelete(t *testing.T) {
	s := newScene(t)
	s.keepsStore()
	s.lasting = true
	a := s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.").leaves()
	b := s.begins(beta, widget).asks("An angry letter").says("Written.").leaves()
	s.begins(gamma, widget).asks("Which folder is this?").says("The widget.").leaves()
	b.isDeleted()
	r := s.sync("one was deleted before the first pass")
	if r.StoreOnly != 1 {
		t.Errorf("%d sessions of rows only, want 1", r.StoreOnly)
	}
	note := s.noteText(alpha)
	a.isDeleted()
	s.sync("one is deleted after it was seen")
	if now := s.noteText(alpha); now != note {
		t.Errorf("the note of a deleted session changed:\n%s", hunks(t, note, now))
	}
	for path, f := range s.last {
		if strings.Contains(f.text, "angry") {
			t.Errorf("%s tells of a deleted session", path)
		}
	}
}

// What only rows know is written where the user asks for it.
func TestStoreOnly(t *testing.T) {
	s := newScene(t)
	s.keepsStore()
	s.config = "sources: {copilot_cli: {store_only: write}}\n"
	a := s.begins(alpha, widget).asks("An old question").edits("parse.go").says("An old answer.").leaves()
	a.isDeleted()
	s.sync("only rows are left")
	s.says(alpha, "An old answer.", "only the store's rows are left")
	s.rows.reindexes(a, "An old question", "A question that was lost")
	s.sync("the -wal gets another row")
	s.says(alpha, "A question that was lost")
}

// Layouts of old versions of the CLI, and a session that lived through them.
func TestOldLayouts(t *testing.T) {
	s := newScene(t)
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
	s.says(beta, "The oldest answer.")
	s.saysNot(alpha, "current_datetime")
	a.write(a.path("events.jsonl"), s.text(flat))
	a.name = "Write a parser"
	a.workspace()
	a.asks("Go on in a newer version").says("Gone on.")
	s.sync("the folder appears and wins")
	s.says(alpha, "turn_count: 2")
	s.remove(flat)
	s.sync("the old file goes")
}

// The store appears when a newer version of the CLI is installed, and its rows
// change nothing of what the log knows better.
func TestLateStore(t *testing.T) {
	s := newScene(t)
	a := s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.")
	s.sync("no store")
	s.keepsStore()
	s.rows.session(a)
	s.rows.reindexes(a, "Write a parser")
	s.sync("the store appears")
	a.asks("Go on").says("Gone on.")
	a.leaves()
	s.sync("the session goes on")
	s.says(alpha, "turn_count: 2", "Written.")
}
