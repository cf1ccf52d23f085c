package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
)

// maxRunLog is how long the file may grow that a timer collects errors in.
const maxRunLog = 1 << 20

// syncOnTime is a sync that a timer began: it says nothing but what went wrong, not
// even that another run is at work, and remembers how it went.
func (a *app) syncOnTime(cmd *cobra.Command, mode extract.Mode, order commitOrder) error {
	a.print.quiet = true
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	shorten(os.Stderr, c.state)
	run := &timedRun{At: time.Now().UTC()}
	a.timed = run
	if folder, known := c.stateOfVault(); known {
		defer begin(folder, run.At).end()
	}
	if err = explain(notAnew(c)); err == nil {
		err = a.passAndCommit(cmd, mode, false, (*extract.Sync).Run, order)
	}
	code := codeOf(err)
	if cmd.Context().Err() != nil && err != nil {
		code = exitInterrupted
	}
	run.ended(time.Now(), code, err)
	if folder, known := c.stateOfVault(); known { // it may have been made meanwhile
		err = a.besides(err, addRun(folder, *run))
	}
	return err
}

// forgetRuns takes away what is remembered of runs of a timer that is no more. It
// names what was there.
func (a *app) forgetRuns(cmd *cobra.Command) (gone []string, err error) {
	folder, known := a.stateOfVault(cmd)
	if !known {
		return nil, nil
	}
	brokenOff(folder, true)
	file := filepath.Join(folder, runsName)
	switch err := os.Remove(file); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("forget the runs: %w", err)
	}
	return []string{file}, nil
}

// besides tells of what went wrong after a run, and lets the run keep its exit code.
func (a *app) besides(err, more error) error {
	if more == nil {
		return err
	}
	a.print.fail(more)
	if err == nil {
		return silent(exitFailed)
	}
	return err
}

// stateOfVault finds the state folder of the vault, which need not be there now.
func (a *app) stateOfVault(cmd *cobra.Command) (folder string, known bool) {
	c, err := a.config(cmd)
	if err != nil {
		return "", false
	}
	return c.stateOfVault()
}

// stateOfVault is that of the vault the configuration names.
func (c config) stateOfVault() (folder string, known bool) {
	if c.vault == "" {
		return "", false
	}
	name, err := recordedAt(c.state, record{vault: c.vault, folder: c.folder})
	return filepath.Join(c.state, name), err == nil && name != ""
}

// shorten empties a log of old errors that stands in the state folder, for an agent
// of launchd. Where else errors may go belongs to the user.
func shorten(log *os.File, state string) {
	info, err := log.Stat()
	if err != nil || info.Size() <= maxRunLog {
		return
	}
	entries, _ := os.ReadDir(state) // a long log is no harm
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !strings.HasPrefix(name, "schedule-") || !strings.HasSuffix(name, ".log") {
			continue
		}
		if one, err := e.Info(); err == nil && os.SameFile(one, info) {
			_ = log.Truncate(0)
		}
	}
}
