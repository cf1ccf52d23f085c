// Package runlog records, in the state folder of a vault, how its last runs went.
package runlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
)

// runsName is the file of a timer's last runs, one JSON object per line.
const runsName = "runs.jsonl"

const keptRuns = 50

// Read returns the runs, newest last, without a current one. Unreadable lines are left out.
func Read(folder string) []Run {
	runs := recordedRuns(folder)
	free, end := lock(folder, os.O_RDWR) // it is never made here
	end()
	for i := len(runs) - 1; !free && i >= 0; i-- {
		if runs[i].Exit == NoExit {
			return slices.Delete(runs, i, i+1)
		}
	}
	return runs
}

func recordedRuns(folder string) []Run {
	text, err := os.ReadFile(filepath.Join(folder, runsName))
	if err != nil {
		return nil
	}
	var runs []Run
	for line := range bytes.Lines(text) {
		var r Run
		if json.Unmarshal(line, &r) == nil && !r.At.IsZero() {
			runs = append(runs, r)
		}
	}
	return runs
}

// Add remembers a run and forgets the oldest.
func Add(folder string, r Run) error {
	runs := slices.DeleteFunc(recordedRuns(folder), func(other Run) bool { return r.At.Equal(other.At) }) // the record of its beginning
	runs = append(runs, r)
	runs = runs[max(0, len(runs)-keptRuns):]
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range runs {
		if err := e.Encode(r); err != nil {
			return fmt.Errorf("remember the run: %w", err)
		}
	}
	err := atomicfile.File{Path: filepath.Join(folder, runsName), Mode: 0o600}.Put(b.Bytes())
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without its folder there is no vault
		return fmt.Errorf("remember the run: %w", err)
	}
	return nil
}

// Forget deletes the records of runs and returns the paths of those that existed.
func Forget(folder string) (gone []string, err error) {
	_ = os.Remove(filepath.Join(folder, lockName))
	gone, err = atomicfile.Remove(filepath.Join(folder, runsName))
	if err != nil {
		return nil, fmt.Errorf("forget the runs: %w", err)
	}
	return gone, nil
}

// Run is a run of a timer. Its texts are masked.
type Run struct {
	At        time.Time             `json:"at"` // its beginning
	ElapsedMS int64                 `json:"elapsed_ms"`
	Exit      int                   `json:"exit"` // -1: it was killed or crashed
	Sessions  extract.SessionCounts `json:"sessions"`
	Notes     extract.NoteCounts    `json:"notes"`
	Problem   string                `json:"problem,omitempty"` // the first one, with its hint
	Hint      string                `json:"hint,omitempty"`
}

// Saw records data from a report. A nil run records nothing.
func (r *Run) Saw(report *extract.Report, problems []*exit.Error) {
	if r == nil {
		return
	}
	r.Sessions, r.Notes = report.Sessions, report.Notes
	if len(problems) > 0 {
		r.Problem, r.Hint = problems[0].Error(), problems[0].Hint
	}
}

// Ended records how it ended: exit code and error.
func (r *Run) Ended(now time.Time, code int, err error) {
	r.ElapsedMS, r.Exit = now.Sub(r.At).Milliseconds(), code
	var f *exit.Error
	told := errors.As(err, &f)
	switch {
	case err == nil || told && f.Err == nil: // the report has said everything
		return
	case told:
		r.Hint = f.Hint
	}
	r.Problem = err.Error()
}

// failed reports whether the user should act.
func (r Run) failed() bool {
	return r.Exit != exit.CodeDone && r.Exit != exit.CodeLocked && r.Exit != exit.CodeInterrupted
}

// Failing counts the failed runs in a row up to the last, ignoring those that did no work.
func Failing(runs []Run) (n int, first, last Run) {
	for _, r := range runs {
		switch {
		case r.failed():
			if n == 0 {
				first = r
			}
			n, last = n+1, r
		case r.Exit == exit.CodeDone:
			n = 0
		}
	}
	return n, first, last
}

// NoExit is the exit code of a run that ended without one.
const NoExit = -1

// lockName is the lock of a timer's run. The system frees it however the run ends: a run without an exit code
// and without the lock was killed or crashed.
const lockName = "running.lock"

// Begin records that a run is active until end is called. If it cannot, the run continues.
func Begin(folder string, at time.Time) (end func()) {
	free, end := lock(folder, os.O_CREATE|os.O_RDWR)
	if free {
		_ = Add(folder, Run{At: at, Exit: NoExit})
	}
	return end
}

// lock takes the lock of a folder; free is false if another run holds it, or there are no locks.
func lock(folder string, flag int) (free bool, end func()) {
	l := flock.New(filepath.Join(folder, lockName), flock.SetPermissions(0o600), flock.SetFlag(flag))
	free, err := l.TryLock()
	return free && err == nil, func() { _ = l.Close() }
}

const lastName = "last.json"

// Last is the last run except dry runs, for status.
type Last struct {
	At        time.Time             `json:"at"` // its end
	ElapsedMS int64                 `json:"elapsed_ms"`
	Exit      int                   `json:"exit"`            // exit code, without a failed commit after it
	Error     string                `json:"error,omitempty"` // why it failed
	Sessions  extract.SessionCounts `json:"sessions"`
	Notes     extract.NoteCounts    `json:"notes"`
	// Unknown counts unknown records in the last run that met some.
	Unknown []UnknownKinds `json:"unknown,omitempty"`
}

// UnknownKinds are event types and part kinds below a root that its reader does not know.
type UnknownKinds struct {
	Source string         `json:"source"`
	Root   string         `json:"root"`
	Kinds  map[string]int `json:"kinds"`
}

// ReadLast returns the last run, or nil if nothing readable is left of it.
func ReadLast(folder string) *Last {
	text, err := os.ReadFile(filepath.Join(folder, lastName))
	var last Last
	if err != nil || json.Unmarshal(text, &last) != nil {
		return nil
	}
	return &last
}

// WriteLast records the last pass. Without unknown kinds the earlier ones stay, unless it read everything anew.
func WriteLast(folder string, last Last, pass []extract.SourceReport, anew bool) error {
	for _, s := range pass {
		if len(s.Unknown) > 0 {
			last.Unknown = append(last.Unknown, UnknownKinds{Source: s.Name, Root: s.Root, Kinds: s.Unknown})
		}
	}
	if was := ReadLast(folder); was != nil && len(last.Unknown) == 0 && !anew {
		last.Unknown = was.Unknown
	}
	text, err := json.Marshal(last)
	if err == nil {
		err = atomicfile.File{Path: filepath.Join(folder, lastName), Mode: 0o600}.Put(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("remember the last run: %w", err)
	}
	return nil
}

// Failures remembers the failures of the pass before, so that each is reported once.
type Failures struct{ told map[string]bool }

// Next returns the failures not yet reported; over says that the earlier ones are gone.
func (c *Failures) Next(pass error, items []*exit.Error) (fresh []error, over bool) {
	now := map[string]bool{}
	add := func(err error) {
		if text := err.Error(); !now[text] {
			now[text] = true
			if !c.told[text] {
				fresh = append(fresh, err)
			}
		}
	}
	if pass != nil {
		add(pass)
	}
	for _, f := range items {
		add(f)
	}
	over = len(c.told) > 0 && len(now) == 0
	c.told = now
	return fresh, over
}
