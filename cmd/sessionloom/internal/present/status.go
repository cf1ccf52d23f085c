package present

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// The first words of lines that a terminal colours.
const (
	LeadHeld     = "a sync would stop"
	LeadBroken   = "cannot be written"
	LeadFailing  = "the last scheduled runs failed"
	LeadLook     = "LOOK"
	LeadExpiring = "soon deleted by the agent, and not read yet"
)

// Lines begins with what needs the user's attention; told names everything. No path is wrapped.
func (s *StatusReport) Lines(home string, width int, told bool) []string {
	lines := s.KnownLines(home, width)
	if s.Held != "" {
		lines = append(lines, hang(LeadHeld+": "+s.Held, width)...)
		lines = append(lines, WrapTo(s.Hint, 2, width)...)
	}
	block := func(title, noun string, entries []named) {
		if len(entries) == 0 {
			return
		}
		lines = append(lines, title+": "+Count(len(entries), noun))
		lines = appendList(lines, entries, told, func(e named) []string { return listEntry(e.name, e.why, width) })
	}
	expiring := map[bool][]named{}
	for _, x := range s.Expiring {
		expiring[x.Archived] = append(expiring[x.Archived], named{homepath.Tilde(x.Path, home), x.words()})
	}
	block(LeadBroken, "note", worded(s.Broken, keptNamed))
	block(LeadExpiring, "item", expiring[false])
	block("read in part", "session", worded(s.Partial, func(p extract.PartialSession) named {
		return named{name: s.Called(p.Session), why: strings.Join(p.Damage, ", ")}
	}))
	block("kept as you edited them", "note", worded(s.Kept, keptNamed))
	block("rescued, to be looked at ("+bytesize(s.Saved)+")", "text", worded(s.Rescued, plainly))
	for _, text := range s.NoEffect {
		lines = append(lines, hang(text, width)...)
	}
	if block("due now", "note", worded(s.Due, func(c extract.Change) named { return named{name: c.Outcome + " " + c.Note} })); len(s.Due) == 0 && s.Held == "" {
		lines = append(lines, "nothing is due")
	}
	block("moved elsewhere in the vault", "note", worded(s.MovedOut, plainly))
	block("deleted by you (sessionloom restore ID brings one back)", "note", worded(s.Deleted, func(g ledger.Tombstone) named {
		if g.Path == "" {
			return named{name: g.ID}
		}
		return named{name: g.ID, why: strings.TrimSuffix(path.Base(g.Path), ".md")}
	}))
	for _, noun := range []string{"session", "project"} {
		of := slices.DeleteFunc(slices.Clone(s.Forgotten), func(id string) bool { return !strings.HasPrefix(id, noun+":") })
		block("forgotten (sessionloom restore NAME takes one in again)", noun, worded(of, func(id string) named { return plainly(s.Called(id)) }))
	}
	if safe := expiring[true]; len(safe) > 0 {
		lines = append(lines, Count(len(safe), "item")+" that an agent deletes by itself: all archived"+s.firstLoss())
		if told {
			lines = appendList(lines, safe, told, func(e named) []string { return listEntry(e.name, e.why, width) })
		}
	}
	lines = append(lines, MissingLines(s.Missing, home, width, told)...)
	return append(lines, s.counted()...)
}

// firstLoss says when the agent deletes the first archived session, or returns "".
func (s *StatusReport) firstLoss() string {
	first := -1
	for _, x := range s.Expiring {
		if x.Archived && x.DaysLeft != nil && (first < 0 || *x.DaysLeft < first) {
			first = max(0, *x.DaysLeft)
		}
	}
	switch {
	case first < 0:
		return ""
	case first == 0:
		return "; the first may go today"
	}
	return "; the first goes in " + Count(first, "day")
}

// KnownLines returns the lines that do not need the vault.
func (s *StatusReport) KnownLines(home string, width int) []string {
	return append(s.LastLines(home, width), s.Schedule.words(width)...)
}

