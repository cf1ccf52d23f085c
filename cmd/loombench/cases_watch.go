package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// watches are the cases of `watch`: with nothing to do, and beside an agent that
// writes without a pause.
func watches() []benchCase {
	return []benchCase{
		{"watch-idle", "watch, nothing happens", onLinux(watchIdle)},
		{"watch-busy", "watch, an agent writes ten times a second", onLinux(watchBusy)},
	}
}

// onLinux runs a case where the system tells of running programs what it asks for.
func onLinux(run func(context.Context, *bench, *result) error) func(context.Context, *bench, *result) error {
	if runtime.GOOS == "linux" {
		return run
	}
	return func(_ context.Context, _ *bench, r *result) error {
		r.NoTarget, r.Floor, r.Measured, r.Target = true, "–", "on Linux alone", "–"
		return nil
	}
}

// Targets of the table. looksAnHour is how often watch looks at everything as it
// comes.
const (
	looksAnHour = 12
	idleHour    = 10 * time.Second // of the processor
	idleWakes   = 3600             // an hour, without the looks
	busyShare   = 5                // percent of one core
	watchRSS    = 60               // MB, between two passes
)

// watchIdle measures waiting and looking apart and adds up an hour of both.
func watchIdle(ctx context.Context, b *bench, r *result) error {
	s, err := b.synced(ctx, b.std, false)
	if err != nil {
		return err
	}
	w, err := b.child.watch(ctx, s, "--interval", "24h")
	if err != nil {
		return err
	}
	defer w.kill()
	before, err := w.rests(ctx)
	if err != nil {
		return err
	}
	if err := sleep(ctx, b.watch); err != nil {
		return err
	}
	waited, err := w.vitals()
	if err != nil {
		return err
	}
	const looks = 5
	after := waited
	for range looks {
		if err := w.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			return err
		}
		if after, err = w.rests(ctx); err != nil {
			return err
		}
	}
	hours := b.watch.Hours()
	look := (after.cpu - waited.cpu) / looks
	cpu := time.Duration(float64(waited.cpu-before.cpu)/hours) + looksAnHour*look
	waiting := float64(waited.wakes-before.wakes) / hours
	wakes := looksAnHour * float64(after.wakes-waited.wakes) / looks
	r.Floor = fmt.Sprintf("waited %s, looked at everything %d times for %s each", b.watch, looks, millis(look))
	r.Measured = fmt.Sprintf("an hour: %.1f s of the processor, %.0f wake-ups while waiting and %.0f in looks; %d watches, %s resident", cpu.Seconds(), waiting, wakes, after.watches, megabytes(after.rss))
	r.Target = fmt.Sprintf("≤ %s of the processor an hour, ≤ %d wake-ups while waiting, ≤ %d MB resident", idleHour, idleWakes, watchRSS)
	if cpu > idleHour {
		r.miss("%.1f s of the processor an hour", cpu.Seconds())
	}
	if waiting > idleWakes {
		r.miss("%.0f wake-ups an hour while waiting", waiting)
	}
	return w.done(r, after)
}

// watchBusy has one session grow all the time.
func watchBusy(ctx context.Context, b *bench, r *result) error {
	s, err := b.synced(ctx, b.std, false)
	if err != nil {
		return err
	}
	id, err := b.growing(s, 3*b.runs)
	if err != nil {
		return err
	}
	w, err := b.child.watch(ctx, s)
	if err != nil {
		return err
	}
	defer w.kill()
	before, err := w.rests(ctx)
	if err != nil {
		return err
	}
	writer, lines := newAuthor(s.home, s.corpus.Params), 0
	if err := writer.resume(ctx, id); err != nil {
		return err
	}
	for begun := time.Now(); time.Since(begun) < b.watch; lines++ {
		if err := errors.Join(writer.appendWord(id), sleep(ctx, 100*time.Millisecond)); err != nil {
			return err
		}
	}
	after, err := w.vitals()
	if err != nil {
		return err
	}
	if err := w.done(r, after); err != nil {
		return err
	}
	syncs := strings.Count(w.out.String(), "\n")
	if syncs == 0 {
		r.miss("no sync")
	}
	share := 100 * float64(after.cpu-before.cpu) / float64(b.watch)
	r.Floor = fmt.Sprintf("%d prompts with answers in %s", lines, b.watch)
	r.Measured = fmt.Sprintf("%.1f %% of one core, %.1f wake-ups a second; %d syncs, %s resident",
		share, float64(after.wakes-before.wakes)/b.watch.Seconds(), syncs, megabytes(after.rss))
	r.Target = fmt.Sprintf("≤ %d %% of one core, ≤ %d MB resident", busyShare, watchRSS)
	if share > busyShare {
		r.miss("%.1f %% of one core", share)
	}
	return nil
}

// resume has the CLI take up a session again: it puts a lock into its folder, and
// tells the store of a turn.
func (a *author) resume(ctx context.Context, id string) error {
	lock := filepath.Join(filepath.Dir(a.path(id)), "inuse.4711.lock")
	if err := os.WriteFile(lock, []byte("4711"), 0o600); err != nil {
		return err
	}
	turn, err := a.appendTurn(id, 2)
	if err != nil {
		return err
	}
	return a.tellStore(ctx, id, turn)
}
