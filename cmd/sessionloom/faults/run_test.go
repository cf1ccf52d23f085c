//go:build unix

package faults

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/inmemory"
	"github.com/sessionloom/sessionloom/testdata/ownhome"
)

// sampled is which points of a fault are tried by default: each one of so many.
const sampled = 40

// every is how many points of a fault are tried: with 1 all of them, with 10 each
// tenth. "make faults" tries all.
var every = flag.Int("faults.every", sampled, "try each n-th point of a fault")

// built is the folder of the program, once it is built.
var built string

// program is the built command; it is built once for all tests.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "sessionloom")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "github.com/sessionloom/sessionloom/cmd/sessionloom")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	flag.Parse()
	inmemory.TempDirs()
	code := ownhome.Tests{M: m}.Run()
	table.print()
	_ = os.RemoveAll(built)
	os.Exit(code)
}

// outcome is how a run of the program ended.
type outcome struct {
	args           []string
	code           int // -1: killed
	stdout, stderr string
}

func (o outcome) String() string {
	return fmt.Sprintf("%q ended with %d\n%s%s", o.args, o.code, o.stdout, o.stderr)
}

// run runs the program on the place.
func (p *place) run(args ...string) outcome {
	p.t.Helper()
	return p.runUnder(nil, args...)
}

// runUnder runs the program under another one, such as strace with its flags.
func (p *place) runUnder(wrapper []string, args ...string) outcome {
	p.t.Helper()
	cmd := p.command(wrapper, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return outcome{args, cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// command is the program on the place, not yet started. Nothing may take longer
// than a minute: a test that hangs is a finding.
func (p *place) command(wrapper []string, args ...string) *exec.Cmd {
	p.t.Helper()
	return p.commandWithin(time.Minute, wrapper, args...)
}

// commandWithin is a command that may take longer.
func (p *place) commandWithin(limit time.Duration, wrapper []string, args ...string) *exec.Cmd {
	p.t.Helper()
	path, err := program()
	p.must(err)
	line := append(append(append([]string(nil), wrapper...), path), append(args, p.flagsOf(args[0])...)...)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	p.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + p.dir, "TZ=UTC", "GOGC=400"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what a wrapper leaves behind goes with it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// strace returns the start of a command line that injects faults, or skips.
func strace(t *testing.T, flags ...string) []string {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("needs strace")
	}
	if out, err := exec.Command(path, "-o", os.DevNull, "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %s", out)
	}
	return append([]string{path, "-f", "-qq", "-o", os.DevNull}, flags...)
}

// rows collects what the tests proved, for the table at the end.
type rows struct {
	mu   sync.Mutex
	list []string
}

var table rows

// proved adds a line to the table: a fault, at how many points it was injected,
// in how many runs, and what held.
func proved(t *testing.T, fault string, points, runs int, held string) {
	t.Helper()
	if t.Failed() {
		held = "FAILED"
	}
	table.mu.Lock()
	defer table.mu.Unlock()
	table.list = append(table.list, fmt.Sprintf("| %s | %d × %d | %s | %s |", fault, points, runs, held, t.Name()))
}

// print writes the table where tests are asked to speak.
func (r *rows) print() {
	if testing.Verbose() && len(r.list) > 0 {
		fmt.Printf("| fault | points × runs | result | test |\n|---|---|---|---|\n%s\n", strings.Join(r.list, "\n"))
	}
}
