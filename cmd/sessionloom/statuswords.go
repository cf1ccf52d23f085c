package main

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// How lines begin that the printer colours.
const (
	leadHeld     = "a sync would stop"
	leadBroken   = "cannot be written"
	leadFailing  = "the last scheduled runs failed"
	leadExpiring = "expiring, and not read by a pass yet"
)

// failingRuns is how many scheduled runs fail in a row before status speaks of
// it: a disk that is not mounted for an hour is none of its business.
const failingRuns = 3

// words puts the standing into lines for so many columns; told names everything.
// A path is never cut or broken, for it is there to be copied.
func (s *standing) words(home string, width int, told bool) []string {
	lines := s.known(home, width)
	if s.Held != "" {
		lines = append(lines, hang(leadHeld+": "+s.Held, width)...)
		lines = append(lines, wrapTo(s.hint, 2, width)...)
	} else if len(s.Due) == 0 {
		lines = append(lines, "nothing is due")
	}
	block := func(title string, entries []named) {
		if len(entries) == 0 {
			return
		}
		lines = append(lines, fmt.Sprintf("%s: %s", title, commas(len(entries))))
		for _, e := range head(entries, told) {
			lines = append(lines, listEntry(e.name, e.why, width)...)
		}
		lines = more(lines, len(entries), told)
	}
	block("due now", worded(s.Due, func(c extract.Change) named { return named{name: c.Outcome + " " + c.Note} }))
	block("kept as you want them", worded(s.Kept, keptNamed))
	block(leadBroken, worded(s.Broken, keptNamed))
	block("moved elsewhere in the vault", worded(s.Away, plainly))
	block("rescued, to be looked at ("+bytesize(s.Saved)+")", worded(s.Rescued, plainly))
	block("sessions read in part", worded(s.Partial, func(p extract.PartialSession) named {
		return named{name: p.Session, why: strings.Join(p.Damage, ", ")}
	}))
	block("told whole by another session, without a note of their own", worded(s.LeftTo, func(l extract.LeftTo) named {
		return named{name: l.Session, why: "by " + l.To}
	}))
	block("deleted by you, back only by sessionloom restore ID", worded(s.Deleted, func(g ledger.Grave) named { return named{name: g.ID} }))
	block("forgotten, back only by sessionloom restore ID", worded(s.Forgotten, plainly))
	lines = append(lines, expiringWords(s.Expiring, home, width, told)...)
	return append(lines, s.counted(home, width)...)
}

// known are the lines that need no look at the vault.
func (s *standing) known(home string, width int) []string {
	lines := append([]string{tilde(s.Vault, home)}, hang(s.lastWords(), width)...)
	return append(lines, s.Schedule.words(width)...)
}

// counted are the lines of what is told by number alone.
func (s *standing) counted(home string, width int) []string {
	var lines []string
	if others := s.Graves - len(s.Deleted) - len(s.Forgotten); others > 0 {
		lines = append(lines, count(others, "more deleted note")+", known only by a tombstone")
	}
	if s.Vanished > 0 {
		lines = append(lines, count(s.Vanished, "session")+" no longer on this machine; the notes stay")
	}
	for _, f := range s.Ignored {
		lines = append(lines, hang(leftOutBy(f, home), width)...)
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
	text := "last pass: " + clock(s.Last.At)
	if s.Last.ElapsedMS > 0 {
		text += fmt.Sprintf(" (%.1f s)", float64(s.Last.ElapsedMS)/1000)
	}
	if s.Last.Error != "" {
		return text + fmt.Sprintf(", failed with exit code %d: %s", max(s.Last.Exit, exitFailed), s.Last.Error)
	}
	if s.Last.Exit == exitPartial {
		text += fmt.Sprintf(", done in part (exit code %d)", exitPartial)
	}
	did := headline(&extract.Report{Sessions: s.Last.Sessions, Notes: s.Last.Notes})
	return text + ", " + strings.ToLower(did[:1]) + strings.TrimSuffix(did[1:], ".")
}

// words tell of the timer, and of runs of it that fail one after the other.
func (s *scheduled) words(width int) []string {
	if s == nil {
		return nil
	}
	var lines []string
	if s.Words != "" {
		lines = hang("schedule: "+s.Words, width)
	}
	if s.Failing >= failingRuns {
		text := fmt.Sprintf("%s: %s in a row since %s: %s", leadFailing, commas(s.Failing), clock(s.Since), s.Error)
		lines = append(lines, hang(text, width)...)
	}
	return lines
}

// clock is a time as the clock on the wall shows it.
func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// named is an entry of a list: a name to be copied, and what is said of it.
type named struct{ name, why string }

func keptNamed(k extract.KeptNote) named { return named{name: k.Note, why: k.Reason} }

func plainly(name string) named { return named{name: name} }

// listEntry sets a name and what is said of it on one line, or below each other where
// they do not fit.
func listEntry(name, why string, width int) []string {
	if why == "" {
		return []string{"  " + name}
	}
	if line := "  " + name + ": " + why; lipgloss.Width(line) <= width {
		return []string{line}
	}
	return append([]string{"  " + name}, wrapTo(why, 4, width)...)
}

// hang wraps a text, its first line at the edge and the others indented.
func hang(text string, width int) []string {
	lines := wrapTo(text, 2, width)
	lines[0] = strings.TrimLeft(lines[0], " ")
	return lines
}

func worded[T any](all []T, words func(T) named) []named {
	out := make([]named, 0, len(all))
	for _, one := range all {
		out = append(out, words(one))
	}
	return out
}
