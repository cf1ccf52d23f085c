package faults

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

var barriers = flag.Int("faults.barriers", 2, "how often several runs are started at one moment")

// atOnce starts a sync in each place; they wait for each other. It gives their
// outcomes.
func atOnce(places ...*place) []outcome {
	p, n := places[0], len(places)
	p.t.Helper()
	gate, open, err := os.Pipe()
	p.must(err)
	runs, printed := make([]*exec.Cmd, n), make([]strings.Builder, n)
	for i := range runs {
		cmd := places[i].command([]string{"sh", "-c", `read _ <&3; exec "$@"`, "sh"}, "sync", "-v")
		cmd.ExtraFiles = []*os.File{gate}
		cmd.Stdout, cmd.Stderr = &printed[i], &printed[i]
		p.must(cmd.Start())
		runs[i] = cmd
	}
	p.must(open.Close()) // the gate opens
	p.must(gate.Close())
	all := make([]outcome, n)
	for i, cmd := range runs {
		_ = cmd.Wait()
		all[i] = outcome{args: cmd.Args, code: cmd.ProcessState.ExitCode(), stdout: printed[i].String()}
	}
	return all
}

// One of several runs that start at one moment does the work, the others say at
// once that it is at it, in a vault that none of them has made yet too.
func TestManyRunsAtOnce(t *testing.T) {
	const n = 8
	refused, ended := 0, 0
	for i := range *barriers {
		p := newPlace(t, small, middle)
		if i%2 == 1 {
			p.sync(0)
			p.add(large, 0.5)
		}
		for _, out := range atOnce(slices.Repeat([]*place{p}, n)...) {
			switch {
			case out.code == 0:
				ended++
			case out.code == 11 && strings.Contains(out.stdout, "another run is at work on this vault") && strings.Contains(out.stdout, "hint: "):
				refused++
			default:
				t.Fatalf("%s", out)
			}
		}
		p.sound("eight runs at once")
	}
	if ended < *barriers || refused == 0 {
		t.Errorf("%d ended well, %d were refused", ended, refused)
	}
	proved(t, "eight runs start at one moment", n, *barriers, fmt.Sprintf("each does its work alone (%d) or ends with code 11 (%d); the vault is that of one run", ended, refused))
}

// Two vaults share a folder for state and do not hinder each other.
func TestTwoVaultsAtOnce(t *testing.T) {
	for range *barriers {
		p := newPlace(t, small, middle)
		q := *p
		q.vault = filepath.Join(p.dir, "second")
		p.must(os.MkdirAll(q.vault, 0o700))
		for _, out := range atOnce(p, &q) {
			if out.code != 0 {
				t.Fatalf("%s", out)
			}
		}
		p.sound("two vaults at once")
		q.sound("two vaults at once")
	}
	proved(t, "runs on two vaults with one folder for state", 2, *barriers, "both end well, both vaults are those of one run")
}

// Two runs that know nothing of each other, as those of two machines on a folder
// that is synchronized: notes stay whole and both end at one vault.
func TestTwoStatesAtOnce(t *testing.T) {
	const note = "A line of theirs, with two states.\n"
	for range *barriers {
		p := newPlace(t, small)
		p.sync(0)
		p.must(edit(p.note("Home"), func(s string) string { return s + note }))
		q := *p
		q.state = filepath.Join(p.dir, "state of the other")
		q.sync(0)
		p.add(middle, 1)
		p.add(large, 0.5)
		for _, out := range atOnce(p, &q) {
			if out.code != 0 && out.code != 3 {
				t.Fatalf("%s", out)
			}
		}
		p.sync(0)
		q.sync(0)
		p.steady("after both runs, one machine")
		q.steady("after both runs, the other")
		if !holds(t, p.vault, note) {
			t.Fatal("their line is gone")
		}
		p.must(edit(p.note("Home"), func(s string) string { return strings.Replace(s, note, "", 1) }))
		p.sound("two states")
	}
	proved(t, "two runs on one vault, each with a state of its own", 2, *barriers, "no note torn, no word lost, both converge to the vault of one run")
}

// A lock goes with its process; what a file says of it is a hint.
func TestStaleLocks(t *testing.T) {
	p := newPlace(t, small)
	p.sync(0)
	locks, err := filepath.Glob(filepath.Join(p.state, "*", "lock"))
	p.must(err)
	if len(locks) != 1 {
		t.Fatalf("locks: %q", locks)
	}
	lock := locks[0]
	p.must(os.WriteFile(lock+".pid", fmt.Appendf(nil, "%d\n", os.Getpid()), 0o600))
	p.add(middle, 1)
	p.sync(0) // the process named lives and is not a run of ours
	p.sound("a number that another process has now")

	held := holdLock(t, lock)
	p.must(os.WriteFile(lock+".pid", []byte("4194304\n"), 0o600))
	if out := p.run("sync"); out.code != 11 || strings.Contains(out.stderr, "4194304") {
		t.Errorf("a process that does not live is named: %s", out)
	}
	p.must(os.WriteFile(lock+".pid", fmt.Appendf(nil, "%d\n", os.Getpid()), 0o600))
	if out := p.run("sync"); out.code != 11 || !strings.Contains(out.stderr, fmt.Sprint(os.Getpid())) {
		t.Errorf("the process that holds the lock is not named: %s", out)
	}
	p.must(held.Close())
	p.sound("the lock is free again")
	proved(t, "stale and foreign lock files", 3, 1, "the lock counts, not what the file says; a process that is gone is not named")
}

func holdLock(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A run whose lock file is deleted is not joined by another.
func TestDeletedLock(t *testing.T) {
	p := newPlace(t, small)
	p.sync(0)
	p.add(middle, 1)
	stopped := strace(t, "-e", "trace=renameat2", "-e", "inject=renameat2:signal=SIGSTOP:when=1")
	first := p.command(stopped, "sync")
	p.must(first.Start())
	pid := p.waitStopped(first.Process.Pid)
	locks, err := filepath.Glob(filepath.Join(p.state, "*", "lock"))
	p.must(err)
	p.must(os.Remove(locks[0]))
	if out := p.run("sync"); out.code != 11 {
		t.Errorf("a second run works beside the first: %s", out)
	}
	p.must(syscall.Kill(pid, syscall.SIGKILL))
	_ = first.Wait()
	p.sound("the lock file was deleted, its holder killed")
	proved(t, "lock file deleted while a run holds it, then kill -9", 1, 1, "a second run ends with code 11; the lock goes with the process")
}

// A file system without locks is refused, and named.
func TestNoLocks(t *testing.T) {
	for _, fault := range []string{"ENOLCK", "EOPNOTSUPP", "ENOSYS"} {
		p := newPlace(t, small)
		out := p.runUnder(strace(t, "-e", "trace=flock", "-e", "inject=flock:error="+fault), "sync")
		if out.code != 1 || !strings.Contains(out.stderr, "no lock can be had") || !strings.Contains(out.stderr, "hint: ") {
			t.Errorf("%s: %s", fault, out)
		}
		p.sound(fault)
	}
	proved(t, "state folder on a file system without locks", 3, 1, "refused and named, nothing written")
}
