package main

import (
	"strings"
	"testing"
	"time"
)

// The ids of the sessions in the scenarios.
const (
	alpha = "aaaaaaaa-0001-4000-8000-000000000001"
	beta  = "bbbbbbbb-0002-4000-8000-000000000002"
	gamma = "cccccccc-0003-4000-8000-000000000003"
)

// A session grows turn by turn; the store learns of each turn one prompt later,
// in its -wal.
func TestGrowing(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget)
	s.sync("opened, nothing said")
	a.asks("Write a parser for the config").edits("internal/parse.go").says("Written.")
	s.sync("first turn")
	a.asks("Now commit it").commits("1a2b3c4", "parse: config").says("Committed.")
	s.sync("second turn, the store has the first")
	a.leaves()
	if r := s.sync("the process ends, the store has both"); len(r.Changed) > 0 {
		t.Errorf("the end of a process changes %v", r.Changed)
	}
	a.resumes()
	if r := s.sync("resumed, nothing said"); len(r.Changed) > 0 {
		t.Errorf("a resume changes %v", r.Changed)
	}
	s.later(20 * time.Hour)
	a.asks("Add a test").edits("internal/parse_test.go").says("Tested.")
	s.sync("a turn on the next day")
}

// One of three sessions grows: its own note changes and the pages that list it.
func TestOneOfSeveral(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").edits("internal/parse.go").says("Written.")
	s.later(24 * time.Hour)
	b := s.begins(beta, widget).asks("Test the parser").edits("internal/parse.go").says("Tested.")
	s.later(24 * time.Hour)
	s.begins(gamma, latency).asks("Measure it").edits("bench.go").says("Measured.").notes("Plot it", "pending")
	s.sync("three sessions")
	b.asks("Once more").says("Done.")
	r := s.sync("the middle one grows")
	for _, c := range r.Changed {
		if strings.Contains(c.Note, "latency") || strings.Contains(c.Note, "2026-03-02") {
			t.Errorf("one turn changes %s", c.Note)
		}
	}
	a.asks("And now?").commits("1a2b3c4", "parse: config").says("Nothing.")
	s.sync("the oldest one grows")
}

// The first title renames a note, once: what comes later is in title, alias and links.
func TestRename(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Write a parser for the config").says("Written.")
	s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("named by its prompt")
	s.named(alpha, "2026-03-02 0901 Write a parser for the config.md")
	a.isCalled("Config parser", false)
	s.sync("named by the model")
	s.named(alpha, "2026-03-02 0901 Config parser.md")
	a.isCalled("The parser: [[what]] | a 'name' # and more", true)
	s.sync("named by the user")
	s.named(alpha, "2026-03-02 0901 Config parser.md")
	s.shows(alpha, `title: "The parser: [[what]] | a 'name' # and more"`, `# The parser: \[\[what]] | a 'name' # and more`)
}

// A compaction makes a checkpoint; the prompt it holds besides stays out.
func TestCompaction(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	a.compacts("Parser written", "The parser reads the config.", "Write the docs")
	s.sync("one checkpoint")
	a.asks("Go on").says("Gone on.").compacts("Docs written", "The docs are there.", "Ship it")
	s.sync("a second one")
	a.later(time.Minute)
	a.log("session.compaction_complete", fields{"success": false, "summaryContent": "<overview>\nnever\n</overview>"})
	a.asks("What failed?").says("The last compaction.")
	s.sync("one that failed")
	s.shows(alpha, "checkpoints 2 ¦", "- Ship it")
	s.hides(alpha, "never", "the whole prompt", "- Write the docs")
}

// What a sub-agent says and is told is its own affair.
func TestSubAgent(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Audit it, with help").edits("main.go")
	tell := func(kind string, data fields) { a.extend(a.path("events.jsonl"), a.event(kind, "scout", data)) }
	tell("user.message", fields{"content": "You are a scout. List all leaks.", "source": "agent-" + alpha})
	tell("assistant.message", fields{"messageId": "m", "content": "I am the scout.", "toolRequests": []any{}})
	tell("tool.execution_start", fields{"toolCallId": "x", "toolName": "edit", "arguments": fields{"path": widget + "/scouted.go"}})
	tell("tool.execution_complete", fields{"toolCallId": "x", "success": true, "fileEdits": []any{fields{"path": widget + "/scouted.go", "kind": "edit"}}})
	s.sync("the sub-agent is at work")
	a.log("user.message", fields{"content": "injected by a hook", "source": "hook"})
	a.log("user.message", fields{"content": "of an older sub-agent", "parentToolCallId": "x"})
	a.says("Audited.")
	s.sync("the answer is there")
	s.shows(alpha, "turn_count: 1", "Audited.")
	s.hides(alpha, "scout.", "injected", "older sub-agent")
}

// The plan and the todos of a session change while it continues: what was open is
// done, here or in a later session of the project.
func TestOpenThreads(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Plan the release").plans("# Release\n\n- [ ] Changelog\n- [ ] Tag it\n").notes("Load test", "pending", "Docs", "in_progress")
	a.says("Planned.")
	s.sync("four things are open")
	a.asks("Write the changelog").says("Done.").plans("# Release\n\n- [x] Changelog\n- [ ] Tag it\n").notes("Load test", "pending", "Docs", "done")
	s.sync("two are done")
	s.shows("threads", "Tag it", "Load test")
	s.hides("threads", "Changelog", "Docs")
	s.later(48 * time.Hour)
	s.begins(beta, widget).asks("Load test, then tag").says("Both done.").notes("Load test", "done", "Tag it", "done")
	s.sync("the others are done in another session")
	s.shows("threads", "Nothing is open.")
}

// What nobody told of for a month of work is old: counted from the last day of work, and not
// from a day far from all others.
func TestStaleThreads(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.begins(alpha, widget).asks("Audit the keys").says("Done.").notes("rotate the old keys", "pending")
	s.later(20 * 24 * time.Hour)
	s.begins(beta, widget).asks("Fix the flag").says("Fixed.").notes("the changelog entry of the flag", "pending")
	s.sync("open for twenty days")
	s.hides("threads", "## Old")
	s.later(20 * 24 * time.Hour)
	s.begins(gamma, latency).asks("Measure it").says("Measured.")
	s.sync("open for forty days")
	s.shows("threads", "2 open · 1 of them old", "## Old")
	s.later(400 * 24 * time.Hour)
	s.begins(delta, latency).asks("Which year is it?").says("I do not know.")
	s.sync("a day that is far from all others")
	s.shows("threads", "2 open · 1 of them old")
	marker := "Agents/.sessionloom/vault.yaml"
	s.userChanges(marker, func(text string) string {
		return strings.Replace(text, "settings: {}", "settings:\n  stale_days: \"0\"", 1)
	})
	s.passes(s.vault)
	s.shows("threads", "2 open")
	s.hides("threads", "## Old")
}

// A session that works in another folder after a resume stays in its project.
func TestResumedElsewhere(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").edits("parse.go").says("Written.").leaves()
	s.sync("in its project")
	a.cwd = latency
	a.resumes().asks("Measure it").edits("bench.go").says("Measured.")
	s.sync("resumed in another folder")
	a.later(time.Hour)
	a.resumes()
	s.sync("resumed once more")
}

// What a pass was told to leave out, the next one takes in.
func TestScope(t *testing.T) {
	s := newScenario(t)
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
	s.shows(alpha, "Gone on.")
	s.hides(beta, "Gone on.")
	s.sync("all projects again")
	s.shows(beta, "Gone on.")
}
