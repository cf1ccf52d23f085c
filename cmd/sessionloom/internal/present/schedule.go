package present

import (
	"fmt"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
)

// Timer describes the timer of a vault, and its runs.
type Timer struct {
	Name  string
	State schedule.State // without Backend: no timer
	Runs  []runlog.Run   // newest last
}

// ScheduleReport is what `schedule status --json` prints (schema 1).
type ScheduleReport struct {
	Schema    int          `json:"schema"`
	Name      string       `json:"name"` // name of the timer
	Installed bool         `json:"installed"`
	Active    bool         `json:"active"`            // the system runs it
	Backend   string       `json:"backend,omitempty"` // systemd, launchd, windows, cron
	When      string       `json:"when,omitempty"`    // every 30m, daily 09:00
	Where     []string     `json:"where,omitempty"`
	Next      time.Time    `json:"next,omitzero"`
	Failing   int          `json:"failing"` // failed runs in a row, up to the last one
	Runs      []runlog.Run `json:"runs"`    // newest first
}

// Scheduled is what status shows about the timer of a vault.
type Scheduled struct {
	Words   string    `json:"words"`           // how often, and by which system timer
	Failing int       `json:"failing"`         // failed runs in a row, up to the last one
	Since   time.Time `json:"since,omitzero"`  // time of the first of them
	Error   string    `json:"error,omitempty"` // masked error of the last of them
}

const shownRuns = 10

// runIndent is the column of a run's text, after its time.
const runIndent = 20

const lateAfter = 3

// failingRuns is how many failed runs in a row status reports.
const failingRuns = 3

// Report returns the timer for scripts.
func (t Timer) Report() *ScheduleReport {
	r := &ScheduleReport{
		Schema: 1, Name: t.Name, Installed: t.State.Backend != "", Active: t.State.Active, Backend: t.State.Backend,
		Where: t.State.Where, Next: t.State.Next, Runs: slices.Clone(t.Runs),
	}
	if r.Installed {
		r.When = t.State.When.String()
	}
	if r.Runs == nil {
		r.Runs = []runlog.Run{}
	}
	r.Failing, _, _ = runlog.Failing(t.Runs)
	slices.Reverse(r.Runs)
	return r
}

// Brief returns the timer for status, or nil without a timer and failed runs.
func (t Timer) Brief() *Scheduled {
	s := &Scheduled{}
	if t.State.Backend != "" {
		s.Words = t.State.When.String() + ", by " + t.State.Backend
		if !t.State.Active {
			s.Words += ", but the system does not run it: sessionloom schedule install sets it right"
		}
	}
	n, first, last := runlog.Failing(t.Runs)
	if n > 0 {
		s.Failing, s.Since, s.Error = n, first.At, runText(last)
	}
	if s.Words == "" && n == 0 {
		return nil
	}
	return s
}

func (s *Scheduled) words(width int) []string {
	if s == nil {
		return nil
	}
	var lines []string
	if s.Words != "" {
		lines = hang("schedule: "+s.Words, width)
	}
	if s.Failing >= failingRuns {
		text := fmt.Sprintf("%s: %s in a row since %s: %s", LeadFailing, Commas(s.Failing), clock(s.Since), s.Error)
		lines = append(lines, hang(text, width)...)
	}
	return lines
}

// Lines describe the timer: its kind, its place and its next run.
func (t Timer) Lines(home string) []string {
	s := t.State
	lines := []string{s.When.String() + ", by " + s.Backend}
	for _, w := range s.Where {
		lines = append(lines, "  "+homepath.Tilde(w, home))
	}
	switch {
	case !s.Active:
		return append(lines, "it does not run: the system does not know it, or only a part of it is there")
	case s.Next.IsZero():
		return append(lines, "the system does not tell when it runs next")
	}
	return append(lines, "next run: "+clock(s.Next))
}

// RunLines lists the runs, newest first; told lists all of them.
func (t Timer) RunLines(told bool) []string {
	if len(t.Runs) == 0 {
		return []string{"it has not run yet"}
	}
	lines := []string{"last runs:"}
	for i, r := range slices.Backward(t.Runs) {
		if !told && len(t.Runs)-i > shownRuns {
			break
		}
		text := runText(r)
		if r.Exit != runlog.NoExit {
			text += " (" + seconds(r.ElapsedMS) + ")"
		}
		said := Wrap(text, runIndent)
		said[0] = "  " + clock(r.At) + "  " + said[0][runIndent:]
		lines = append(lines, said...)
		if r.Hint != "" && i == len(t.Runs)-1 {
			lines = append(lines, Wrap(r.Hint, runIndent)...)
		}
	}
	return lines
}

// Late says where to look if a timer starts no run, or returns "".
func (t Timer) Late(now time.Time) string {
	s, last := t.State, t.State.SetUp
	if n := len(t.Runs); n > 0 {
		last = t.Runs[n-1].At
	}
	if !s.Active || s.When == (schedule.When{}) || last.IsZero() || now.Sub(last) < lateAfter*s.When.Period() {
		return ""
	}
	return "no run for a while: was the machine off, were you logged out? If the program was moved, sessionloom schedule install tells the timer"
}

func runText(r runlog.Run) string {
	problem := ""
	if r.Problem != "" {
		problem = ": " + r.Problem
	}
	switch r.Exit {
	case exit.CodeDone:
		return done(r.Sessions, r.Notes)
	case exit.CodePartial:
		return "done in part" + problem
	case exit.CodeLocked:
		return "another run was at work"
	case exit.CodeInterrupted:
		return "stopped"
	case runlog.NoExit:
		return "broke off: it was killed, it crashed, or the machine went down"
	}
	return fmt.Sprintf("failed with exit code %d%s", r.Exit, problem)
}
