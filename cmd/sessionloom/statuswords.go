package main

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// words puts the standing into lines; told names everything.
func (s *standing) words(home string, told bool) []string {
	lines := []string{tilde(s.Vault, home), s.lastWords()}
	if s.Held != "" {
		lines = append(lines, "a sync would stop: "+s.Held, "  "+s.hint)
	} else if len(s.Due) == 0 {
		lines = append(lines, "nothing is due")
	}
	block := func(title string, names []string) {
		if len(names) == 0 {
			return
		}
		lines = append(lines, fmt.Sprintf("%s: %s", title, commas(len(names))))
		for _, n := range head(names, told) {
			lines = append(lines, "  "+n)
		}
		lines = more(lines, len(names), told)
	}
	block("due now", worded(s.Due, func(c extract.Change) string { return c.Outcome + " " + c.Note }))
	block("kept as you want them", worded(s.Kept, keptWords))
	block("cannot be written", worded(s.Broken, keptWords))
	block("moved elsewhere in the vault", s.Away)
	block("rescued, to be looked at", s.Rescued)
	block("sessions read in part", worded(s.Partial, partWords))
	block("deleted by you, back only by sessionloom restore ID", worded(s.Deleted, func(g ledger.Grave) string { return g.ID }))
	block("forgotten, back only by sessionloom restore ID", s.Forgotten)
	if others := s.Graves - len(s.Deleted) - len(s.Forgotten); others > 0 {
		lines = append(lines, count(others, "more deleted note")+", known only by a tombstone")
	}
	if s.Vanished > 0 {
		lines = append(lines, count(s.Vanished, "session")+" no longer on this machine; the notes stay")
	}
	for _, f := range s.Ignored {
		lines = append(lines, leftOutBy(f, home))
	}
	if s.StoreOnly > 0 {
		lines = append(lines, count(s.StoreOnly, "session")+" known only from rows of a session-store.db")
	}
	return lines
}

func (s *standing) lastWords() string {
	if s.Last == nil {
		return "no pass yet"
	}
	at := s.Last.At.Local().Format("2006-01-02 15:04")
	if s.Last.Error != "" {
		return "last pass: " + at + ", failed: " + s.Last.Error
	}
	did := headline(&extract.Report{Sessions: s.Last.Sessions, Notes: s.Last.Notes})
	return "last pass: " + at + ", " + strings.ToLower(did[:1]) + strings.TrimSuffix(did[1:], ".")
}

func worded[T any](all []T, words func(T) string) []string {
	out := make([]string, 0, len(all))
	for _, one := range all {
		out = append(out, words(one))
	}
	return out
}
