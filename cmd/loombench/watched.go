package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

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

// rests waits until it takes no processor time, if it ever does, and gives its
// vitals then.
func (w *watched) rests(ctx context.Context) (vitals, error) {
	const quiet, patience = time.Second, 10
	before := vitals{cpu: -1}
	for range patience {
		if err := sleep(ctx, quiet); err != nil {
			return before, err
		}
		now, err := w.vitals()
		if err != nil || now.cpu == before.cpu {
			return now, err
		}
		before = now
	}
	return before, nil
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
