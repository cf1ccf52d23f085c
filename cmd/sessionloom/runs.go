package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
)

// runsName is the file in a vault's state folder that tells of the last runs that a
// timer began: one JSON object a line, the newest at the end.
const runsName = "runs.jsonl"

// keptRuns is how many runs are remembered.
const keptRuns = 50

// timedRun is a run that a timer began. Its texts say no secret: they are what the
// run would print.
type timedRun struct {
	At        time.Time             `json:"at"` // its beginning
	ElapsedMS int64                 `json:"elapsed_ms"`
	Exit      int                   `json:"exit"` // -1: it broke off
	Sessions  extract.SessionCounts `json:"sessions"`
	Notes     extract.NoteCounts    `json:"notes"`
	Problem   string                `json:"problem,omitempty"` // the first of them, with its hint
	Hint      string                `json:"hint,omitempty"`
}

// saw takes from a report what is remembered of it. A nil run remembers nothing.
func (r *timedRun) saw(report *extract.Report) {
	if r == nil {
		return
	}
	r.Sessions, r.Notes = report.Sessions, report.Notes
	for _, f := range failures(report.Problems, "") {
		r.Problem, r.Hint = f.Error(), f.hint
		break
	}
}

// ended notes how it went: exit code, and the error that ended it.
func (r *timedRun) ended(now time.Time, code int, err error) {
	r.ElapsedMS, r.Exit = now.Sub(r.At).Milliseconds(), code
	var f *failure
	told := errors.As(err, &f)
	switch {
	case err == nil || told && f.err == nil: // all was said in the report
		return
	case told:
		r.Hint = f.hint
	}
	r.Problem = err.Error()
}

// failed tells whether something is to be done about it. A run that found another
// one at work, or was asked to stop, did not fail.
func (r timedRun) failed() bool {
	return r.Exit != exitDone && r.Exit != exitLocked && r.Exit != exitInterrupted
}

// readRuns gives what is remembered, the newest last. Lines that cannot be read are
// left out; no file is no run. Runs that broke off since are among them.
func readRuns(folder string) []timedRun {
	return withBroken(recordedRuns(folder), brokenOff(folder, false))
}

// withBroken adds runs that broke off, but for those that told how they ended just
// before they did.
func withBroken(runs, broken []timedRun) []timedRun {
	for _, r := range broken {
		if !slices.ContainsFunc(runs, r.isThe) {
			runs = append(runs, r)
		}
	}
	return runs
}

func (r timedRun) isThe(other timedRun) bool { return r.At.Equal(other.At) }

func recordedRuns(folder string) []timedRun {
	text, err := os.ReadFile(filepath.Join(folder, runsName))
	if err != nil {
		return nil
	}
	var runs []timedRun
	for line := range bytes.Lines(text) {
		var r timedRun
		if json.Unmarshal(line, &r) == nil && !r.At.IsZero() {
			runs = append(runs, r)
		}
	}
	return runs
}

// addRun remembers one more run, and those that broke off before, and forgets the
// oldest. Of two that end in the same moment one may be lost.
func addRun(folder string, r timedRun) error {
	runs := withBroken(recordedRuns(folder), brokenOff(folder, true))
	runs = append(slices.DeleteFunc(runs, r.isThe), r) // it may have been taken for one that broke off
	runs = runs[max(0, len(runs)-keptRuns):]
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range runs {
		if err := e.Encode(r); err != nil {
			return fmt.Errorf("remember the run: %w", err)
		}
	}
	err := wholeFile{path: filepath.Join(folder, runsName), mode: 0o600}.putText(b.Bytes())
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without its folder there is no vault to tell of
		return fmt.Errorf("remember the run: %w", err)
	}
	return nil
}

// failing counts how many runs in a row failed, up to the last one, and gives the
// first and the last of them. Runs that did not come to work are passed over.
func failing(runs []timedRun) (n int, first, last timedRun) {
	for _, r := range runs {
		switch {
		case r.failed():
			if n == 0 {
				first = r
			}
			n, last = n+1, r
		case r.Exit == exitDone:
			n = 0
		}
	}
	return n, first, last
}

// words say how a run went.
func (r timedRun) words() string {
	problem := ""
	if r.Problem != "" {
		problem = ": " + r.Problem
	}
	switch r.Exit {
	case exitDone:
		did := headline(&extract.Report{Sessions: r.Sessions, Notes: r.Notes})
		return strings.ToLower(did[:1]) + strings.TrimSuffix(did[1:], ".")
	case exitPartial:
		return "done in part" + problem
	case exitLocked:
		return "another run was at work"
	case exitInterrupted:
		return "stopped"
	case exitUnknown:
		return "broke off: it was killed, it crashed, or the machine went down"
	}
	return fmt.Sprintf("failed with exit code %d%s", r.Exit, problem)
}