func (s *StatusReport) counted() []string {
	var lines []string
	if others := s.Tombstones - len(s.Deleted) - len(s.Forgotten); others > 0 {
		lines = append(lines, Count(others, "more deleted note")+", known only by a deletion record")
	}
	if s.Vanished > 0 {
		lines = append(lines, Count(s.Vanished, "session")+" no longer on this machine; the notes stay")
	}
	return lines
}

// LastLines returns the vault and the result of the last run.
func (s *StatusReport) LastLines(home string, width int) []string {
	return append([]string{homepath.Tilde(s.Vault, home)}, hang(s.lastWords(), width)...)
}

func (s *StatusReport) lastWords() string {
	if s.Last == nil {
		return "no run yet"
	}
	text := "last run: " + clock(s.Last.At)
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

// StatusReport is what `status --json` prints (schema 1).
type StatusReport struct {
	Schema int    `json:"schema"`
	Vault  string `json:"vault"` // the managed folder
	State  string `json:"state"`

	Last *runlog.Last     `json:"last"` // null: there was none
	Held string           `json:"held,omitempty"`
	Due  []extract.Change `json:"due"` // changes that a sync would make

	Kept       []extract.KeptNote       `json:"kept"`      // kept as edited by the user
	Broken     []extract.KeptNote       `json:"broken"`    // not writable
	MovedOut   []string                 `json:"away"`      // moved out of the managed folder
	Deleted    []ledger.Tombstone       `json:"deleted"`   // notes that will not come back; ids for `restore`
	Forgotten  []string                 `json:"forgotten"` // sessions and projects that are kept out; ids for `restore`
	Tombstones int                      `json:"tombstones"`
	Rescued    []string                 `json:"rescued"` // set-aside texts to review
	Saved      int64                    `json:"rescued_bytes"`
	Partial    []extract.PartialSession `json:"partial"`

	Ignored   []extract.IgnoredFolder `json:"ignored"`    // folders whose sessions are excluded
	Vanished  int                     `json:"vanished"`   // sessions no longer on this machine
	StoreOnly int                     `json:"store_only"` // sessions of which only rows are left
	LeftTo    []extract.LeftTo        `json:"left_to"`    // copies without words of their own

	Missing  []catalog.Missing `json:"without_note"` // sessions
	Expiring []Expiring        `json:"expiring"`     // data that agents are going to delete
	Schedule *Scheduled        `json:"schedule"`     // null: there is no timer

	NoEffect []string          `json:"no_effect"` // settings without effect, in words
	Problems []extract.Problem `json:"problems"`

	Hint   string              `json:"-"` // for Held
	Called func(string) string `json:"-"` // names sessions and projects by id
}

// Expiring is something that an agent is going to delete.
type Expiring struct {
	extract.Expiring
	DaysLeft *int `json:"days_left,omitempty"` // whole days from now on; below 0: it may be gone any moment
}

// DaysLeft returns the days left, soonest first.
func DaysLeft(all []extract.Expiring, now time.Time) []Expiring {
	out := make([]Expiring, 0, len(all))
	for _, e := range all {
		x := Expiring{Expiring: e}
		if !e.At.IsZero() {
			x.DaysLeft = new(int(math.Floor(e.At.Sub(now).Hours() / 24)))
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b Expiring) int {
		return cmp.Or(a.Used.Compare(b.Used), strings.Compare(a.Path, b.Path))
	})
	return out
}

func (x Expiring) words() string {
	switch {
	case x.DaysLeft != nil && *x.DaysLeft < 0, x.DaysLeft == nil && (x.After == nil || *x.After == 0):
		return x.What + ", may go at any time"
	case x.DaysLeft != nil && *x.DaysLeft == 0:
		return x.What + ", less than a day left"
	case x.DaysLeft != nil:
		return fmt.Sprintf("%s, %s left", x.What, Count(*x.DaysLeft, "day"))
	case *x.After == 1:
		return x.What + ", goes with the next new one"
	}
	return fmt.Sprintf("%s, goes after %s newer ones", x.What, Commas(*x.After))
}
