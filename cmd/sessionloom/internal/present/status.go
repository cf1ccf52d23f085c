package present

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// How lines begin that the printer colours.
const (
	LeadHeld     = "a sync would stop"
	LeadBroken   = "cannot be written"
	LeadFailing  = "the last scheduled runs failed"
	LeadExpiring = "expiring, and not read by a pass yet"
)

// Lines puts the standing into lines for so many columns; told names everything.
// A path is never cut or broken, for it is there to be copied.
func (s *StatusReport) Lines(home string, width int, told bool) []string {
	lines := s.KnownLines(home, width)
	if s.Held != "" {
		lines = append(lines, hang(LeadHeld+": "+s.Held, width)...)
		lines = append(lines, WrapTo(s.Hint, 2, width)...)
	} else if len(s.Due) == 0 {
		lines = append(lines, "nothing is due")
	}
	block := func(title string, entries []named) {
		if len(entries) == 0 {
			return
		}
		lines = append(lines, fmt.Sprintf("%s: %s", title, Commas(len(entries))))
		for _, e := range Head(entries, told) {
			lines = append(lines, listEntry(e.name, e.why, width)...)
		}
		lines = more(lines, len(entries), told)
	}
	block("due now", worded(s.Due, func(c extract.Change) named { return named{name: c.Outcome + " " + c.Note} }))
	block("kept as you want them", worded(s.Kept, keptNamed))
	block(LeadBroken, worded(s.Broken, keptNamed))
	block("moved elsewhere in the vault", worded(s.MovedOut, plainly))
	block("rescued, to be looked at ("+bytesize(s.Saved)+")", worded(s.Rescued, plainly))
	block("sessions read in part", worded(s.Partial, func(p extract.PartialSession) named {
		return named{name: p.Session, why: strings.Join(p.Damage, ", ")}
	}))
	block("told whole by another session, without a note of their own", worded(s.LeftTo, func(l extract.LeftTo) named {
		return named{name: l.Session, why: "by " + l.To}
	}))
	block("deleted by you, back only by sessionloom restore ID", worded(s.Deleted, func(g ledger.Tombstone) named { return named{name: g.ID} }))
	block("forgotten, back only by sessionloom restore ID", worded(s.Forgotten, plainly))
	lines = append(lines, expiringWords(s.Expiring, home, width, told)...)
	return append(lines, s.counted(home, width)...)
}

// KnownLines are the lines that need no look at the vault.
func (s *StatusReport) KnownLines(home string, width int) []string {
	lines := append([]string{homepath.Tilde(s.Vault, home)}, hang(s.lastWords(), width)...)
	return append(lines, s.Schedule.words(width)...)
}

// counted are the lines of what is told by number alone.
func (s *StatusReport) counted(home string, width int) []string {
	var lines []string
	if others := s.Tombstones - len(s.Deleted) - len(s.Forgotten); others > 0 {
		lines = append(lines, Count(others, "more deleted note")+", known only by a tombstone")
	}
	if s.Vanished > 0 {
		lines = append(lines, Count(s.Vanished, "session")+" no longer on this machine; the notes stay")
	}
	for _, f := range s.Ignored {
		lines = append(lines, hang(leftOutBy(f, home), width)...)
	}
	if s.StoreOnly > 0 {
		lines = append(lines, Count(s.StoreOnly, "session")+" known only from rows of a session-store.db")
	}
	return lines
}

func (s *StatusReport) lastWords() string {
	if s.Last == nil {
		return "no pass yet"
	}
	text := "last pass: " + clock(s.Last.At)
	if s.Last.ElapsedMS > 0 {
		text += " (" + seconds(s.Last.ElapsedMS) + ")"
	}
	if s.Last.Error != "" {
		return text + fmt.Sprintf(", failed with exit code %d: %s", max(s.Last.Exit, exit.CodeFailed), s.Last.Error)
	}
	if s.Last.Exit == exit.CodePartial {
		text += fmt.Sprintf(", done in part (exit code %d)", exit.CodePartial)
	}
	return text + ", " + done(s.Last.Sessions, s.Last.Notes)
}
