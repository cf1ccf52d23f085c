//go:build unix

package faults

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// cli is a genuine Copilot CLI: the published one, with a home and a project of
// its own, that knows no other model than the scripted one.
type cli struct {
	*place
	*model
	program string
	user    string // the home folder of whoever uses it
	project string
}

// newCLI installs a version of the Copilot CLI below cache, unless it is there, or
// skips where npm cannot.
func newCLI(t *testing.T, version, cache string) *cli {
	t.Helper()
	p := newPlace(t)
	c := &cli{place: p, model: newModel(t), program: install(t, cache, "copilot", "@github/copilot", version, ".bin/copilot"), user: filepath.Join(p.dir, "user")}
	p.home = filepath.Join(c.user, ".copilot")
	c.project = filepath.Join(c.user, "src", "widget")
	p.must(os.MkdirAll(p.home, 0o700))
	p.repository(c.project, c.env())
	return c
}

// repository makes a project with a remote and one commit, or skips where git cannot.
func (p *place) repository(dir string, env []string) {
	p.t.Helper()
	p.must(os.MkdirAll(dir, 0o700))
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"remote", "add", "origin", "https://github.com/octo-org/widget.git"},
		{"-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-q", "--allow-empty", "-m", "begin"},
	} {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(slices.Clone(env), "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			p.t.Skipf("needs git: %v %s", err, out)
		}
	}
}

// install has npm install a version of a package below cache, unless it is there, or
// skips where npm cannot. No script of the package is run. It gives the path of the
// program, which a pattern finds below node_modules.
func install(t *testing.T, cache, name, pkg, version, pattern string) string {
	t.Helper()
	if cache == "" {
		cache = t.TempDir()
	}
	prefix := expect.Value(filepath.Abs(filepath.Join(cache, name+"-"+version)))(t)
	pattern = filepath.Join(prefix, "node_modules", filepath.FromSlash(pattern))
	if found, _ := filepath.Glob(pattern); len(found) > 0 {
		return found[0]
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skipf("needs Node.js and npm, to install %s", pkg)
	}
	expect.OK(t, os.MkdirAll(prefix, 0o700))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, npm, "install", "--prefix", prefix, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", pkg+"@"+version).CombinedOutput()
	if err != nil {
		t.Skipf("npm cannot install %s %s: %v\n%s", pkg, version, err, out)
	}
	found, _ := filepath.Glob(pattern)
	if len(found) == 0 {
		t.Skipf("%s %s has no program for this system", pkg, version)
	}
	return found[0]
}

// env is all that the CLI sees of the outside.
func (c *cli) env() []string {
	return []string{
		"HOME=" + c.user, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/sh", "TZ=UTC",
		"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_CACHE_HOME=" + filepath.Join(c.dir, "cache"),
		"COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_WIRE_API=completions", "COPILOT_PROVIDER_API_KEY=unused",
		"COPILOT_PROVIDER_BASE_URL=" + c.URL + "/v1", "COPILOT_MODEL=scripted",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1", // nobody listens there
		"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=100000", "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=4000",
	}
}

// version asks the program for its own.
func (c *cli) version() string {
	c.t.Helper()
	cmd := exec.Command(c.program, "--version")
	cmd.Env = c.env()
	out, err := cmd.Output()
	if err != nil {
		c.t.Skipf("the Copilot CLI does not start here: %v", err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSuffix(line, ".")
}

// prompt has the CLI answer one prompt and end. Steps are what the model says.
func (c *cli) prompt(session, words string, steps ...step) {
	c.t.Helper()
	cmd, out := c.prompting(session, words, steps...)
	if err := cmd.Wait(); err != nil {
		c.t.Fatalf("copilot -p %q: %v\n%s", words, err, out)
	}
}

// prompting starts what prompt waits for.
func (c *cli) prompting(session, words string, steps ...step) (*exec.Cmd, *bytes.Buffer) {
	c.t.Helper()
	c.will(steps...)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	c.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, c.program, "-p", words, "--session-id", session, "--allow-all-tools", "--allow-all-paths", "--no-color")
	cmd.Dir, cmd.Env = c.project, c.env()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	c.must(cmd.Start())
	return cmd, out
}

// killed has the model say the steps, the last of which hangs, and kills the CLI
// in the middle of it.
func (c *cli) killed(session, words string, steps ...step) {
	c.t.Helper()
	cmd, out := c.prompting(session, words, steps...)
	c.hangs(out)
	c.must(syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	_ = cmd.Wait()
}

// hangs waits until the model is in the middle of an answer that does not end.
func (c *cli) hangs(out *bytes.Buffer) {
	c.t.Helper()
	select {
	case <-c.hanging:
	case <-time.After(2 * time.Minute):
		c.t.Fatalf("the CLI does not ask the model: %s", out)
	}
}

// log reads what the CLI wrote of a session so far.
func (c *cli) log(session string) string {
	text, _ := os.ReadFile(filepath.Join(c.home, "session-state", session, "events.jsonl"))
	return string(text)
}

// grep names the files of a folder that hold words.
func grep(dir, words string) (string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), words) {
			found = append(found, path)
		}
		return err
	})
	return strings.Join(found, "\n"), err
}
