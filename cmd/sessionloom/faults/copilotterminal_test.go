//go:build unix

package faults

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// terminal is the CLI as one uses it at a terminal: tmux holds it, types what we
// say and reports what is on the screen.
type terminal struct {
	*cli
	socket string
}

// terminal starts the CLI in a terminal, or skips where there is no tmux.
func (c *cli) terminal(args ...string) *terminal {
	c.t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		c.t.Skip("needs tmux")
	}
	dir, err := os.MkdirTemp("", "loom") // the path of a socket must be short
	c.must(err)
	x := &terminal{cli: c, socket: filepath.Join(dir, "tmux")}
	c.t.Cleanup(func() {
		if pid, err := x.pid(); err == nil {
			_ = syscall.Kill(-pid, syscall.SIGKILL)
		}
		_ = x.tmux("kill-server")
		_ = os.RemoveAll(dir)
	})
	line := append([]string{"-f", os.DevNull, "new-session", "-d", "-s", "t", "-x", "150", "-y", "50", "-c", c.project, "--", "env", "-i"}, c.env()...)
	line = append(line, c.program, "--allow-all-tools", "--allow-all-paths")
	if out := x.tmux(append(line, args...)...); out != "" {
		c.t.Skipf("tmux does not start here: %s", out)
	}
	x.until("it shows where to type", func() bool { return regexp.MustCompile(`❯|> `).MatchString(x.screen()) })
	time.Sleep(4 * time.Second) // it loses what is typed before it has loaded everything
	return x
}

func (x *terminal) tmux(args ...string) string {
	cmd := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "HOME=" + x.user}
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		return err.Error()
	}
	return string(out)
}

func (x *terminal) screen() string { return x.tmux("capture-pane", "-p", "-t", "t") }

// until waits for something to come true, a minute at most.
func (x *terminal) until(what string, ok func() bool) {
	x.t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			x.t.Fatalf("waited in vain until %s:\n%s", what, x.screen())
		}
	}
}

// shows waits for words on the screen.
func (x *terminal) shows(words string) {
	x.t.Helper()
	x.until("it shows "+strconv.Quote(words), func() bool { return strings.Contains(x.screen(), words) })
}

// keys presses keys by their names.
func (x *terminal) keys(names ...string) {
	for _, name := range names {
		x.tmux("send-keys", "-t", "t", name)
		time.Sleep(700 * time.Millisecond)
	}
}

// enters types a line.
func (x *terminal) enters(line string) {
	x.tmux("send-keys", "-t", "t", "-l", line)
	time.Sleep(time.Second)
	x.keys("Enter")
}

// asks types a prompt and waits until it is answered and written down.
func (x *terminal) asks(session, words string, steps ...step) {
	x.t.Helper()
	x.begins(words, steps...)
	x.quiet(session)
}

// begins types a prompt, again where it was lost, and sees the model be asked.
func (x *terminal) begins(words string, steps ...step) {
	x.t.Helper()
	x.will(steps...)
	was, _, _ := x.count()
	asked := func() bool { n, _, _ := x.count(); return n > was }
	for range 4 {
		x.enters(words)
		for end := time.Now().Add(8 * time.Second); time.Now().Before(end) && !asked(); {
			time.Sleep(200 * time.Millisecond)
		}
		if asked() {
			return
		}
		x.keys("C-u")
	}
	x.t.Fatalf("the CLI does not take %q:\n%s", words, x.screen())
}

// quiet waits until nothing is left to answer and the log does not grow.
func (x *terminal) quiet(session string) {
	x.t.Helper()
	size, calm := 0, 0
	x.until("all is answered", func() bool {
		_, _, left := x.count()
		n := len(x.log(session))
		if left == 0 && n == size && n > 0 {
			calm++
		} else {
			calm = 0
		}
		size = n
		return calm > 8
	})
}

// compacts has the conversation summed up.
func (x *terminal) compacts(session string) {
	x.t.Helper()
	_, was, _ := x.count()
	x.enters("/compact")
	x.until("the model sums up", func() bool { _, n, _ := x.count(); return n > was })
	x.quiet(session)
}

// sessions lists those of which the CLI keeps a folder.
func (c *cli) sessions() []string {
	logs, _ := filepath.Glob(filepath.Join(c.home, "session-state", "*", "workspace.yaml"))
	var ids []string
	for _, log := range logs {
		ids = append(ids, filepath.Base(filepath.Dir(log)))
	}
	return ids
}

// pid is that of the CLI.
func (x *terminal) pid() (int, error) {
	return strconv.Atoi(strings.TrimSpace(x.tmux("list-panes", "-t", "t", "-F", "#{pane_pid}")))
}

// breaksOff interrupts the answer under way.
func (x *terminal) breaksOff(session string) {
	x.t.Helper()
	x.until("the answer is broken off", func() bool {
		x.tmux("send-keys", "-t", "t", "Escape")
		time.Sleep(300 * time.Millisecond)
		x.tmux("send-keys", "-t", "t", "Escape")
		time.Sleep(2 * time.Second)
		return strings.Contains(x.log(session), `"type":"abort"`)
	})
	x.quiet(session)
}

// rewinds takes back the last prompts, as many as told.
func (x *terminal) rewinds(session string, prompts int) {
	x.t.Helper()
	x.enters("/rewind")
	for range prompts - 1 {
		x.keys("Down")
	}
	x.keys("Enter")
	x.shows("Conversation only")
	x.keys("Enter")
	x.shows("Rewound the conversation")
	x.keys("Escape", "C-u")
	x.quiet(session)
}

// forks makes a copy of the session that continues by itself, and returns its id.
func (x *terminal) forks() string {
	x.t.Helper()
	before := x.sessions()
	x.enters("/fork")
	fork := ""
	x.until("there is a fork", func() bool {
		for _, id := range x.sessions() {
			if !slices.Contains(before, id) {
				fork = id
			}
		}
		return fork != ""
	})
	x.quiet(fork)
	return fork
}

// kill ends the CLI as a crash would.
func (x *terminal) kill() {
	x.t.Helper()
	pid, err := x.pid()
	x.must(err)
	x.must(syscall.Kill(-pid, syscall.SIGKILL)) // what tmux starts leads a group
	x.until("it is dead", func() bool { return syscall.Kill(pid, 0) != nil })
}

// leaves ends the CLI as its user would.
func (x *terminal) leaves() {
	x.t.Helper()
	x.enters("/exit")
	x.until("it ended", func() bool {
		time.Sleep(3 * time.Second)
		if _, err := x.pid(); err != nil {
			return true
		}
		x.keys("C-c", "C-c") // where the line was lost
		return false
	})
}
