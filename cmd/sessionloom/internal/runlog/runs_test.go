package runlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What is remembered of runs has an end, and survives a file that was damaged.
func TestRunsAreRemembered(t *testing.T) {
	dir, start := t.TempDir(), time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	if runs := Read(dir); len(runs) > 0 {
		t.Errorf("runs of nothing: %v", runs)
	}
	for i := range keptRuns + 7 {
		expect.OK(t, Add(dir, Run{At: start.Add(time.Duration(i) * time.Minute), Exit: i % 5, Problem: "<a> & \"b\"\n"}))
	}
	runs := Read(dir)
	if len(runs) != keptRuns || !runs[0].At.Equal(start.Add(7*time.Minute)) || runs[0].Problem != "<a> & \"b\"\n" {
		t.Errorf("%d runs, the first is %+v", len(runs), runs[0])
	}
	file := filepath.Join(dir, runsName)
	text := expect.Value(os.ReadFile(file))(t)
	for _, damage := range []string{"", "{", "\x00\x00\n", "[]\n{}\nnull\n\"x\"\n", strings.Repeat("x", 1<<17)} {
		expect.OK(t, os.WriteFile(file, append([]byte(damage), text[len(text)/2:]...), 0o600))
		if err := Add(dir, Run{At: start, Exit: 77}); err != nil {
			t.Error(err)
		}
		if now := Read(dir); len(now) < keptRuns/2 || now[len(now)-1].Exit != 77 {
			t.Errorf("after %.10q: %d runs", damage, len(now))
		}
	}
	if err := Add(filepath.Join(dir, "gone"), Run{At: start}); err != nil {
		t.Errorf("a state folder that is gone: %v", err)
	}
}

// Failing counts runs in a row; one that met another at work, or was stopped, tells
// nothing.
func TestFailingRuns(t *testing.T) {
	for exits, want := range map[string]int{"": 0, "0": 0, "1": 1, "1 0": 0, "0 1 3 2": 3, "1 11 1 130": 2, "1 11": 1, "11 130": 0, "3 0 3": 1} {
		var runs []Run
		for i, exit := range strings.Fields(exits) {
			r := Run{At: time.Unix(int64(i), 0)}
			if _, err := fmt.Sscan(exit, &r.Exit); err != nil {
				t.Fatal(err)
			}
			runs = append(runs, r)
		}
		if n, first, last := Failing(runs); n != want || n > 0 && (!first.failed() || !last.failed()) {
			t.Errorf("%q: %d failed, from %v to %v", exits, n, first, last)
		}
	}
}

// A run names its first problem, whether it ended the run or was left over.
func TestRunsNameTheirProblem(t *testing.T) {
	start := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		left    []*exit.Error
		err     error
		problem string
		hint    string
	}{
		{},
		{err: errors.New("disk on fire"), problem: "disk on fire"},
		{err: exit.Usage("do that", "wrong key"), problem: "wrong key", hint: "do that"},
		{
			left: []*exit.Error{{Err: errors.New("a: torn"), Hint: "mend it"}, {Err: errors.New("b: worn")}},
			err:  exit.Silent(exit.CodePartial), problem: "a: torn", hint: "mend it",
		},
	} {
		run := &Run{At: start}
		run.Saw(&extract.Report{}, test.left)
		run.Ended(start.Add(1500*time.Millisecond), exit.CodeOf(test.err), test.err)
		if run.Problem != test.problem || run.Hint != test.hint || run.ElapsedMS != 1500 || run.Exit != exit.CodeOf(test.err) {
			t.Errorf("%+v becomes %+v", test, run)
		}
	}
}
