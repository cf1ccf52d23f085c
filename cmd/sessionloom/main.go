// Command sessionloom turns the history of coding agents into an Obsidian vault: one incremental pass, then
// it stops. This package wires and prints; the packages it calls read, decide and write.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // notes of one vault have the same days on machines without a zone database

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
)

func main() {
	system.BoundMemory()
	os.Exit(run())
}

func run() int {
	p := terminal.New(os.Stdout, os.Stderr, os.Getenv)
	if err := system.EnoughFiles(); err != nil {
		return finish(context.Background(), p, err)
	}
	ctx, stop := interruptible(p)
	defer stop()
	root, err := newRoot(p)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	return finish(ctx, p, err)
}

func finish(ctx context.Context, p *terminal.Printer, err error) int {
	p.ClearProgress()
	if err == nil {
		err = p.WriteError()
	}
	switch {
	case err == nil || errors.Is(err, terminal.ErrClosed):
		return exit.CodeDone
	case ctx.Err() != nil: // the interruption may show as any error
		if !errors.Is(err, context.Canceled) {
			p.Fail(err)
		}
		return exit.CodeInterrupted
	}
	code := exit.CodeOf(err)
	if code != exit.CodeLocked || !p.Quiet { // a lock is not a failure for timers, hooks and watches that fire together
		p.Fail(err)
	}
	return code
}

// interruptible returns a context that the first signal ends, so that the current note is finished; the
// second ends the program. Ignored signals stay ignored.
func interruptible(p *terminal.Printer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		<-signals
		if !p.Asking() { // a question leaves nothing to finish
			p.Warn("stopping after the note in hand; once more stops at once")
		}
		cancel()
		<-signals
		os.Exit(exit.CodeInterrupted)
	}()
	return ctx, cancel
}
