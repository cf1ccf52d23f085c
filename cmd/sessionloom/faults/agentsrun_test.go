//go:build unix

package faults

import (
	"bytes"
	"context"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// driver is what differs from one agent to the other.
type driver struct {
	label   string // of the program
	named   string // flag of sessionloom that names its home
	folder  string // its home, in that of its user
	pkg     string // of npm
	program string // below node_modules
	answers func(*model, http.ResponseWriter, *http.Request)
	env     func(*agent) []string
	settles func(*agent) // writes its settings
	args    func(how way, session, words string) []string
	writes  func(path, text string) toolCall
	shell   func(command string) toolCall
}

// way is how a prompt relates to a session.
type way int

const (
	begun   way = iota // in a new one
	resumed            // in that one
	forked             // in a new one, that begins with a copy of that one
)

// agent is a genuine coding agent: the published one, with a home and a project of
// its own, that knows no other model than the scripted one.
type agent struct {
	*place
	*model
	driver
	program string
	user    string // the home folder of whoever uses it
	project string
}

// newAgent installs a version of an agent, or skips where npm cannot.
func newAgent(t *testing.T, d driver, version string) *agent {
	t.Helper()
	if version == "" {
		t.Skipf("needs a version of %s, by a flag", d.label)
	}
	name := strings.TrimPrefix(d.folder, ".")
	program := install(t, *cache, name, d.pkg, version, d.program)
	p := newPlace(t)
	a := &agent{place: p, model: modelOf(t, d.answers), driver: d, program: program, user: filepath.Join(p.dir, "user")}
	p.home, p.named = filepath.Join(a.user, d.folder), d.named
	a.project = filepath.Join(a.user, "src", "widget")
	p.must(os.MkdirAll(p.home, 0o700))
	p.repository(a.project, a.outside())
	d.settles(a)
	t.Logf("%s %s", d.label, a.version())
	return a
}

// outside is all that the agent sees of the outside.
func (a *agent) outside() []string {
	return append(a.env(a), "HOME="+a.user, "PATH="+os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/sh", "TZ=UTC",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1") // nobody listens there
}

// version asks the program for its own.
func (a *agent) version() string {
	a.t.Helper()
	cmd := exec.Command(a.program, "--version")
	cmd.Env = a.outside()
	out, err := cmd.Output()
	if err != nil {
		a.t.Skipf("%s does not start here: %v", a.label, err)
	}
	return strings.TrimSpace(string(out))
}

// prompts has the agent answer one prompt and end. Steps are what the model says. It
// gives the session.
func (a *agent) prompts(how way, session, words string, steps ...step) string {
	a.t.Helper()
	cmd, out := a.prompting(how, session, words, steps...)
	if err := cmd.Wait(); err != nil {
		a.t.Fatalf("%s, %q: %v\n%s", a.label, words, err, out)
	}
	if left := a.unsaid(); left > 0 {
		a.t.Fatalf("%s, %q: %d answers were not asked for\n%s", a.label, words, left, out)
	}
	return a.session(how, session, out)
}

// killed has the model say the steps, the last of which hangs, and kills the agent in
// the middle of it.
func (a *agent) killed(how way, session, words string, steps ...step) string {
	a.t.Helper()
	cmd, out := a.prompting(how, session, words, steps...)
	select {
	case <-a.hanging:
	case <-time.After(2 * time.Minute):
		_ = cmd.Cancel()
		_ = cmd.Wait()
		a.t.Fatalf("%s does not ask the model: %s", a.label, out)
	}
	for begun := time.Now(); !a.keeps(words); time.Sleep(20 * time.Millisecond) { // what no file has is lost to all
		if time.Since(begun) > 30*time.Second {
			a.t.Fatalf("%s does not write down the prompt %q", a.label, words)
		}
	}
	a.must(cmd.Cancel())
	_ = cmd.Wait()
	return a.session(how, session, out)
}

// keeps reports whether a log of the agent has a message of the user with words. Claude
// Code writes first that a prompt waits, and a moment later that it was sent.
func (a *agent) keeps(words string) bool {
	found, _ := grep(a.home, words) // an error: a file went just now
	for path := range strings.SplitSeq(found, "\n") {
		if filepath.Ext(path) != ".jsonl" {
			continue
		}
		text, _ := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, words) && strings.Contains(line, `"role":"user"`) {
				return true
			}
		}
	}
	return false
}

