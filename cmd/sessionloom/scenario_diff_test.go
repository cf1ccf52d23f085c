package main

import (
	"strings"
	"testing"
	"time"
)

// details are what a digest of a transcript cuts short.
var details = "\n\n```go\nfunc Read(path string) (Config, error) { … }\n```\n\n" +
	strings.Repeat("The keys are those of the fields, in their order, and each is told with its line. ", 20) + "\n\nThat is all."

// When a session grows by a turn, a diff of the vault shows the turn, what it changed above it, the
// rows of the pages that list it, and the comment at the end: the golden archives are that diff, and
// are to be read line by line.
func TestDiffOfAGrownTurn(t *testing.T) {
	for _, transcript := range []string{"full", "digest"} {
		t.Run(transcript, func(t *testing.T) {
			s := newScenario(t)
			s.brief = true
			s.begins(alpha, widget).asks("Write a parser for the config").edits("internal/parse.go").says("Written.").commits("1a2b3c4", "parse: config")
			s.later(24 * time.Hour)
			b := s.begins(beta, widget).asks("Read the config from a file").edits("internal/parse.go").edits("internal/read.go").says("It is read from a file.")
			b.asks("Refuse unknown keys, with the line they are in").edits("internal/parse.go").says("Unknown keys are refused.\n\n- [ ] say which keys are known\n- [ ] a test with two files\n")
			b.asks("And a flag for the path").edits("cmd/main.go").says("`--config` names it.\n\nOpen: document the flag\n").notes("Flag", "done", "Document the flag", "pending")
			b.asks("Commit what there is so far").commits("2b3c4d5", "config: read from a file").says("Committed." + details)
			s.later(24 * time.Hour)
			s.begins(gamma, widget).asks("Measure how long it takes").edits("bench/read_test.go").says("12 µs.")
			s.sync("three sessions", "--transcript", transcript)
			s.brief = false
			s.later(24 * time.Hour)
			b.asks("Name the keys that are known in the error").edits("internal/parse.go").commits("3c4d5e6", "config: name the known keys").
				says("The error names them." + details + "\n\nOpen: a test with two files\n")
			r := s.sync("the one in the middle grows by a turn")
			for _, c := range r.Changed {
				if strings.Contains(c.ID, alpha) || strings.Contains(c.ID, gamma) {
					t.Errorf("a turn of another session changes %s", c.Note)
				}
			}
		})
	}
}
