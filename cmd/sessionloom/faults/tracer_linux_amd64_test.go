package faults

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The tracer is in for strace where a fault is to come at the n-th call of a
// program: strace counts the calls of each thread by itself, and a Go program has
// its calls made by whichever thread is available, so that most points are never met.

// fate is what becomes of a call.
type fate struct {
	kill  bool          // the program dies before it, with all it started
	errno syscall.Errno // it is not made and fails so; 0: it is made
	half  bool          // of what it is to read or write only half is
}

// judge says what becomes of each call on a file. It runs while the thread that
// makes the call is held; the other threads continue.
type judge func(c call) fate

// traced runs the program on the place with a judge over it.
func (p *place) traced(decide judge, args ...string) outcome {
	p.t.Helper()
	return p.tracedUnder(nil, decide, args...)
}

// tracedUnder is traced with the program started by another one.
func (p *place) tracedUnder(wrapper []string, decide judge, args ...string) outcome {
	p.t.Helper()
	return p.tracedBy(&tracer{decide: decide}, wrapper, args...)
}

func (p *place) tracedBy(tr *tracer, wrapper []string, args ...string) outcome {
	p.t.Helper()
	cmd := p.command(wrapper, args...)
	out := outcome{args: args}
	var stdout, stderr *os.File
	for _, f := range []**os.File{&stdout, &stderr} {
		var err error
		*f, err = os.CreateTemp("", "faults-")
		p.must(err)
		defer func() { _ = os.Remove((*f).Name()); _ = (*f).Close() }()
	}
	done := make(chan error, 1)
	go func() {
		// Never unlocked: the thread ends with this, and with it all it traces.
		runtime.LockOSThread()
		if n := tracedRuns.Add(1); !tr.spread && (*every == sampled || n%8 > 0) {
			p.must(stayOnCPU())
		}
		pid, err := syscall.ForkExec(cmd.Path, cmd.Args, &syscall.ProcAttr{
			Env: cmd.Env, Files: []uintptr{0, stdout.Fd(), stderr.Fd()}, Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true}})
		if err == nil {
			stop := time.AfterFunc(time.Minute, func() { _ = syscall.Kill(-pid, syscall.SIGKILL) })
			defer stop.Stop()
			tr.root, tr.state = pid, map[int]*thread{}
			out.code, err = tr.run()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		p.t.Fatalf("trace %q: %v", args, err)
	}
	for i, f := range []*os.File{stdout, stderr} {
		text, err := os.ReadFile(f.Name())
		p.must(err)
		*[]*string{&out.stdout, &out.stderr}[i] = string(text)
	}
	return out
}

// tracedRuns counts them. Of those of a whole run each eighth uses all processors.
var tracedRuns atomic.Int64

// stayOnCPU has this thread, and all that it starts, take turns on one processor: to
// stop a program and to let it continue is several times as dear across two of them.
func stayOnCPU() error {
	var cpu uint32
	if _, _, errno := syscall.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); errno != 0 {
		return errno
	}
	var one unix.CPUSet
	one.Set(int(cpu))
	return unix.SchedSetaffinity(0, &one)
}

// needsTracing skips where no process may be traced.
func needsTracing(t *testing.T) {
	t.Helper()
	p := &place{t: t, dir: t.TempDir()}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		pid, err := syscall.ForkExec("/bin/true", []string{"true"}, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true}})
		if err == nil {
			_, err = (&tracer{decide: func(call) fate { return fate{} }, root: pid, state: map[int]*thread{}}).run()
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			p.t.Skipf("processes may not be traced here: %v", err)
		}
	case <-ctx.Done():
		p.t.Fatal("tracing hangs")
	}
}

// thread is one that is traced.
type thread struct {
	inside bool    // it was seen to enter a call and not yet to leave it
	result *int64  // what the call is to give, nil: what it gives
	clock  uintptr // where it is told the time; 0: nowhere
}

type tracer struct {
	decide judge
	spread bool  // the program may use all processors also where a sample is tried
	clock  int64 // by how many seconds the program's clock is wrong
	root   int
	state  map[int]*thread
	killed bool
}

