package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract"
)

// syncOnTime is a sync that a timer began: it says nothing but what went wrong, not
// even that another run is at work, and remembers how it went.
func (a *app) syncOnTime(cmd *cobra.Command, mode extract.Mode, order commitOrder) error {
	a.print.Quiet = true
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	runlog.ShortenErrors(os.Stderr, c.State)
	run := &runlog.Run{At: time.Now().UTC()}
	a.timed = run
	if folder, ok := registry.Known(c.State, entryOf(c)); ok {
		defer runlog.Begin(folder, run.At).End()
	}
	if err = explain(notAnew(c)); err == nil {
		err = a.pass(cmd, mode, false, (*extract.Sync).Run, order)
	}
	code := exit.CodeOf(err)
	if cmd.Context().Err() != nil && err != nil {
		code = exit.CodeInterrupted
	}
	run.Ended(time.Now(), code, err)
	if folder, ok := registry.Known(c.State, entryOf(c)); ok { // it may have been made meanwhile
		err = a.besides(err, runlog.Add(folder, *run))
	}
	return err
}

// besides tells of what went wrong after a run, and lets the run keep its exit code.
func (a *app) besides(err, more error) error {
	if more == nil {
		return err
	}
	a.print.Fail(more)
	if err == nil {
		return exit.Silent(exit.CodeFailed)
	}
	return err
}
