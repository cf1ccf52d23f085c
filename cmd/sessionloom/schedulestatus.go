package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
)

// scheduleStanding is what `schedule status --json` prints (schema 1).
type scheduleStanding struct {
	Schema    int        `json:"schema"`
	Name      string     `json:"name"` // of the timer
	Installed bool       `json:"installed"`
	Active    bool       `json:"active"`            // the system runs it
	Backend   string     `json:"backend,omitempty"` // systemd, launchd, windows, cron
	When      string     `json:"when,omitempty"`    // every 30m, daily 09:00
	Where     []string   `json:"where,omitempty"`
	Next      string     `json:"next,omitempty"` // RFC 3339, or in the system's words
	Failing   int        `json:"failing"`        // runs in a row, up to the last one
	Runs      []timedRun `json:"runs"`           // the newest first
}

// shownRuns is how many runs are listed without -v.
const shownRuns = 10

// runIndent is where the words of a run begin, after its time.
const runIndent = 20

// lateAfter is how many periods may pass without a run before that is told of.
const lateAfter = 3

func newScheduleStatus(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "show the timer, and how its last runs went",
		Example: "  sessionloom schedule status\n  sessionloom schedule status --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.scheduleStatus(cmd, asJSON) },
	}
	a.addSettings(cmd)
	helpsWith(cmd, ofKeys("vault", "folder", "state"))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) scheduleStatus(cmd *cobra.Command, asJSON bool) error {
	c, name, err := a.timerName(cmd)
	if err != nil {
		return err
	}
	state, err := findTimer(cmd.Context(), schedule.Kinds(a.machine(cmd)), name)
	if err != nil && !errors.Is(err, schedule.ErrNone) {
		return explainTimer(err)
	}
	var runs []timedRun
	if folder, known := a.stateOfVault(cmd); known {
		runs = readRuns(folder)
	}
	if asJSON {
		return a.print.object(standingOf(name, state, runs))
	}
	if state.Backend == "" {
		a.print.say("there is no timer for " + tilde(c.vault, a.home))
		a.print.advise("sessionloom schedule install sets one up")
	} else {
		a.print.say(timerWords(state, a.home)...)
		if !state.Active {
			a.print.advise("sessionloom schedule install sets it right")
		}
	}
	if state.Backend != "" || len(runs) > 0 {
		a.print.say(runWords(runs, a.print.verbose)...)
	}
	if hint := noCron(state.Backend, "/proc"); hint != "" {
		a.print.advise(hint)
	} else if hint := lateWords(state, runs, time.Now()); hint != "" {
		a.print.advise(hint)
	}
	return nil
}

// findTimer finds the timer of a name, whatever kind it is.
func findTimer(ctx context.Context, kinds []schedule.Kind, name string) (schedule.State, error) {
	for _, k := range kinds {
		state, err := k.Find(ctx, name)
		if !errors.Is(err, schedule.ErrNone) {
			return state, err
		}
	}
	return schedule.State{}, schedule.ErrNone
}

func standingOf(name string, state schedule.State, runs []timedRun) *scheduleStanding {
	s := &scheduleStanding{
		Schema: 1, Name: name, Installed: state.Backend != "", Active: state.Active, Backend: state.Backend,
		Where: state.Where, Next: state.NextSay, Runs: []timedRun{},
	}
	if s.Installed {
		s.When = state.When.String()
	}
	if !state.Next.IsZero() {
		s.Next = state.Next.Format(time.RFC3339)
	}
	s.Failing, _, _ = failing(runs)
	for _, r := range slices.Backward(runs) {
		s.Runs = append(s.Runs, r)
	}
	return s
}

// timerWords say which timer there is, where, and when it runs next.
func timerWords(s schedule.State, home string) []string {
	lines := []string{s.When.String() + ", by " + s.Backend}
	for _, w := range s.Where {
		lines = append(lines, "  "+tilde(w, home))
	}
	return append(lines, nextWords(s))
}

func nextWords(s schedule.State) string {
	switch {
	case !s.Active:
		return "it does not run: the system does not know it, or only a part of it is there"
	case s.Next.IsZero() && s.NextSay == "":
		return "the system does not tell when it runs next"
	case s.Next.IsZero():
		return "next run: " + s.NextSay
	}
	return "next run: " + s.Next.Local().Format("2006-01-02 15:04")
}

// runWords list runs, the newest first.
func runWords(runs []timedRun, told bool) []string {
	if len(runs) == 0 {
		return []string{"it has not run yet"}
	}
	lines := []string{"last runs:"}
	for i, r := range slices.Backward(runs) {
		if !told && len(runs)-i > shownRuns {
			break
		}
		text := r.words()
		if r.Exit != exitUnknown {
			text += fmt.Sprintf(" (%.1f s)", float64(r.ElapsedMS)/1000)
		}
		said := wrap(text, runIndent)
		said[0] = "  " + r.At.Local().Format("2006-01-02 15:04") + "  " + said[0][runIndent:]
		lines = append(lines, said...)
		if r.Hint != "" && i == len(runs)-1 {
			lines = append(lines, wrap(r.Hint, runIndent)...)
		}
	}
	return lines
}

// lateWords tell where to look if a timer that runs begins no run, since it was set
// up or since the last one.
func lateWords(s schedule.State, runs []timedRun, now time.Time) string {
	last := setUpAt(s)
	if n := len(runs); n > 0 {
		last = runs[n-1].At
	}
	if !s.Active || s.When == (schedule.When{}) || last.IsZero() || now.Sub(last) < lateAfter*s.When.Period() {
		return ""
	}
	return "no run for a while. If the program was moved, sessionloom schedule install tells the timer. Else: " + map[string]string{
		"systemd": "were you logged in? journalctl --user tells what the timer did",
		"launchd": "were you logged in? launchctl print tells of the agent",
		"windows": "were you logged in? The Task Scheduler tells what the task did",
		"cron":    "is the cron service running?",
	}[s.Backend]
}

// setUpAt is when the files of a timer were written; zero where it has none.
func setUpAt(s schedule.State) (at time.Time) {
	for _, file := range s.Where {
		if info, err := os.Stat(file); filepath.IsAbs(file) && err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}
