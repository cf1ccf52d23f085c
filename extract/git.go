package extract

import (
	"fmt"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

type (
	// HeldError says that a run stopped before it wrote anything, see [observe.HeldError].
	HeldError = observe.HeldError
	// Git is the repository in which the vault lies, see [written.Git].
	Git = written.Git
	// Absence is what git knows of a file that is missing, see [written.Absence].
	Absence = written.Absence
	// Pending are files to be committed, see [written.Pending].
	Pending = written.Pending
	// PendingSession is a session among them, see [written.PendingSession].
	PendingSession = written.PendingSession
)

// What git may know of a file that is missing; else the commit does not have it.
const (
	InCommit = written.InCommit
	Hidden   = written.Hidden
)

// checkRepoIdle holds a run back while git is in the middle of something. The
// vault is then partly as it was at another time: a note that is not there was not
// deleted, and one that is written now stands in the way of what git does next or
// is gone with an abort.
func (s *Sync) checkRepoIdle() error {
	if s.Git == nil || s.Mode.NotesOff {
		return nil
	}
	what := s.Git.Busy()
	if what == "" {
		return nil
	}
	return &HeldError{
		What: fmt.Sprintf("the vault's git repository is in the middle of %s: no note was written", what),
		Hint: "sessionloom git settle goes on with a merge or rebase, git status says how to end or abort it; then run again",
	}
}

// Pending tells what runs wrote since the last commit.
func (s *Sync) Pending() (Pending, error) { return written.PendingIn(s.Ledger) }

// Committed forgets what was pending. The commit that is checked out now is
// the vault as the last run left it: what is missing later was not taken away
// by a checkout.
func (s *Sync) Committed() error {
	return contain.InTurn(s.Ledger.Begin, s.Ledger.ForgetUncommitted, s.rememberHead, s.Ledger.Commit)
}

func (s *Sync) rememberHead() error {
	if s.Git == nil {
		return nil
	}
	return s.Ledger.SetValue(ledger.Head, []byte(s.Git.Head()))
}
