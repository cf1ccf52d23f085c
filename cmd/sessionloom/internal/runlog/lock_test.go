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
	if Begin(dir, later(2)) != nil {
		t.Error("two are at work")
	}
	_ = first.lock.Close() // as the system does when the process dies
	want("it was killed", exit.CodeLocked, NoExit)
	if runs := Read(dir); !runs[1].At.Equal(at) || !runs[1].failed() {
		t.Errorf("it is told as %+v", runs[1])
	}
	next := Begin(dir, later(30))
	add(30, exit.CodeDone)
	next.End()
	want("the next one", exit.CodeLocked, NoExit, exit.CodeDone)

	second := Begin(dir, later(60))
	add(60, exit.CodeDone)
	_ = second.lock.Close()
	want("killed after it said how it ended", exit.CodeLocked, NoExit, exit.CodeDone, exit.CodeDone)
	third := Begin(dir, later(90))
	third.End()
	want("one that ends leaves nothing", exit.CodeLocked, NoExit, exit.CodeDone, exit.CodeDone)
	add(120, exit.CodeDone)

	// What cannot be had does no harm.
	if err := os.WriteFile(filepath.Join(dir, runningName), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	want("a damaged word", exit.CodeLocked, NoExit, exit.CodeDone, exit.CodeDone, exit.CodeDone)
	Begin(filepath.Join(dir, "gone"), at).End()
}
