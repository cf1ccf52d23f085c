package faults

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	randomRuns = flag.Int("faults.random", 5, "how often a run is interrupted at a random time")
	randomSeed = flag.Uint64("faults.seed", 1, "where random times begin")
)

var interrupts = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// A signal has the note in hand finished and the rest left to the next run,
// whether histories are being read or notes written.
func TestSignalInEveryWindow(t *testing.T) {
	points, runs, readings := 0, 0, 0
	grown(t).watch(&watcher{sources: true, at: func(w window) { points = w.n }}, "sync", "--json")
	for _, n := range append([]int{reads}, calls(2, points, *every)...) {
		for i, signal := range interrupts {
			if *every > 1 && runs%len(interrupts) != i {
				continue
			}
			p, out, reading := interrupted(t, signal, n)
			for tries := 1; tries < 3 && reading && out.code == 0; tries++ {
				p, out, reading = interrupted(t, signal, n) // so small a run may be done before it hears of it
			}
			// The notes of so small a pass are all in hand at once: when they are
			// written, nothing is left to stop.
			heard := strings.Contains(out.stderr, "stopping after the note in hand")
			if (out.code != 130 || !heard) && (out.code != 0 || reading) {
				t.Errorf("%s at %d: %s", signal, n, out)
			}
			if reading {
				readings++
			}
			p.sound(fmt.Sprintf("%s at %d", signal, n))
		}
		runs++
	}
	if readings == 0 {
		t.Error("no signal came while a history was read")
	}
	proved(t, "SIGINT, SIGTERM or SIGHUP before a call of a pass", points, runs, "the note in hand is finished, exit code 130, the next run does the rest")
}

// reads is the first call that reads a history, whichever it is.
const reads = 0

// interrupted is a run that gets a signal before its n-th call, and whether it was
// reading a history then.
func interrupted(t *testing.T, signal syscall.Signal, n int) (p *place, out outcome, reading bool) {
	p = grown(t)
	out = p.watch(&watcher{sources: true, spread: true, at: func(w window) {
		history := filepath.Ext(w.note) == ".jsonl"
		if w.n == n || n == reads && history && !reading {
			reading = history
			_ = syscall.Kill(w.pid, signal)
		}
	}}, "sync", "--json")
	return p, out, reading
}

// The second signal ends the program at once.
func TestSecondSignal(t *testing.T) {
	runs := 0
	for n := 20; n < 100; n += max(1, *every*2) {
		p := grown(t)
		later := 0
		out := p.watch(&watcher{sources: true, at: func(w window) {
			if w.n == n {
				_ = syscall.Kill(w.pid, syscall.SIGINT)
				_ = syscall.Kill(w.pid, syscall.SIGTERM)
			}
			if w.n > n {
				later++
			}
		}}, "sync", "--json")
		if out.code != 130 && out.code != 0 {
			t.Errorf("at %d: %s", n, out)
		}
		p.sound(fmt.Sprintf("two signals at %d", n))
		runs++
	}
	proved(t, "two signals in a pass", runs, 1, "it ends, exit code 130, nothing is torn, the next run does the rest")
}

// Who starts the program in the background has it ignore signals.
func TestIgnoredSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP} {
		p := grown(t)
		name := map[syscall.Signal]string{syscall.SIGINT: "INT", syscall.SIGHUP: "HUP"}[signal]
		out := p.watch(&watcher{wrapper: []string{"sh", "-c", "trap '' " + name + `; exec "$@"`, "sh"}, at: func(w window) {
			if w.n == 30 {
				_ = syscall.Kill(w.pid, signal)
			}
		}}, "sync", "--json")
		if out.code != 0 {
			t.Errorf("%s: %s", signal, out)
		}
		p.sound(signal.String())
	}
	proved(t, "a signal that the program was started to ignore (nohup)", 2, 1, "it goes on and ends well")
}

