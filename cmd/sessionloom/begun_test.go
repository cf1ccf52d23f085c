package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A run that was killed is told of, and one that is at work, or told itself how it
// ended, is not.
func TestRunsThatBreakOff(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2026, 11, 3, 9, 0, 0, 123456789, time.UTC)
	later := func(minutes int) time.Time { return at.Add(time.Duration(minutes) * time.Minute) }
	want := func(what string, exits ...int) {
		t.Helper()
		runs := readRuns(dir)
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
		if err := addRun(dir, timedRun{At: later(minutes), Exit: exit}); err != nil {
			t.Fatal(err)
		}
	}
	first := begin(dir, at)
	if first == nil {
		t.Fatal("no word is left")
	}
	add(1, exitLocked)
	want("one is at work", exitLocked)
	_ = first.lock.Close() // as the system does when the process dies
	want("it was killed", exitLocked, exitUnknown)
	if runs := readRuns(dir); !runs[1].At.Equal(at) || !runs[1].failed() {
		t.Errorf("it is told as %+v", runs[1])
	}
	add(30, exitDone)
	want("the next one", exitLocked, exitUnknown, exitDone)
	want("told once", exitLocked, exitUnknown, exitDone)

	second := begin(dir, later(60))
	add(60, exitDone)
	_ = second.lock.Close()
	want("killed after it said how it ended", exitLocked, exitUnknown, exitDone, exitDone)
	third := begin(dir, later(90))
	third.end()
	want("one that ends leaves nothing", exitLocked, exitUnknown, exitDone, exitDone)
	add(120, exitDone)
	if left, err := filepath.Glob(filepath.Join(dir, begunPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v %v", left, err)
	}

	// What only looks like one, or cannot be had, does no harm.
	if err := os.WriteFile(filepath.Join(dir, begunPrefix+"x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, begunPrefix+at.Format(begunTime)), 0o700); err != nil {
		t.Fatal(err)
	}
	want("odd files", exitLocked, exitUnknown, exitDone, exitDone, exitDone)
	begin(dir, at).end()
	begin(filepath.Join(dir, "gone"), at).end()
}
