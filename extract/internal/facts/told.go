package facts

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/sources"
)

// Told is a row with its session.
type Told struct {
	Session *Facts
	Row     Row
}

// RowsOf returns the rows of sessions with some keys, newest first.
func RowsOf(sessions []Facts, keys ...string) (out []Told) {
	for i := range sessions {
		for _, key := range keys {
			for _, row := range sessions[i].Of(key) {
				out = append(out, Told{&sessions[i], row})
			}
		}
	}
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b Told) int { return b.Row.At.Compare(a.Row.At) })
	return out
}

// NewestFirst orders sessions by their last turn.
func NewestFirst(sessions []Facts) []Facts {
	out := slices.Clone(sessions)
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b Facts) int { return b.LastChange().Compare(a.LastChange()) })
	return out
}

// AtWork returns the index of the session that worked last: the newest one that left something, else the
// newest one.
func AtWork(newestFirst []Facts) int { return max(0, slices.IndexFunc(newestFirst, Facts.Matters)) }

// AgentsOf returns the agents of sessions, each once.
func AgentsOf(sessions []Facts) []string {
	out := []string{}
	for _, s := range sessions {
		if s.Agent != "" {
			out = append(out, s.Agent)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Decisions returns the decisions in the project, newest first, up to most.
func (x *ProjectIndex) Decisions(most int) (out []Told) {
	for _, t := range RowsOf(x.Sessions, RowDecision) {
		if len(out) < most && IsDecision(t.Row) {
			out = append(out, t)
		}
	}
	return out
}

// Command is a command that worked, with its last run.
type Command struct {
	Told
	Sessions int // number in which it worked
}

// Commands returns the distinct commands that worked in the project, newest first.
func (x *ProjectIndex) Commands() (out []Command) {
	at := map[string]int{}
	for _, t := range RowsOf(x.Sessions, RowCommand) {
		_, key := commands.First(t.Row.Text, sources.Place{})
		i, known := at[key]
		if !known {
			i, at[key] = len(out), len(out)
			out = append(out, Command{Told: t})
		}
		out[i].Sessions++
	}
	return out
}

// CommandKinds are the kinds of commands in the order in which pages list them.
var CommandKinds = []string{"test", "build", "run", "lint", "deploy"}

// KindsInOrder compares two kinds of commands.
func KindsInOrder(a, b string) int {
	return slices.Index(CommandKinds, a) - slices.Index(CommandKinds, b)
}

// FixArrow separates an error from its fix.
const FixArrow = " → "

// Fix is an error and what fixed it.
type Fix struct {
	Told
	Error, By string
}

// Fixes returns the errors in the project that were fixed, newest first, up to most.
func (x *ProjectIndex) Fixes(most int) (out []Fix) {
	for _, t := range RowsOf(x.Sessions, RowFix) {
		if len(out) == most {
			break
		}
		text, by, _ := strings.Cut(t.Row.Text, FixArrow)
		out = append(out, Fix{t, text, by})
	}
	return out
}

// FileChange is a change of a file by a turn.
type FileChange struct {
	Told
	At  time.Time
	Why string // the subject of its commit, else the prompt of the turn, else the outcome of the session
}

// Changes returns the changes of a file, newest first.
func (x *ProjectIndex) Changes(path string) (out []FileChange) {
	for _, t := range RowsOf(x.EditedIn(path), RowFile) {
		if t.Row.Text != path {
			continue
		}
		c := FileChange{Told: t, At: cmp.Or(t.Row.At, t.Session.LastChange()), Why: t.Session.Summary}
		for _, ask := range t.Session.Of(RowAsk) {
			if ask.From == t.Row.From {
				c.Why = ask.Text
			}
		}
		for _, ref := range t.Session.Of(RowRef) {
			if t.Row.What != "" && ref.What == sources.Commit+":"+t.Row.What && ref.Text != "" {
				c.Why = "`" + t.Row.What + "` " + ref.Text
			}
		}
		out = append(out, c)
	}
	return out
}
