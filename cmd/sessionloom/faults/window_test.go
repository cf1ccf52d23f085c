//go:build linux && amd64

package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// window is a moment in which the program is about to make a call on a note or
// on a temporary file beside it, and waits.
type window struct {
	n    int    // counted from 1
	pid  int    // of the program
	call string // name of the call
	note string // path of the note that it is about
}

// The calls before which a human acts, by number.
var windowCalls = map[uint64]string{
	syscall.SYS_OPENAT: "openat", syscall.SYS_NEWFSTATAT: "newfstatat", syscall.SYS_RENAMEAT: "renameat", sysRenameat2: "renameat2",
	syscall.SYS_LINKAT: "linkat", syscall.SYS_UNLINKAT: "unlinkat", syscall.SYS_READ: "read", syscall.SYS_FCNTL: "fcntl",
}

const (
	sysRenameat2 = 316
	setLease     = 1024 // F_SETLEASE
)

// watcher runs the program and stops it before each call on a note of a vault.
type watcher struct {
	vault    string
	at       func(window) // what is done meanwhile
	noSwap   bool         // the file system knows plain renames alone
	sources  bool         // calls on what is read count too
	wrapper  []string     // what starts the program; nil: nothing
	pid      int
	windows  int
	inside   map[int]bool   // threads that are in a call
	refused  map[int]bool   // threads whose call is to fail
	lastNote map[int]string // by thread: a temporary file does not tell whose it is
}

// watch runs a sync of the place and calls at in each window. It gives the exit
// code and what was printed.
func (p *place) watch(w *watcher, args ...string) outcome {
	p.t.Helper()
	runtime.LockOSThread() // a traced process obeys one thread alone
	defer runtime.UnlockOSThread()
	path, err := program()
	p.must(err)
	printed, err := os.Create(filepath.Join(p.t.TempDir(), "printed"))
	p.must(err)
	defer func() { _ = printed.Close() }()
	line := append(append(append([]string(nil), w.wrapper...), path), append(args, p.flags()...)...)
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + p.dir, "TZ=UTC"}
	cmd.Stdout, cmd.Stderr = printed, printed
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Ptrace: true}
	if err := cmd.Start(); err != nil {
		p.t.Skipf("may not trace here: %v", err)
	}
	w.pid, w.vault = cmd.Process.Pid, p.vault
	w.inside, w.refused, w.lastNote = map[int]bool{}, map[int]bool{}, map[int]string{}
	late := time.AfterFunc(time.Minute, func() { _ = syscall.Kill(-w.pid, syscall.SIGKILL) })
	defer late.Stop()
	code, err := w.follow()
	p.must(err)
	_ = cmd.Process.Release()
	text, err := os.ReadFile(printed.Name())
	p.must(err)
	return outcome{args: args, code: code, stdout: string(text)}
}

// follow lets the program run from call to call until it ends.
func (w *watcher) follow() (code int, err error) {
	const options = syscall.PTRACE_O_TRACESYSGOOD | syscall.PTRACE_O_TRACECLONE
	seen := map[int]bool{}
	for {
		var s syscall.WaitStatus
		tid, err := syscall.Wait4(-w.pid, &s, syscall.WALL, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("wait for the program: %w", err)
		}
		if s.Exited() || s.Signaled() {
			if tid == w.pid {
				return s.ExitStatus(), nil
			}
			continue
		}
		pass := 0
		switch sig := s.StopSignal(); {
		case sig == syscall.SIGTRAP|0x80:
			w.call(tid)
		case !seen[tid]:
			err = syscall.PtraceSetOptions(tid, options)
		case sig != syscall.SIGTRAP:
			pass = int(sig)
		}
		seen[tid] = true
		if err == nil {
			err = syscall.PtraceSyscall(tid, pass)
		}
		if err != nil && !errors.Is(err, syscall.ESRCH) {
			return 0, fmt.Errorf("let the program go on: %w", err)
		}
	}
}

// call is told of a thread that begins or ends a system call.
func (w *watcher) call(tid int) {
	w.inside[tid] = !w.inside[tid]
	var r syscall.PtraceRegs
	if syscall.PtraceGetRegs(tid, &r) != nil {
		return
	}
	if !w.inside[tid] {
		if w.refused[tid] {
			delete(w.refused, tid)
			r.Rax = ^uint64(syscall.EINVAL) + 1 // -EINVAL
			_ = syscall.PtraceSetRegs(tid, &r)
		}
		return
	}
	name, ok := windowCalls[r.Orig_rax]
	if !ok {
		return
	}
	if w.noSwap && r.Orig_rax == sysRenameat2 && r.R8 != 0 {
		w.refused[tid] = true
		r.Orig_rax = ^uint64(0)
		_ = syscall.PtraceSetRegs(tid, &r)
	}
	path := w.path(tid, name, &r)
	if filepath.Ext(path) == ".jsonl" && w.sources {
		w.windows++
		w.at(window{w.windows, w.pid, name, path})
		return
	}
	base := filepath.Base(path)
	if !strings.HasPrefix(path, w.vault+"/") || strings.Contains(path, "/.sessionloom/") {
		return
	}
	switch {
	case strings.HasPrefix(base, ".tmp-"):
	case strings.HasSuffix(base, ".md"):
		w.lastNote[tid] = path
	default:
		return
	}
	if note := w.lastNote[tid]; note != "" {
		w.windows++
		w.at(window{w.windows, w.pid, name, note})
	}
}

// path is the file a call is about; the new name of a rename.
func (w *watcher) path(tid int, call string, r *syscall.PtraceRegs) string {
	dir, at := r.Rdi, r.Rsi
	switch call {
	case "read", "fcntl":
		if call == "fcntl" && r.Rsi != setLease {
			return ""
		}
		link, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", w.pid, int32(dir)))
		return link
	case "renameat", "renameat2", "linkat":
		dir, at = r.Rdx, r.R10
	}
	var raw [512]byte
	n, _ := syscall.PtracePeekData(tid, uintptr(at), raw[:])
	name, _, _ := strings.Cut(string(raw[:max(n, 0)]), "\x00")
	if filepath.IsAbs(name) {
		return name
	}
	link, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", w.pid, int32(dir)))
	return filepath.Join(link, name)
}

// The watcher sees what it is to see: without it no window would be tried.
func TestWindowsAreSeen(t *testing.T) {
	p := newPlace(t, small)
	p.sync(0)
	p.add(middle, 1)
	calls := map[string]int{}
	out := p.watch(&watcher{at: func(w window) { calls[w.call]++ }}, "sync", "--json")
	for _, call := range []string{"openat", "newfstatat", "renameat2", "unlinkat", "read", "fcntl"} {
		if calls[call] == 0 || out.code != 0 {
			t.Errorf("%d calls of %s: %s", calls[call], call, out)
		}
	}
	p.sound("watched")
}
