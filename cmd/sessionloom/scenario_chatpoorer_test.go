package main

import (
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A chat that a crash emptied or cut off, or that is being rewritten, takes
// nothing away, and continues when it is whole.
func TestPoorerChat(t *testing.T) {
	compacted := func(e *editor) *chat {
		return e.opens(widget).chat(alpha).asks("Write a parser").says("Written.").asks("Test it").says("Tested.").compacts()
	}
	document := func(e *editor) *chat {
		return e.opens(widget).oldChat(alpha).asks("Write a parser").says("Written.").asks("Test it").says("Tested.")
	}
	for name, c := range map[string]struct {
		begins func(e *editor) *chat
		ext    string
		cut    func(text string) string
	}{
		"log, emptied":       {compacted, ".jsonl", func(string) string { return "" }},
		"log, torn":          {compacted, ".jsonl", func(text string) string { return text[:len(text)*2/3] }},
		"log, of zeros":      {compacted, ".jsonl", func(text string) string { return strings.Repeat("\x00", len(text)) }},
		"document, emptied":  {document, ".json", func(string) string { return "" }},
		"document, torn":     {document, ".json", func(text string) string { return text[:len(text)*2/3] }},
		"document, garbled":  {document, ".json", func(text string) string { return strings.Replace(text, `"Test it"`, `"Test it`, 1) }},
		"document, of zeros": {document, ".json", func(text string) string { return strings.Repeat("\x00", len(text)) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			a := c.begins(s.edition("Code"))
			s.sync("two prompts")
			before := s.last
			text := expect.Value(os.ReadFile(a.file(c.ext)))(s.t)
			s.put(a.file(c.ext), c.cut(string(text)))
			told := false
			for range 2 {
				r, stderr, code := s.pass(s.vault)
				expect.Is(t, code, exitDone, "exit code", stderr)
				expect.Is(t, differences(before, walk(t, s.vault), true), "", "the vault changed")
				for _, q := range r.Problems {
					told = told || strings.Contains(q.Error, "what was read before is kept")
				}
			}
			if !told {
				t.Error("it is not told")
			}
			s.put(a.file(c.ext), string(text))
			a.asks("Publish it").says("Published.")
			s.sync("it goes on")
			s.shows(alpha, "turn_count: 3", "Published.")
		})
	}
}

// The document that VS Code leaves behind when it begins a log may hold what was
// taken back since. While the log cannot be read it does not come back.
func TestOldDocumentBesideAPoorerLog(t *testing.T) {
	for name, spoil := range map[string]func(s *scenario, log string){
		"torn":    func(s *scenario, log string) { s.check(os.Truncate(log, 800)) },
		"emptied": func(s *scenario, log string) { s.check(os.Truncate(log, 0)) },
		"blocked": func(s *scenario, log string) { s.check(os.Remove(log)); s.check(os.Mkdir(log, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			a := s.edition("Code").opens(widget).oldChat(alpha).asks("Write a parser").says("Written.")
			a.asks("Paint it pink").edits("pink.go").says("It is pink.")
			a.upgrades().rewindsTo(1).compacts()
			s.sync("a prompt is taken back")
			s.hides(alpha, "pink")
			before := s.last
			text := expect.Value(os.ReadFile(a.log()))(s.t)
			spoil(s, a.log())
			s.pass(s.vault)
			expect.Is(t, differences(before, walk(t, s.vault), true), "", "the vault changed")
			s.check(os.RemoveAll(a.log()))
			s.put(a.log(), string(text))
			a.asks("Test it").says("Tested.")
			s.lasting = true
			s.sync("the log is back")
			s.shows(alpha, "Tested.")
			s.hides(alpha, "pink")
		})
	}
}

// A crash within the writing of a document leaves more than was read: that is
// told, and what a later crash leaves takes it away no more.
func TestTornDocumentThatTellsMore(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.edition("Code").opens(widget).oldChat(alpha).asks("Write a parser").says("Written.")
	s.sync("a prompt")
	a.asks("Test it").says("Tested.").asks("Publish it").says("Published.")
	text := expect.Value(os.ReadFile(a.file(".json")))(s.t)
	s.put(a.file(".json"), string(text[:strings.Index(string(text), "Publish it")]))
	s.pass(s.vault)
	s.last = walk(t, s.vault)
	s.shows(alpha, "Tested.")
	s.put(a.file(".json"), "")
	s.pass(s.vault)
	s.shows(alpha, "Tested.")
}
