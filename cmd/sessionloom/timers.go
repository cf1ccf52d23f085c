package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
)

// vaultTimers tells of the timer of the vault that cmd is about, by what the
// system says and what runs of it left behind.
type vaultTimers struct {
	a   *app
	cmd *cobra.Command
}

// Scheduled tells of the timer and of runs that fail.
func (t vaultTimers) Scheduled(ctx context.Context) (*scheduled, error) {
	_, name, err := t.a.timerName(t.cmd)
	if err != nil {
		return nil, err
	}
	state, err := findTimer(ctx, schedule.Kinds(t.a.machine(t.cmd)), name)
	if err != nil && !errors.Is(err, schedule.ErrNone) {
		state = schedule.State{} // schedule status tells why the system cannot be asked
	}
	s := &scheduled{}
	if state.Backend != "" {
		s.Words = state.When.String() + ", by " + state.Backend
		if !state.Active {
			s.Words += ", but the system does not run it: sessionloom schedule install sets it right"
		}
	}
	if folder, known := t.a.stateOfVault(t.cmd); known {
		n, first, last := failing(readRuns(folder))
		s.Failing, s.Since, s.Error = n, first.At, last.words()
		if n == 0 {
			s.Error = ""
		}
	}
	if s.Words == "" && s.Failing == 0 {
		return nil, nil
	}
	return s, nil
}
