package runlog

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
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
			if runs[i].Exit != exit {
				t.Errorf("%s: %+v", what, runs)
			}
		}
	}
	add := func(minutes, exit int) {
		t.Helper()
		if err := Add(dir, Run{At: later(minutes), Exit: exit}); err != nil {
			t.Fatal(err)
		}
	}
	first := Begin(dir, at)
	if first == nil {
		t.Fatal("no word is left")
	}
	add(1, exit.CodeLocked)
	want("one is at work", exit.CodeLocked)
	_ = first.lock.Close() // as the system does when the process dies
	want("it was killed", exit.CodeLocked, NoExit)
	if runs := Read(dir); !runs[1].At.Equal(at) || !runs[1].failed() {
		t.Errorf("it is told as %+v", runs[1])
	}
	add(30, exit.CodeDone)
	want("the next one", exit.CodeLocked, NoExit, exit.CodeDone)
	want("told once", exit.CodeLocked, NoExit, exit.CodeDone)

	second := Begin(dir, later(60))
	add(60, exit.CodeDone)
	_ = second.lock.Close()
	want("killed after it said how it ended", exit.CodeLocked, NoExit, exit.CodeDone, exit.CodeDone)
	third := Begin(dir, later(90))
	third.End()
	want("one that ends leaves nothing", exit.CodeLocked, NoExit, exit.CodeDone, exit.CodeDone)
	add(120, exit.CodeDone)
	if left, err := filepath.Glob(filepath.Join(dir, lockPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v %v", left, err)
	}

	// What only looks like one, or cannot be had, does no harm.
	if err := os.WriteFile(filepath.Join(dir, lockPrefix+"x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, lockPrefix+at.Format(lockTime)), 0o700); err != nil {
		t.Fatal(err)
	}
	want("odd files", exit.CodeLocked, NoExit, exit.CodeDone, exit.CodeDone, exit.CodeDone)
	Begin(dir, at).End()
	Begin(filepath.Join(dir, "gone"), at).End()
}
