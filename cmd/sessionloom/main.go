// Command sessionloom weaves the history of coding agents into an Obsidian
// vault: one incremental pass, then stop. This package wires and prints; what
// is read, decided and written stands in the packages it calls.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // notes of one vault have the same days on machines without a zone database
)

func main() {
	boundMemory()
	os.Exit(run())
}

// run is main with an exit code.
func run() int {
	p := newPrinter(os.Stdout, os.Stderr, os.Getenv)
	if err := enoughFiles(); err != nil {
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

// finish says what went wrong and gives the exit code.
func finish(ctx context.Context, p *printer, err error) int {
	p.bar.clear()
	if err == nil {
		err = p.broken
	}
	switch {
	case err == nil || errors.Is(err, errClosed):
		return exitDone
	case ctx.Err() != nil: // whatever the interruption looks like from below
		if !errors.Is(err, context.Canceled) {
			p.fail(err)
		}
		return exitInterrupted
	}
	code := codeOf(err)
	if code != exitLocked || !p.quiet { // timers, hooks and watches that fire together are nothing to report
		p.fail(err)
	}
	return code
}

// interruptible gives a context that ends with the first SIGINT, SIGTERM or
// SIGHUP, so that the note in hand is finished; the second one ends the program at
// once. What whoever started the program had it ignore (nohup, a job in the
// background of a script) stays ignored. A closed pipe is left to the writes
// that meet it.
func interruptible(p *printer) (context.Context, func()) {
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
		p.warn("stopping after the note in hand; once more stops at once")
		cancel()
		<-signals
		os.Exit(exitInterrupted)
	}()
	return ctx, cancel
}
