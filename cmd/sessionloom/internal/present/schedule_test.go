package present

import (
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A run or two that fail are not worth a word; more are.
func TestStatusTellsOfRunsThatFailRepeatedly(t *testing.T) {
	for failing, want := range map[int]bool{0: false, failingRuns - 1: false, failingRuns: true} {
		s := Scheduled{Words: "every 30m by cron", Failing: failing, Error: "no such vault"}
		expect.Is(t, strings.Contains(strings.Join(s.words(80), "\n"), "scheduled runs failed"), want, failing, "failed")
	}
}

// What a user reads of a timer and its runs, on a screen of 80 columns.
func TestScheduleReadsWell(t *testing.T) {
	at := time.Date(2026, 11, 3, 9, 30, 0, 0, time.Local)
	state := schedule.State{
		Backend: "systemd", Active: true, When: schedule.When{Every: 30 * time.Minute}, Next: at.Add(30 * time.Minute),
		Where: []string{"/home/dev/.config/systemd/user/sessionloom-notes-1a2b3c4d.timer"},
	}
	of := Timer{State: state, Runs: []runlog.Run{
		{At: at.Add(-2 * time.Hour), Exit: exit.CodeDone, ElapsedMS: 96, Sessions: extract.SessionCounts{Listed: 18}},
		{At: at.Add(-90 * time.Minute), Exit: exit.CodeLocked},
		{At: at.Add(-time.Hour), Exit: exit.CodeInterrupted},
		{At: at.Add(-30 * time.Minute), Exit: exit.CodePartial, Problem: "events.jsonl: torn", Hint: "not shown, for it is not the last"},
		{At: at, Exit: exit.CodeFailed, ElapsedMS: 1234, Problem: `the vault in "/home/dev/Notes" is gone: its marker "Agents/.sessionloom/vault.yaml" is missing`, Hint: "mount it"},
	}}
	want := []string{
		"every 30m, by systemd",
		"  ~/.config/systemd/user/sessionloom-notes-1a2b3c4d.timer",
		"next run: 2026-11-03 10:00",
		"last runs:",
		`  2026-11-03 09:30  failed with exit code 1: the vault in "/home/dev/Notes" is`,
		`                    gone: its marker "Agents/.sessionloom/vault.yaml" is missing`,
		"                    (1.2 s)",
		"                    mount it",
		"  2026-11-03 09:00  done in part: events.jsonl: torn (0.0 s)",
		"  2026-11-03 08:30  stopped (0.0 s)",
		"  2026-11-03 08:00  another run was at work (0.0 s)",
		"  2026-11-03 07:30  nothing new: 18 sessions up to date (0.1 s)",
	}
	got := append(of.Lines("/home/dev"), of.RunLines(false)...)
	expect.List(t, got, want, "it reads", strings.Join(got, "\n"))
	if many := (Timer{Runs: make([]runlog.Run, 30)}).RunLines(false); len(many) != shownRuns+1 {
		t.Errorf("%d lines of 30 runs", len(many))
	}
	if many := (Timer{Runs: make([]runlog.Run, 30)}).RunLines(true); len(many) != 31 {
		t.Errorf("%d lines of 30 runs with -v", len(many))
	}
}

// A timer that begins no runs is told of, one whose last run is not long ago is not.
func TestLateTimers(t *testing.T) {
	at := time.Date(2026, 11, 3, 9, 30, 0, 0, time.UTC)
	on := schedule.State{Backend: "cron", Active: true, When: schedule.When{Every: 30 * time.Minute}}
	off, unknown, never := on, on, on
	never.Backend, never.SetUp = "systemd", at
	off.Active, unknown.When = false, schedule.When{}
	for _, test := range []struct {
		state schedule.State
		runs  []runlog.Run
		after time.Duration
		late  bool
	}{
		{on, []runlog.Run{{At: at}}, 89 * time.Minute, false}, {on, []runlog.Run{{At: at}}, 2 * time.Hour, true},
		{on, nil, 2 * time.Hour, false}, {never, nil, 89 * time.Minute, false}, {never, nil, 2 * time.Hour, true}, {never, []runlog.Run{{At: at.Add(time.Hour)}}, 2 * time.Hour, false},
		{off, []runlog.Run{{At: at}}, 2 * time.Hour, false}, {unknown, []runlog.Run{{At: at}}, 2 * time.Hour, false},
	} {
		if got := (Timer{State: test.state, Runs: test.runs}).Late(at.Add(test.after)); (got != "") != test.late {
			t.Errorf("%+v after %s: %q", test.state, test.after, got)
		}
	}
}