// Signals and kills at random times, while sources grow.
func TestSignalsAtRandomTimes(t *testing.T) {
	random := rand.New(rand.NewPCG(*randomSeed, 0))
	t.Logf("seed %d", *randomSeed)
	signals := append([]syscall.Signal{syscall.SIGKILL}, interrupts...)
	p := newPlace(t, small)
	for i := range *randomRuns {
		p.add([]string{middle, large}[i%2], min(1, 0.2+0.8*float64(i)/float64(*randomRuns)))
		signal := signals[random.IntN(len(signals))]
		cmd := p.command(nil, "sync")
		p.must(cmd.Start())
		time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
		_ = cmd.Process.Signal(signal)
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code > 0 && code != 130 {
			t.Fatalf("%s in run %d: exit code %d", signal, i, code)
		}
		if i%10 == 9 {
			p.sound(fmt.Sprintf("run %d", i))
		}
	}
	p.sound("signals at random times")
	proved(t, "a signal or kill -9 at a random time while sources grow", *randomRuns, 1, "the vault is that of one run")
}

// A signal while git commits what was written: what was written is committed, or
// waits for the next commit.
func TestSignalWhileCommitting(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git")
	}
	ends := map[string]int{"KILL": -1, "INT": 130, "TERM": 130, "HUP": 130}
	for _, signal := range few(2, []string{"KILL", "INT", "TERM", "HUP"}) {
		p := newPlace(t, small)
		author := []string{"-c", "user.name=A", "-c", "user.email=a@example.com"}
		init := exec.Command(git, append(author, "init", "-q", p.vault)...)
		if out, err := init.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		p.must(os.WriteFile(filepath.Join(p.dir, ".gitconfig"), []byte("[user]\nname=A\nemail=a@example.com\n"), 0o600))
		p.sync(0, "--commit")
		p.add(middle, 1)
		bin := filepath.Join(p.dir, "bin")
		p.must(os.Mkdir(bin, 0o700))
		then := "kill -" + signal + " $PPID; exec " + git + ` "$@"`
		if signal == "KILL" { // right after the commit was made
			then = git + ` "$@"; kill -KILL $PPID; exit`
		}
		shim := "#!/bin/sh\ncase \" $* \" in *\" commit \"*) " + then + ";; esac\nexec " + git + ` "$@"` + "\n"
		p.must(os.WriteFile(filepath.Join(bin, "git"), []byte(shim), 0o700))
		cmd := p.command(nil, "sync", "--commit")
		for j, e := range cmd.Env {
			if strings.HasPrefix(e, "PATH=") {
				cmd.Env[j] = "PATH=" + bin + ":" + e[len("PATH="):]
			}
		}
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != ends[signal] && code != 0 {
			t.Errorf("%s: exit code %d: %s", signal, code, out)
		}
		p.sync(0, "--commit")
		p.steady(signal + " while committing")
		status := exec.Command(git, "-C", p.vault, "status", "--porcelain")
		if out, err := status.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: left uncommitted (%v):\n%s", signal, err, out)
		}
	}
	proved(t, "a signal while git commits", 4, 1, "the next sync --commit leaves nothing uncommitted")
}

// Whoever reads the output may go away, or never have been there.
func TestClosedOutput(t *testing.T) {
	type point struct {
		shell string
		code  int
		args  []string
	}
	var points []point
	for _, tt := range []point{
		{shell: `"$@" | head -c 1; exit 0`},
		{shell: `"$@" | true; exit 0`},
		{shell: `"$@" >&-`, code: -2},
		{shell: `"$@" 2>&-`},
		{shell: `"$@" >&- 2>&- <&-`, code: -2},
		{shell: `"$@" >/dev/full`, code: 1},
		{shell: `"$@" 2>/dev/full`},
		{shell: `"$@" >/dev/null 2>&1`},
	} {
		for _, args := range [][]string{{"sync"}, {"sync", "--json"}, {"sync", "--diff"}} {
			points = append(points, point{tt.shell, tt.code, args})
		}
	}
	points = few(6, points) // each way to print is among them
	for _, at := range points {
		p := newPlace(t, small)
		out := p.runUnder([]string{"sh", "-c", at.shell, "sh"}, at.args...)
		if out.code != at.code && (at.code != -2 || out.code != 0 && out.code != 1) {
			t.Errorf("%s: want %d: %s", at.shell, at.code, out)
		}
		p.sound(at.shell)
	}
	proved(t, "standard output or error closed, full or left by its reader", len(points), 1, "all notes are written; exit code 0, or 1 where the report could not be")
}