// prompting starts what prompts waits for.
func (a *agent) prompting(how way, session, words string, steps ...step) (*exec.Cmd, *bytes.Buffer) {
	a.t.Helper()
	a.will(steps...)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	a.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, a.program, a.args(how, session, words)...)
	cmd.Dir, cmd.Env = a.project, a.outside()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	a.must(cmd.Start())
	return cmd, out
}

// saysID is where the agents print the session they are in.
var saysID = regexp.MustCompile(`"(?:session_id|thread_id)":"([0-9a-f-]{36})"`)

// session reads which session the agent said it is in, and expects that this is a new
// one where it should be.
func (a *agent) session(how way, session string, out *bytes.Buffer) string {
	a.t.Helper()
	m := saysID.FindSubmatch(out.Bytes())
	if m == nil || (string(m[1]) == session) != (how == resumed) {
		a.t.Fatalf("%s says of no session that fits %q: %s", a.label, session, out)
	}
	return string(m[1])
}

// watching is a "sessionloom watch" that follows an agent.
type watching struct {
	*agent
	cmd     *exec.Cmd
	said    string   // file with what it prints
	prompts []string // that arrived
}

// watches starts it, and waits until it watches.
func (a *agent) watches() *watching {
	a.t.Helper()
	eager := filepath.Join(a.dir, "eager.yaml") // looks while the agent is still writing
	a.must(os.WriteFile(eager, []byte("watch:\n  quiet: 100ms\n  at_most: 500ms\n"), 0o600))
	w := &watching{agent: a, said: filepath.Join(a.dir, "watch.log"),
		cmd: a.commandWithin(15*time.Minute, nil, "watch", "--interval", "2s", "--config", eager)}
	log, err := os.Create(w.said)
	a.must(err)
	w.cmd.Stdout, w.cmd.Stderr = log, log
	a.must(w.cmd.Start())
	a.must(log.Close())
	a.t.Cleanup(func() { // where the test ended early
		_ = w.cmd.Cancel()
		_ = w.cmd.Wait()
	})
	w.until("it watches", func() bool { return strings.Contains(w.log(), "watching") })
	return w
}

func (w *watching) log() string {
	text, err := os.ReadFile(w.said)
	w.must(err)
	return string(text)
}

// until waits for something the watch should bring about.
func (w *watching) until(what string, is func() bool) {
	w.t.Helper()
	for begun := time.Now(); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			w.t.Fatalf("not after a minute: %s. The watch says\n%s", what, w.log())
		}
	}
}

// arrives waits for a prompt to come into the vault, with words of its answer.
func (w *watching) arrives(prompt string, answers ...string) {
	w.t.Helper()
	w.prompts = append(w.prompts, prompt)
	w.until("the prompt "+prompt, func() bool { return w.stands(prompt) > 0 })
	w.shows(answers...)
}

// shows waits for words to come into the vault.
func (w *watching) shows(all ...string) {
	w.t.Helper()
	for _, words := range all {
		w.until("the words "+words, func() bool {
			found, _ := grep(w.vault, words) // an error: a note is being replaced
			return found != ""
		})
	}
}

// stands counts the prompts of the vault that hold words.
func (w *watching) stands(words string) (n int) {
	_ = filepath.WalkDir(w.vault, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".md" {
			return nil // it may have gone just now
		}
		text, _ := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "> [!question]") && strings.Contains(line, words) {
				n++
			}
		}
		return nil
	})
	return n
}

// once expects that each prompt that arrived stands once in the vault.
func (w *watching) once() {
	w.t.Helper()
	for _, prompt := range w.prompts {
		if n := w.stands(prompt); n != 1 {
			w.t.Errorf("the prompt %q stands %d times in the vault", prompt, n)
		}
	}
}

// ends stops the watch as Ctrl-C does, and expects that nothing went wrong.
func (w *watching) ends() {
	w.t.Helper()
	w.must(w.cmd.Process.Signal(os.Interrupt))
	_ = w.cmd.Wait()
	if code := w.cmd.ProcessState.ExitCode(); code != 130 || strings.Contains(w.log(), "error: ") {
		w.t.Errorf("the watch ended with %d: %s", code, w.log())
	}
	w.t.Logf("the watch said\n%s", w.log())
}
