package main

import (
	"testing"
	"time"
)

// What was taken back is gone from the notes, although the store keeps its rows,
// and the log is another file with the same lines in another spelling.
func TestRewind(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Add a rate limit").edits("limit.go").says("Added.")
	a.asks("Use Redis").edits("redis.go").commits("0dead00", "use redis").says("It is on Redis.")
	s.sync("two turns, the second a mistake")
	s.shows(alpha, "redis.go", "0dead00")
	a.rewindsTo(1)
	s.sync("rewound to the first")
	s.hides(alpha, "edis", "0dead00")
	a.asks("No Redis, a token bucket").edits("bucket.go").says("A bucket it is.")
	s.sync("another second turn")
	a.leaves()
	s.sync("the process ends")
	s.hides(alpha, "edis.go", "0dead00", "It is on Redis.")
}

// A session that is rewound to its very start and begins with other words gets a
// note of that name, with what its user wrote in it.
func TestRewindToTheStart(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Draw an owl").edits("owl.go").says("Drawn.").compacts("Owl drawn", "It hoots.", "Wings")
	s.sync("the first words")
	a.rewindsTo(0)
	a.asks("Write a parser").edits("parser.go").says("Written.")
	s.sync("other words")
	s.shows(alpha, "Written.")
	s.hides(alpha, "owl.go", "hoots")
}

// The number of a checkpoint that was taken back is given to another one.
func TestRewoundCheckpoint(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.").compacts("Parser written", "It reads.", "Docs")
	a.asks("Rewrite it in Rust").says("Rewritten.").compacts("Rust rewrite", "It is in Rust.", "Learn Rust")
	s.sync("two checkpoints")
	a.rewindsTo(1)
	s.sync("the second is taken back")
	a.asks("Write the docs").says("Written.").compacts("Docs written", "The docs are there.", "Publish")
	s.sync("a second one again, another")
	s.shows("checkpoint:"+alpha+":2", "Docs written")
	s.hides("checkpoint:"+alpha+":2", "Rust")
	s.rows.reindexes(a, "Write a parser", "Write the docs", "Write the docs")
	a.later(time.Minute)
	s.sync("reindexed: blank titles, shifted turns")
	s.shows("checkpoint:"+alpha+":2", "Docs written")
}

// A fork shows what is its own. What it got from its parent is linked until it
// changes it; neither takes anything from the other afterwards.
func TestFork(t *testing.T) {
	s := newScenario(t)
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
	s.shows(beta, "turn_count: 1", " ¦ parent "+alpha, "Try stemming")
	s.hides(beta, "Three options.", "search.js", "checkpoints ")
	b.plans("# Search\n\n- [x] Options\n- [ ] Measure stemming\n")
	s.sync("the fork changes the plan")
	s.shows("memory:"+beta+":plan", "Measure stemming")
	s.hides("memory:"+alpha+":plan", "Measure stemming")
	a.asks("Take the first").edits("index.js").says("Taken.").plans("# Search\n\n- [x] Options\n- [x] Index\n")
	s.sync("the parent goes on")
	s.hides(beta, "Take the first")
	b.compacts("Stemming tried", "Stemming is not worth it.", "Forget it")
	b.leaves()
	s.sync("the fork gets a checkpoint of its own")
	s.shows(beta, "checkpoints 1 ¦")
	b.isDeleted()
	s.lasting = true
	s.sync("the fork is deleted")
	a.isDeleted()
	s.sync("the parent too")
}

// A fork of a fork, and the rewinds of those it came from.
func TestForkOfAFork(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Search for the manual").says("Three options.").asks("More").says("Five options.")
	b := a.forks(beta).asks("Try stemming").says("Not worth it.")
	s.sync("a fork")
	c := b.forks(gamma).asks("Try synonyms").says("Worth it.")
	s.sync("a fork of it")
	s.shows(gamma, " ¦ parent "+beta, "turn_count: 1")
	c.asks("And both").says("Too much.")
	b.asks("Sure?").says("Sure.")
	s.sync("both go on")
	s.hides(gamma, "Not worth it.", "Sure?")
	a.rewindsTo(1)
	a.asks("Only three").says("Three it is.")
	s.sync("the first parent is rewound to before the fork")
	s.shows(beta, "turn_count: 3", "Five options.", "from the session it was forked from")
	b.rewindsTo(3) // two of them its parent's
	b.asks("Try again").says("Tried again.")
	s.sync("the fork is rewound too")
	s.shows(beta, "turn_count: 3", "Try again")
	s.hides(beta, "Sure?")
}

// A parent that was deleted before the first pass leaves a fork that tells all.
func TestOrphanedFork(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Search for the manual").says("Three options.").saves("options.md", "One, two.\n")
	b := a.forks(beta).asks("Try stemming").says("Not worth it.")
	a.isDeleted()
	s.sync("only the fork is there")
	s.shows(beta, "a session that is not here", "turn_count: 2", "Three options.")
	b.asks("Sure?").says("Sure.")
	s.sync("it grows")
}
