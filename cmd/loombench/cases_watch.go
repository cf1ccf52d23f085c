package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// watches are the cases of `watch`: with nothing to do, and beside an agent that
// writes without a pause.
func watches() []benchCase {
	return []benchCase{
		{"watch-idle", "watch, nothing happens", watchIdle},
		{"watch-busy", "watch, an agent writes ten times a second", watchBusy},
	}
}

// Targets of the table. looksAnHour is how often watch looks at everything as it
// comes.
const (
	looksAnHour = 12
	idleHour    = 10 * time.Second // of the processor
	idleWakes   = 10_000           // an hour
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
	wakes := float64(waited.wakes-before.wakes)/hours + looksAnHour*float64(after.wakes-waited.wakes)/looks
	r.Floor = fmt.Sprintf("waited %s, looked at everything %d times for %s each", b.watch, looks, millis(look))
	r.Measured = fmt.Sprintf("an hour: %.1f s of the processor, %.0f wake-ups; %d watches, %s resident", cpu.Seconds(), wakes, after.watches, megabytes(after.rss))
	r.Target = fmt.Sprintf("≤ %s of the processor and %d wake-ups an hour, ≤ %d MB resident", idleHour, idleWakes, watchRSS)
	if cpu > idleHour {
		r.miss("%.1f s of the processor an hour", cpu.Seconds())
	}
	if wakes > idleWakes {
		r.miss("%.0f wake-ups an hour", wakes)
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
	share := 100 * float64(after.cpu-before.cpu) / float64(b.watch)
	r.Floor = fmt.Sprintf("%d prompts with answers in %s", lines, b.watch)
	r.Measured = fmt.Sprintf("%.1f %% of one core, %.1f wake-ups a second; %d syncs, %s resident",
		share, float64(after.wakes-before.wakes)/b.watch.Seconds(), strings.Count(w.out.String(), "\n"), megabytes(after.rss))
	r.Target = fmt.Sprintf("≤ %d %% of one core, ≤ %d MB resident", busyShare, watchRSS)
	if share > busyShare {
		r.miss("%.1f %% of one core", share)
	}
	return nil
}

// watched is a running `watch`.
type watched struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
}

// vitals are what the system says of a process.
type vitals struct {
	cpu     time.Duration
	wakes   int   // since its start, of all threads
	watches int   // in the kernel
	rss     int64 // bytes
}

func (c child) watch(ctx context.Context, s *stage, flags ...string) (*watched, error) {
	w := &watched{cmd: exec.CommandContext(ctx, c.bin, append(append([]string{"watch", "--json"}, s.flags()...), flags...)...)}
	w.cmd.Env, w.cmd.Stdout, w.cmd.Stderr = c.env, &w.out, &w.err
	return w, w.cmd.Start()
}

// rests waits until it takes no processor time, and gives its vitals then.
func (w *watched) rests(ctx context.Context) (vitals, error) {
	const quiet = time.Second
	before := vitals{cpu: -1}
	for {
		if err := sleep(ctx, quiet); err != nil {
			return before, err
		}
		now, err := w.vitals()
		if err != nil || now.cpu == before.cpu {
			return now, err
		}
		before = now
	}
}

// vitals reads /proc, which only Linux has.
func (w *watched) vitals() (v vitals, err error) {
	proc := filepath.Join("/proc", strconv.Itoa(w.cmd.Process.Pid))
	stat, err := os.ReadFile(filepath.Join(proc, "stat"))
	if err != nil {
		return v, fmt.Errorf("look at the running program: %w", err)
	}
	const tick = 10 * time.Millisecond
	if parts := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(parts) > 13 {
		v.cpu = time.Duration(number(parts[11])+number(parts[12])) * tick
	}
	v.rss = int64(sum(filepath.Join(proc, "status"), "VmRSS:")) << 10
	v.wakes = sum(filepath.Join(proc, "task", "*", "status"), "voluntary_ctxt_switches:")
	v.watches = sum(filepath.Join(proc, "fdinfo", "*"), "inotify wd:")
	return v, nil
}

// sum adds up the numbers behind a name in files of /proc, or counts the lines that
// hold no decimal one.
func sum(pattern, name string) (total int) {
	files, _ := filepath.Glob(pattern)
	for _, f := range files {
		text, _ := os.ReadFile(f) // a thread may have ended
		for line := range strings.Lines(string(text)) {
			rest, ok := strings.CutPrefix(line, name)
			switch {
			case !ok:
			case strings.HasPrefix(name, "inotify"):
				total++
			default:
				total += number(strings.Fields(rest)[0])
			}
		}
	}
	return total
}

func number(word string) int {
	n, _ := strconv.Atoi(word) // the kernel's own
	return n
}

// done ends the program and completes the row.
func (w *watched) done(r *result, last vitals) error {
	if last.rss > watchRSS*1e6 {
		r.miss("%s resident", megabytes(last.rss))
	}
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	const interrupted = 130
	if err := w.cmd.Wait(); w.cmd.ProcessState.ExitCode() != interrupted {
		return fmt.Errorf("stop watch: %w\n%s", err, lastBytes(w.err.Bytes(), 2000))
	}
	r.RSS = max(r.RSS, peakRSS(w.cmd.ProcessState))
	return nil
}

// kill ends what an error left running.
func (w *watched) kill() {
	if w.cmd.ProcessState == nil {
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
	}
}

// sleep waits unless ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
