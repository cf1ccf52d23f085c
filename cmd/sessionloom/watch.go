package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/watch"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

func newWatch(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "keep running and sync whenever the history changes",
		Long: "Stay, and write what is new into the vault soon after the history changed: a sync\n" +
			"at the start, after each burst of changes, and every few minutes whatever was seen\n" +
			"to change. Ctrl-C, SIGTERM or SIGHUP ends it after the note in hand. While another run\n" +
			"is at work on the vault it waits.",
		Example: "  sessionloom watch\n  sessionloom watch --quiet --interval 15m",
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := &watching{app: a, cmd: cmd}
			return w.run(cmd.Context())
		},
	}
	a.addSettings(cmd, config.AllBut())
	a.addOptions(cmd, "json", "commit")
	return cmd
}

type watching struct {
	*app
	cmd *cobra.Command

	config config.Config
	told   runlog.Failures
	began  bool           // a pass was tried
	stood  registry.Entry // the vault of the last pass, which is not created again
	stands watch.Coverage // last reported coverage
}

func (w *watching) run(ctx context.Context) error {
	var err error
	if w.config, err = w.app.config(w.cmd); err != nil {
		return err
	}
	if w.config.Vault == "" { // known before watching begins
		return config.NoVault()
	}
	tree, end := w.tree()
	defer end()
	loop := &watch.Loop{Tree: tree, Debounce: w.config.Debounce, Roots: w.roots, Pass: w.pass, Watched: w.watched}
	return explain(loop.Run(ctx))
}

func (w *watching) tree() (t *watch.Tree, end func()) {
	n, err := fsnotify.NewWatcher() // without a buffer: events wait in the system, which joins equal ones
	if err != nil {
		w.print.Warn(fmt.Sprintf("changes cannot be seen: %v; everything is looked at every %s", err, config.PlainSpan(w.config.Debounce.Interval)))
		w.print.Advise(watchHint(err))
		return watch.NewTree(nil, nil, nil, 0), func() {}
	}
	return watch.NewTree(n, n.Events, n.Errors, watchLimit(runtime.GOOS)), func() { _ = n.Close() }
}

// watchLimit returns how many folders are watched: outside Linux each costs memory or open files.
func watchLimit(goos string) int {
	if goos == "linux" {
		return 1024
	}
	return 128
}

func (w *watching) roots() []watch.Root {
	var out []watch.Root
	for _, r := range w.history().Watched(w.cmd.Context(), w.config) {
		out = append(out, watch.Root(r))
	}
	return out
}

// watched reports watch limits that are reached.
func (w *watching) watched(s watch.Coverage) {
	every := config.PlainSpan(w.config.Debounce.Interval)
	switch {
	case s.Err != nil && w.stands.Err == nil:
		w.print.Warn(fmt.Sprintf("%s watched, %s more are not: %v; they are looked at every %s", present.Count(s.Folders, "folder"), present.Commas(s.Left), s.Err, every))
		w.print.Advise(watchHint(s.Err))
	case !w.began:
		w.print.Note("watching %s, looking at everything every %s; Ctrl-C ends it", present.Count(s.Folders, "folder"), every)
	}
	w.stands = s
}

func watchHint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC) && runtime.GOOS == "linux":
		return "sudo sysctl fs.inotify.max_user_watches=524288 allows more, until the next start"
	case errors.Is(err, syscall.EMFILE) && runtime.GOOS == "linux":
		return "sudo sysctl fs.inotify.max_user_instances=512 allows more programs to watch, until the next start"
	case errors.Is(err, syscall.EMFILE):
		return "allow more open files (ulimit -n)"
	}
	return ""
}

// pass runs one sync. A failure is reported once and retried.
func (w *watching) pass(ctx context.Context) (watch.Result, error) {
	defer debug.FreeOSMemory() // its memory is free until the next run
	p, err := w.sync(ctx)
	w.print.ClearProgress()
	first := !w.began
	w.began = true
	switch {
	case ctx.Err() != nil:
		return watch.Failed, errors.Join(err, ctx.Err())
	case w.print.WriteError() != nil: // nobody reads any more
		return watch.Failed, w.print.WriteError()
	case errors.Is(err, ledger.ErrLocked):
		return watch.Busy, nil
	case first && exit.CodeOf(explain(err)) == exit.CodeUsage:
		return watch.Failed, err
	}
	fresh, over := w.told.Next(explain(err), present.Failures(p.Problems, w.home))
	for _, f := range fresh {
		w.print.Fail(f)
	}
	if over {
		w.print.Note("what failed before went well now")
	}
	if err != nil {
		return watch.Failed, nil
	}
	return watch.Done, nil
}

func (w *watching) sync(ctx context.Context) (p present.Pass, err error) {
	if err := w.ready(ctx, w.config); err != nil {
		return p, err
	}
	if w.stood == entryOf(w.config) {
		if err := notAnew(w.config); err != nil {
			return p, err
		}
	}
	e, err := w.openEngine(w.config, extract.Mode{})
	if err != nil {
		return p, err
	}
	w.stood = entryOf(w.config)
	defer func() { err = errors.Join(err, e.close()) }()
	p, err = e.pass(ctx, syncOf(w.config), w.options)
	if p.Sessions.Listed == 0 && err == nil && !w.began {
		err = w.nothingFound(ctx, e)
	}
	if !p.DidSomething() {
		return p, err
	}
	lines := []string{present.Headline(&p.Report)}
	if w.print.Verbose {
		lines = present.Summary(&p.Report, true, w.home)
	}
	if w.print.OutTTY {
		lines[0] = time.Now().Format(time.TimeOnly) + " " + lines[0]
	}
	err = errors.Join(err, w.printResult(&p, append(lines, p.CommitLines(w.home)...)...))
	if !w.json {
		w.print.Warn(p.Warnings()...)
	}
	return p, err
}
