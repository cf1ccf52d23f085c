package main

import (
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata"
)

// opens runs gh in the shell, which tells the address of what it opened.
func (s *talk) opens(kind, title, address string) *talk {
	s.t.Helper()
	s.call("bash", fields{"command": "gh " + kind + " create --title '" + title + "' --body x", "description": "Open it"},
		fields{"result": fields{"content": "https://github.com/octo-org/" + address + "\n"}})
	return s
}

const (
	issue42 = "issue:github.com/octo-org/widget:42"
	pull43  = "pr:github.com/octo-org/widget:43"
)

// An issue that two sessions name has a note, whatever their projects, for as long as two do.
func TestIssues(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, widget).asks("The key must go one day, open an issue").opens("issue", "Remove the old key", "widget/issues/42").says("Opened.")
	s.sync("one session opens an issue")
	s.shows("project:github.com/octo-org/widget", "[Issue 42](https://github.com/octo-org/widget/issues/42) Remove the old key")
	s.later(24 * time.Hour)
	b := s.begins(beta, widget).asks("Write a parser").edits("parse.go").says("Written.")
	b.asks("Now do issue 42. Then a PR.").edits("key.go").commits("abc1234", "auth: no old key").says("It is gone.")
	s.sync("another works on it")
	s.shows(issue42, "# Issue 42: Remove the old key\n", "2 sessions", "auth: no old key", "## Files they changed\n\n- key.go\n\n", "asked: Now do issue 42.", "[octo-org/widget#42](https://github.com/octo-org/widget/issues/42)")
	for _, lists := range []string{alpha, beta, "day:2026-03-02", "week:2026-W10", "project:github.com/octo-org/widget"} {
		s.shows(lists, "[[Agents/projects/widget (octo-org)/issues/issue 42 (widget)|")
	}
	s.later(24 * time.Hour)
	c := s.begins(gamma, latency).asks("Measure what octo-org/widget#42 brought").edits("measure.go").says("Nothing.")
	s.sync("one of another project names it")
	s.shows(issue42, "3 sessions", "of [[Agents/projects/latency (", "measure.go")
	s.shows(gamma, "Issues: [[Agents/projects/widget (octo-org)/issues/issue 42 (widget)|Issue 42: Remove the old key]]")
	b.rewindsTo(1)
	s.sync("the second is rewound")
	s.shows(issue42, "2 sessions")
	s.hides(issue42, "abc1234", "key.go")
	s.hides(beta, "issue 42")
	c.rewindsTo(0)
	c.asks("Measure the parser").says("It is fast.")
	s.sync("the third begins anew")
	if s.isThere(issue42) {
		t.Error("an issue that one session names has a note")
	}
	s.shows("project:github.com/octo-org/widget", "[Issue 42](https://github.com/octo-org/widget/issues/42) Remove the old key")
}

// What a person makes of the note of an issue holds: words in it, its place, and that it is gone.
func TestIssuesInTheHandsOfTheUser(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, widget).asks("Merge PR #43 and see issue 42").says("Merged.")
	b := s.begins(beta, widget).asks("Write a parser").says("Written.").asks("What became of PR #43 and issue 42?").says("It is merged.")
	s.sync("two sessions name an issue and a pull request")
	s.userEdits(issue42, "%% sessionloom facts", "Ask [[Ada]] first.\n\n%% sessionloom facts")
	s.userMoves(pull43, "Agents/Mine/The merge.md")
	s.sync("the user writes into one and moves the other")
	s.shows(alpha, "[[Agents/Mine/The merge|PR 43]]")
	b.asks("And PR #43 again?").says("Still merged.")
	s.sync("it grows")
	s.shows(pull43, "asked: And PR #43 again?")
	s.userDeletes(pull43)
	s.sync("the user deletes the one")
	s.hides(alpha, "The merge")
	b.rewindsTo(1)
	s.sync("one session names it no more")
	s.shows(issue42, "Ask [[Ada]] first.\n")
	b.asks("PR #43 and issue 42, once more").says("Done.")
	s.sync("it does again")
	s.shows(issue42, "Ask [[Ada]] first.\n", "once more")
	if s.isThere(pull43) {
		t.Error("a note that its user deleted is back")
	}
}

// What a word before an issue may mean counts where another session names the same for sure.
func TestIssuesOfAGuessedRepository(t *testing.T) {
	t.Parallel()
	const gadget = "issue:github.com/octo-org/gadget:42"
	s := newStage(t)
	s.begins(alpha, widget).asks("It is gadget issue 42 again").says("Yes.")
	s.begins(beta, widget).asks("Is gadget issue 42 fixed?").says("No.")
	for _, sure := range []bool{false, true} {
		if sure {
			s.begins(gamma, latency).asks("Measure octo-org/gadget#42").says("Slow.")
		}
		s.passes(s.vault)
		if s.isThere(gadget) != sure || s.isThere(issue42) {
			t.Errorf("named for sure: %t, has a note: %t", sure, s.isThere(gadget))
		}
	}
	s.shows(gadget, "3 sessions")
	s.shows("project:github.com/octo-org/widget", "Issue octo-org/gadget#42")
}

// Titles and prompts act nowhere in the note of an issue.
func TestHostileIssues(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	title := "x [[y]] <% z %> (k::v) #tag $h$ ^id `= a` <b> %% sessionloom body %%"
	s.begins(alpha, widget).asks("Open it").opens("issue", title, "widget/issues/42").edits("a|b.go").commits("abc1234", title).says("Opened.")
	s.begins(beta, widget).asks(testdata.HostileLine() + " See issue 42.").says("Seen.").asks("[[x]] <% issue #42 %> (k::v)\n" + title + " issue 42").says("Again.")
	s.passes(s.vault)
	s.judged(t)
	s.shows(issue42, "## Commits of these sessions", "\t- asked: ")
	s.silent(t)
}

// isThere reports whether a note with an id is in the vault.
func (s *scenario) isThere(id string) bool {
	for _, f := range walk(s.t, s.vault) {
		if strings.EqualFold(noteID(f.text), id) {
			return true
		}
	}
	return false
}
