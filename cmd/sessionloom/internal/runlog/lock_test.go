package runlog

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A run that was killed is told of, and one that is at work, or told itself how it
// ended, is not.
func TestRunsThatBreakOff(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2026, 11, 3, 9, 0, 0, 123456789, time.UTC)
	later := func(minutes int) time.Time { return at.Add(time.Duration(minutes) * time.Minute) }
	want := func(what string, exits ...int) {
		t.Helper()
		runs := Read(dir)
		if len(runs) != len(exits) {
			t.Fatalf("%s: %d runs, not %d: %+v", what, len(runs), len(exits), runs)
		}
		for i, exit := range exits {
			expect.Is(t, runs[i].Exit, exit, what, runs)
		}
	}
	add := func(minutes, exit int) {
		t.Helper()
		expect.OK(t, Add(dir, Run{At: later(minutes), Exit: exit}))
	}
	killed := Begin(dir, at) // the system lets go of the lock when the process dies
	add(1, exit.CodeLocked)
	want("one is at work", exit.CodeLocked)
	Begin(dir, later(2))()
	want("another one is at work", exit.CodeLocked)
	killed()
	want("it was killed", NoExit, exit.CodeLocked)
	if runs := Read(dir); !runs[0].At.Equal(at) || !runs[0].failed() {
		t.Errorf("it is told as %+v", runs[0])
	}
	end := Begin(dir, later(30))
	want("the next one begins", NoExit, exit.CodeLocked)
	add(30, exit.CodeDone)
	end()
	want("the next one", NoExit, exit.CodeLocked, exit.CodeDone)

	// What cannot be had does no harm.
	Begin(filepath.Join(dir, "gone"), at)()
	if gone, err := Forget(dir); err != nil || len(gone) != 1 {
		t.Errorf("%q, %v", gone, err)
	}
	want("nothing is remembered")
}
