package main

import (
	"os"
	"strings"
	"testing"
)

// isCopied is what a person does by hand: the folder of a session under another
// id, without a word of it in its log.
func (s *talk) isCopied(uuid string) *talk {
	s.t.Helper()
	child := *s
	child.uuid = uuid
	child.write(child.path("events.jsonl"), strings.ReplaceAll(s.text(s.path("events.jsonl")), s.uuid, uuid))
	child.workspace()
	return &child
}

// A session that was copied by hand shows what it does not have from the other,
// also within the turn in which it was copied.
func TestCopiedSession(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.begins(alpha, widget).asks("Search for the manual").says("Three options.").asks("Build it")
	b := a.isCopied(beta)
	a.says("Built with make.")
	b.says("Built with just.")
	s.sync("copied within a turn")
	s.shows(beta, " ¦ parent "+alpha, "Build it", "Built with just.")
	s.hides(beta, "Three options.")
	b.asks("Test it").says("Tested.")
	s.sync("the copy goes on")
	s.shows(beta, "Built with just.", "Tested.")
	s.hides(alpha, "Tested.")
	b.isCopied(gamma).asks("Ship it").says("Shipped.")
	s.sync("a copy of the copy")
	s.shows(gamma, "Shipped.")
}

// Copies of one session are distinguished from it, whichever of them continues.
func TestCopiesOfOneSession(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.begins(alpha, widget).asks("Search for the manual").says("Three options.").asks("Build it")
	b, c := a.isCopied(beta), a.isCopied(gamma)
	b.says("Built.")
	s.sync("a copy goes on")
	a.says("Built.")
	s.sync("the original says the same")
	c.says("Built.").asks("More").says("More.")
	s.sync("another copy goes on")
	s.hides(gamma, "Built.")
	a.rewindsTo(1)
	s.sync("the original takes it back")
	s.shows(beta, "Built.")
	s.shows(gamma, "Built.", " ¦ parent "+alpha)
}

// Equal ids of events make no session a copy of another one.
func TestEqualEventIDs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.begins(alpha, widget).asks("Search for the manual").says("Three options.").asks("More").says("Five options.")
	log := a.text(a.path("events.jsonl"))
	for uuid, words := range map[string][]string{
		beta:  {"Search for the manual", "Write the parser", "Three options.", "Written."},
		gamma: {"Three options.", "Not one option.", "Five options.", "Not five either."},
	} {
		s.write("session-state/"+uuid+"/events.jsonl", strings.NewReplacer(append(words, alpha, uuid)...).Replace(log))
	}
	s.sync("three sessions with equal event ids")
	s.shows(beta, "Write the parser", "Written.", "Five options.")
	s.shows(gamma, "Not one option.", "Not five either.")
}

// One session in two homes, which continued in both: the note has what was said in
// either.
func TestSessionThatWentOnInTwoHomes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.begins(alpha, widget).asks("Search for the manual").says("Three options.")
	other := newHistory(t)
	s.homes = []string{other.home}
	b := *a
	b.history = other
	other.clock, other.count = s.clock, 1000
	b.write(b.path("events.jsonl"), a.text(a.path("events.jsonl")))
	b.rests()
	s.sync("copied to another home")
	s.hides(alpha, "turn_count: 2")
	a.asks("Build it").says("Built with make.")
	s.sync("one goes on")
	other.clock = s.clock
	b.asks("Test it").says("Tested on the train.")
	b.rests()
	s.sync("the other too")
	s.shows(alpha, "Built with make.", "Tested on the train.", "turn_count: 3")
	s.homes, s.lasting = nil, true
	s.check(os.RemoveAll(s.vault + ".state"))
	s.sync("the other home is gone, and what was remembered too")
	s.shows(alpha, "Built with make.", "Tested on the train.", "turn_count: 3")
}
