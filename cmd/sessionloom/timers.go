package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/schedule"
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

// machineFile is the file in the folder for state that keeps the name under which a
// vault was told of this machine. Some systems are called otherwise in each network.
const machineFile = "machine"

// knownAs is the name of this machine for its vaults; empty: it has none. With keep
// it stays the same from then on.
func knownAs(state string, hostname func() (string, error), keep bool) (string, error) {
	file := filepath.Join(state, machineFile)
	if text, err := os.ReadFile(file); err == nil && len(bytes.TrimSpace(text)) > 0 {
		return string(bytes.TrimSpace(text)), nil
	}
	host, err := hostname()
	if err != nil || !keep {
		return host, nil
	}
	if err := (wholeFile{path: file, mode: 0o600, lasting: true}).putText([]byte(host + "\n")); err != nil {
		return "", fmt.Errorf("remember the name of this machine: %w", err)
	}
	return host, nil
}

// tellHome has Home.md tell of runs of this machine that fail, or no longer do.
func (a *app) tellHome(cmd *cobra.Command, runs []timedRun) error {
	c, err := a.config(cmd)
	if err != nil {
		return nil // that is why they fail
	}
	n, first, _ := failing(runs)
	host, err := knownAs(c.state, os.Hostname, n >= failingRuns)
	if err != nil || host == "" {
		return err
	}
	return a.tellTrouble(cmd, host, n, first.At)
}
