package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// plenty of watches.
const plenty = 1 << 20

// watcher is `sessionloom watch` in a process of its own, where it can be in a
// namespace in which the number of watches is ours to set.
type watcher struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err lockedBuffer
	limit    io.WriteCloser // takes the number of watches a line; nil: it is the system's

	begun    time.Time
	now      vitals
	last     vitals
	resident []int // kB, over time
	watches  []int // over time
}

// vitals are what the system says of a process.
type vitals struct {
	resident, watches, wakes int // kB, in the kernel, since the start
	cpu                      time.Duration
}

// begins starts the watch.
func (s *soak) begins() *watcher {
	s.t.Helper()
	config := filepath.Join(s.t.TempDir(), "config.yaml")
	s.check(os.WriteFile(config, []byte("watch:\n  quiet: 100ms\n  at_most: 1s\n  interval: 5s\n"), 0o600))
	args := append([]string{"watch", "--json", "--config", config}, s.watched(s.vault)...)
	w := &watcher{t: s.t, cmd: s.command(args...), begun: time.Now()}
	const script = `limit=/proc/sys/user/max_inotify_watches; (while read -r n; do echo "$n" > $limit; done <&3) & exec "$@"`
	if exec.Command("unshare", "-Ur", "sh", "-c", "echo 1000 > /proc/sys/user/max_inotify_watches").Run() == nil {
		r, limit, err := os.Pipe()
		s.check(err)
		defer func() { _ = r.Close() }()
		inner := w.cmd
		w.cmd = exec.Command("unshare", append([]string{"-Ur", "sh", "-c", script, "sh"}, inner.Args...)...)
		w.cmd.Env, w.cmd.ExtraFiles, w.limit = inner.Env, []*os.File{r}, limit
	}
	w.cmd.Stdout, w.cmd.Stderr = &w.out, &w.err
	s.check(w.cmd.Start())
	s.t.Cleanup(func() { _ = w.cmd.Process.Kill(); w.room(0) })
	for begun := time.Now(); !strings.Contains(w.err.String(), "watching"); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > 30*time.Second {
			s.t.Fatalf("it does not begin: %s", w.said())
		}
	}
	return w
}

// room sets how many watches may be had; 0 ends the setting of them.
func (w *watcher) room(n int) {
	if w.limit == nil {
		return
	}
	if n == 0 {
		_ = w.limit.Close()
		return
	}
	fmt.Fprintln(w.limit, n)
	time.Sleep(50 * time.Millisecond)
}

// end stops it with Ctrl-C.
func (w *watcher) end() {
	w.t.Helper()
	w.room(0)
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		w.t.Errorf("it ended by itself: %v: %s", err, w.said())
	}
	_ = w.cmd.Wait()
	if code := w.cmd.ProcessState.ExitCode(); code != exitInterrupted {
		w.t.Errorf("stopped, it ends with %d: %s", code, w.said())
	}
}

// said is the end of what it printed.
func (w *watcher) said() string {
	text := w.err.String()
	return text[max(0, len(text)-4000):]
}

// look measures.
func (w *watcher) look() {
	w.t.Helper()
	proc := fmt.Sprintf("/proc/%d/", w.cmd.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		w.t.Fatalf("it is gone: %v: %s", err, w.said())
	}
	v := vitals{resident: procField(string(status), "VmRSS:")}
	infos, _ := filepath.Glob(proc + "fdinfo/*")
	for _, f := range infos {
		text, _ := os.ReadFile(f)
		v.watches += bytes.Count(text, []byte("inotify wd:"))
	}
	tasks, _ := filepath.Glob(proc + "task/*/status")
	for _, f := range tasks {
		text, _ := os.ReadFile(f)
		v.wakes += procField(string(text), "voluntary_ctxt_switches:")
	}
	stat, _ := os.ReadFile(proc + "stat")
	if parts := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(parts) > 13 {
		user, _ := strconv.Atoi(parts[11])
		system, _ := strconv.Atoi(parts[12])
		v.cpu = time.Duration(user+system) * 10 * time.Millisecond
	}
	w.now = v
	w.resident, w.watches = append(w.resident, v.resident), append(w.watches, v.watches)
}

// procField is the number behind a name in a file of /proc.
func procField(text, name string) int {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}

// lockedBuffer is written by one goroutine and read by another.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
