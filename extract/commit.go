package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Pending are files to be committed, see [written.Pending].
type Pending = written.Pending

// PendingSession is a session among them, see [written.PendingSession].
type PendingSession = written.PendingSession

// Pending tells what runs wrote since the last commit.
func (s *Sync) Pending() (Pending, error) { return written.PendingIn(s.Ledger) }

// Committed forgets what was pending. The commit that is checked out now is
// the vault as the last run left it: what is missing later was not taken away
// by a checkout.
func (s *Sync) Committed() error {
	if err := s.Ledger.Begin(); err != nil {
		return err
	}
	if err := s.Ledger.ForgetUncommitted(); err != nil {
		return err
	}
	if s.Git != nil {
		if err := s.Ledger.SetValue(ledger.Head, []byte(s.Git.Head())); err != nil {
			return err
		}
	}
	return s.Ledger.Commit()
}