// run lets the program go from call to call until it has ended, and returns its
// exit code, -1 if it was killed.
func (tr *tracer) run() (code int, err error) {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(tr.root, &status, 0, nil); err != nil {
		return 0, err
	}
	const options = unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK |
		unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_EXITKILL
	if err := syscall.PtraceSetOptions(tr.root, options); err != nil {
		return 0, err
	}
	tr.state[tr.root] = &thread{}
	if tr.clock != 0 {
		if err := askKernelForTime(tr.root); err != nil {
			return 0, err
		}
	}
	if err := syscall.PtraceSyscall(tr.root, 0); err != nil {
		return 0, err
	}
	for {
		// Its group alone: this thread may have started others for somebody else.
		pid, err := syscall.Wait4(-tr.root, &status, unix.WALL, nil)
		if err == syscall.EINTR {
			continue
		}
		if err == syscall.ECHILD {
			return code, nil
		}
		if err != nil {
			return 0, err
		}
		if status.Exited() || status.Signaled() {
			delete(tr.state, pid)
			if pid == tr.root {
				code = status.ExitStatus()
			}
			continue
		}
		// A thread that died meanwhile is told of later.
		if err := syscall.PtraceSyscall(pid, tr.stopped(pid, status)); err != nil && err != syscall.ESRCH {
			return 0, err
		}
	}
}

// stopped handles a thread that stopped and returns the signal it continues with.
func (tr *tracer) stopped(pid int, status syscall.WaitStatus) int {
	th := tr.state[pid]
	if th == nil { // a new one begins with a stop of its own
		tr.state[pid] = &thread{}
		return 0
	}
	switch sig := status.StopSignal(); sig {
	case syscall.SIGTRAP | 0x80:
		th.inside = !th.inside
		if th.inside {
			tr.enters(pid, th)
		} else {
			tr.leaves(pid, th)
		}
		return 0
	case syscall.SIGTRAP: // a clone, an exec
		return 0
	default:
		return int(sig)
	}
}

func (tr *tracer) enters(pid int, th *thread) {
	var regs syscall.PtraceRegs
	if tr.killed || syscall.PtraceGetRegs(pid, &regs) != nil {
		return
	}
	if tr.clock != 0 && regs.Orig_rax == unix.SYS_CLOCK_GETTIME && regs.Rdi == unix.CLOCK_REALTIME {
		th.clock = uintptr(regs.Rsi)
	}
	name, known := filecalls[regs.Orig_rax]
	if !known {
		return
	}
	c := call{name: name, pid: pid, args: [6]uint64{regs.Rdi, regs.Rsi, regs.Rdx, regs.R10, regs.R8, regs.R9}}
	if !c.onFile() {
		return
	}
	switch f := tr.decide(c); {
	case f.kill:
		tr.killed = true
		_ = syscall.Kill(-tr.root, syscall.SIGKILL)
	case f.errno != 0:
		result := -int64(f.errno)
		regs.Orig_rax, th.result = ^uint64(0), &result
		_ = syscall.PtraceSetRegs(pid, &regs)
	case f.half && regs.Rdx > 1:
		regs.Rdx /= 2
		_ = syscall.PtraceSetRegs(pid, &regs)
	}
}

func (tr *tracer) leaves(pid int, th *thread) {
	if th.clock != 0 {
		shiftTime(pid, th.clock, tr.clock)
		th.clock = 0
	}
	var regs syscall.PtraceRegs
	if th.result != nil && syscall.PtraceGetRegs(pid, &regs) == nil {
		regs.Rax = uint64(*th.result)
		_ = syscall.PtraceSetRegs(pid, &regs)
	}
	th.result = nil
}

// call is a system call that names a file or has one open.
type call struct {
	name string
	pid  int
	args [6]uint64
	path string // of the file
}

