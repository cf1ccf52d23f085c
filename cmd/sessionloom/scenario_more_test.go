package main

import (
	"testing"
	"time"
)

// A fork of a fork, and the rewinds of those it came from.
func TestForkOfAFork(t *testing.T) {
	s := newScene(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Search for the manual").says("Three options.").asks("More").says("Five options.")
	b := a.forks(beta).asks("Try stemming").says("Not worth it.")
	s.sync("a fork")
	c := b.forks(gamma).asks("Try synonyms").says("Worth it.")
	s.sync("a fork of it")
	s.says(gamma, `parent_id: "`+beta+`"`, "turn_count: 1")
	c.asks("And both").says("Too much.")
	b.asks("Sure?").says("Sure.")
	s.sync("both go on")
	s.saysNot(gamma, "Not worth it.", "Sure?")
	a.rewindsTo(1)
	a.asks("Only three").says("Three it is.")
	s.sync("the first parent is rewound to before the fork")
	s.says(beta, "turn_count: 2")
	b.rewindsTo(3) // two of them its parent's
	b.asks("Try again").says("Tried again.")
	s.sync("the fork is rewound too")
	s.says(beta, "turn_count: 2", "Try again")
	s.saysNot(beta, "Sure?")
}

// What a pass was told to leave out, the next one takes in.
func TestScope(t *testing.T) {
	s := newScene(t)
	a := s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.")
	b := s.begins(beta, latency).asks("Measure it").edits("bench.go").says("Measured.")
	s.pass(s.vault, "--project", "latency*")
	if s.has(alpha) || !s.has(beta) {
		t.Error("a pass for one project wrote another one's notes, or none")
	}
	s.sync("all projects")
	a.asks("Go on").says("Gone on.")
	b.asks("Go on").says("Gone on.")
	s.pass(s.vault, "--exclude-project", "latency*")
	s.says(alpha, "Gone on.")
	s.saysNot(beta, "Gone on.")
	s.sync("all projects again")
	s.says(beta, "Gone on.")
}

// A session that works in another folder after a resume stays in its project.
func TestResumedElsewhere(t *testing.T) {
	s := newScene(t)
	a := s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.").leaves()
	s.sync("in its project")
	a.cwd = latency
	a.resumes().asks("Measure it").edits("bench.go").says("Measured.")
	s.sync("resumed in another folder")
	a.later(time.Hour)
	a.resumes()
	s.sync("resumed once more")
}

// A log that its user emptied by hand takes no words from the note.
func TestEmptiedLog(t *testing.T) {
	s := newScene(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.sync("a session")
	s.later(time.Minute)
	s.write(a.path("events.jsonl"), "")
	s.lasting = true
	s.sync("its log is emptied")
	s.says(alpha, "Written.")
	a.resumes().asks("Go on").says("Gone on.")
	s.sync("it goes on")
}
