package faults

import (
	"strings"
	"syscall"
	"testing"
)

// A run of a timer that is killed leaves no word of its own; what it left tells that
// it broke off.
func TestKilledRunOfATimer(t *testing.T) {
	p := newPlace(t, small)
	p.sync(0)
	for i := range 3 {
		p.add(middle, float64(i+1)/3)
		cmd := p.command(strace(t, "-e", "trace=renameat2", "-e", "inject=renameat2:signal=SIGKILL:when=1"), "sync", "--scheduled")
		_ = cmd.Run()
		if cmd.ProcessState.Success() {
			t.Fatal("it was not killed")
		}
	}
	out := p.run("schedule", "status")
	if n := strings.Count(out.stdout, "broke off: it was killed"); n != 3 {
		t.Errorf("%d of 3 are told: %s", n, out)
	}
	if out := p.run("status"); !strings.Contains(out.stdout, "the last scheduled runs failed: 3 in a row") {
		t.Errorf("status does not speak of it: %s", out)
	}

	stopped := strace(t, "-e", "trace=renameat2", "-e", "inject=renameat2:signal=SIGSTOP:when=1")
	atWork := p.command(stopped, "sync", "--scheduled")
	p.must(atWork.Start())
	pid := p.waitStopped(atWork.Process.Pid)
	if out := p.run("schedule", "status"); strings.Count(out.stdout, "broke off") != 3 {
		t.Errorf("one that is at work is told as broken off: %s", out)
	}
	p.must(syscall.Kill(pid, syscall.SIGKILL))
	_ = atWork.Wait()
	if out := p.run("schedule", "status"); strings.Count(out.stdout, "broke off") != 4 {
		t.Errorf("it was killed, and is not told: %s", out)
	}
	if out := p.run("sync", "--scheduled"); out.code != 0 || out.stdout+out.stderr != "" {
		t.Errorf("%s", out)
	}
	if out := p.run("status"); strings.Contains(out.stdout, "runs failed") {
		t.Errorf("it is told although the next run went well: %s", out)
	}
	p.sound("after runs of a timer were killed")
	proved(t, "kill -9 of a run that a timer began", 4, 1, "status tells that it broke off, until one went well; one at work is not taken for it")
}