// filecalls are the calls that are looked at, by number.
var filecalls = map[uint64]string{
	unix.SYS_OPENAT: "openat", unix.SYS_READ: "read", unix.SYS_PREAD64: "pread64", unix.SYS_GETDENTS64: "getdents64", unix.SYS_CLOSE: "close",
	unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite64", unix.SYS_WRITEV: "writev", unix.SYS_FSYNC: "fsync", unix.SYS_FDATASYNC: "fdatasync",
	unix.SYS_SYNC_FILE_RANGE: "sync_file_range", unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_FALLOCATE: "fallocate", unix.SYS_FCHMOD: "fchmod",
	unix.SYS_COPY_FILE_RANGE: "copy_file_range", unix.SYS_SENDFILE: "sendfile",
	unix.SYS_RENAME: "rename", unix.SYS_RENAMEAT: "renameat", unix.SYS_RENAMEAT2: "renameat2", unix.SYS_LINK: "link", unix.SYS_LINKAT: "linkat",
	unix.SYS_UNLINK: "unlink", unix.SYS_UNLINKAT: "unlinkat", unix.SYS_RMDIR: "rmdir", unix.SYS_MKDIR: "mkdir", unix.SYS_MKDIRAT: "mkdirat",
	unix.SYS_SYMLINK: "symlink", unix.SYS_SYMLINKAT: "symlinkat", unix.SYS_TRUNCATE: "truncate", unix.SYS_CHMOD: "chmod", unix.SYS_FCHMODAT: "fchmodat",
	unix.SYS_UTIMENSAT: "utimensat", unix.SYS_OPEN: "open", unix.SYS_CREAT: "creat",
}

// onFile finds out which file the call is about; false: about none on a disk.
func (c *call) onFile() bool {
	switch c.name {
	case "rename", "link", "unlink", "rmdir", "mkdir", "symlink", "truncate", "chmod", "open", "creat":
		c.path = c.resolve(unix.AT_FDCWD, c.args[0])
	case "symlinkat":
		c.path = c.resolve(int32(c.args[1]), c.args[2])
	case "openat", "renameat", "renameat2", "linkat", "unlinkat", "mkdirat", "fchmodat", "utimensat":
		c.path = c.resolve(int32(c.args[0]), c.args[1])
	default:
		c.path, _ = os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", c.pid, int32(c.args[0])))
	}
	return strings.HasPrefix(c.path, "/") && !strings.HasPrefix(c.path, "/proc/") && !strings.HasPrefix(c.path, "/sys/") && (!strings.HasPrefix(c.path, "/dev/") || strings.HasPrefix(c.path, "/dev/shm/"))
}

// changes reports whether the call changes anything on the disk, or makes a change
// lasting.
func (c *call) changes() bool {
	switch c.name {
	case "read", "pread64", "getdents64", "close":
		return false
	case "openat":
		return c.args[2]&(syscall.O_WRONLY|syscall.O_RDWR|syscall.O_CREAT|syscall.O_TRUNC) != 0
	case "open":
		return c.args[1]&(syscall.O_WRONLY|syscall.O_RDWR|syscall.O_CREAT|syscall.O_TRUNC) != 0
	}
	return true
}

// resolve is the path that a folder and a name in memory amount to.
func (c *call) resolve(dir int32, name uint64) string {
	buf := make([]byte, 4096)
	n := 0
	for n < len(buf) { // a page at a time: the next one may not be there
		part := min(len(buf)-n, 256)
		local := []unix.Iovec{{Base: &buf[n], Len: uint64(part)}}
		got, err := unix.ProcessVMReadv(c.pid, local, []unix.RemoteIovec{{Base: uintptr(name) + uintptr(n), Len: part}}, 0)
		if err != nil || got == 0 || bytes.IndexByte(buf[n:n+got], 0) >= 0 {
			n += max(got, 0)
			break
		}
		n += got
	}
	text, _, _ := strings.Cut(string(buf[:n]), "\x00")
	if strings.HasPrefix(text, "/") {
		return text
	}
	at := fmt.Sprintf("/proc/%d/cwd", c.pid)
	if dir != unix.AT_FDCWD {
		at = fmt.Sprintf("/proc/%d/fd/%d", c.pid, dir)
	}
	folder, _ := os.Readlink(at)
	return filepath.Join(folder, text)
}
