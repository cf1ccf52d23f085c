// Package runlog remembers, in the state folder of a vault, how its last runs went.
package runlog

import (
	"errors"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
)

// Run is a run that a timer began. Its texts say no secret: they are what the
// run would print.
type Run struct {
	At        time.Time             `json:"at"` // its beginning
	ElapsedMS int64                 `json:"elapsed_ms"`
	Exit      int                   `json:"exit"` // -1: it broke off
	Sessions  extract.SessionCounts `json:"sessions"`
	Notes     extract.NoteCounts    `json:"notes"`
	Problem   string                `json:"problem,omitempty"` // the first of them, with its hint
	Hint      string                `json:"hint,omitempty"`
}

// Saw takes from a report what is remembered of it: the counts, and the first of
// the problems. A nil run remembers nothing.
func (r *Run) Saw(report *extract.Report, problems []*exit.Error) {
	if r == nil {
		return
	}
	r.Sessions, r.Notes = report.Sessions, report.Notes
	if len(problems) > 0 {
		r.Problem, r.Hint = problems[0].Error(), problems[0].Hint
	}
}

// Ended notes how it went: exit code, and the error that ended it.
func (r *Run) Ended(now time.Time, code int, err error) {
	r.ElapsedMS, r.Exit = now.Sub(r.At).Milliseconds(), code
	var f *exit.Error
	told := errors.As(err, &f)
	switch {
	case err == nil || told && f.Err == nil: // all was said in the report
		return
	case told:
		r.Hint = f.Hint
	}
	r.Problem = err.Error()
}

// failed tells whether something is to be done about it. A run that found another
// one at work, or was asked to stop, did not fail.
func (r Run) failed() bool {
	return r.Exit != exit.CodeDone && r.Exit != exit.CodeLocked && r.Exit != exit.CodeInterrupted
}

// Failing counts how many runs in a row failed, up to the last one, and gives the
// first and the last of them. Runs that did not come to work are passed over.
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

// NoExit is the exit code of a run that ended without telling it.
const NoExit = -1
