//go:build unix

package askagent_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/askagent"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// program makes a program of a shell script, with the name of an agent or another one.
func program(t *testing.T, name, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	return path
}

// agent is a program that is trusted.
func agent(t *testing.T, script string) *askagent.Agent {
	t.Helper()
	a := expect.Value(askagent.Find([]string{program(t, "mine", script)}, true, exec.LookPath))(t)
	return a
}

// ask has an agent answer, in a folder of which nothing is left.
func ask(t *testing.T, a *askagent.Agent, prompt string) (string, error) {
	t.Helper()
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	answer, err := a.Ask(t.Context(), prompt)
	if left, _ := os.ReadDir(temporary); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return answer, err
}

func TestFind(t *testing.T) {
	look := func(name string) (string, error) { return "/usr/bin/" + filepath.Base(name), nil }
	for _, test := range []struct{ command, name, refused string }{
		{"claude", "claude", ""},
		{"/opt/bin/claude", "claude", ""},
		{"claude --model haiku", "claude haiku", ""},
		{"codex", "codex", ""},
		{"copilot --model gpt-5-mini", "copilot gpt-5-mini", ""},
		{"gemini", "gemini", ""},
		{"ollama run qwen3:8b", "ollama qwen3:8b", ""},
		{"ollama", "", "distil.trust_tools"},
		{"ollama run", "", "distil.trust_tools"},
		{"ollama run -h", "", "distil.trust_tools"},
		{"claude -p", "", "distil.trust_tools"},
		{"claude --model --dangerously-skip-permissions", "", "distil.trust_tools"},
		{"claude --model haiku --dangerously-skip-permissions", "", "distil.trust_tools"},
		{"codex exec --yolo", "", "distil.trust_tools"},
		{"mine --json", "", "distil.trust_tools"},
	} {
		command := strings.Fields(test.command)
		a, err := askagent.Find(command, false, look)
		switch {
		case test.refused == "" && (err != nil || a.Name() != test.name):
			t.Errorf("%q: %v %v, not %q", test.command, a, err, test.name)
		case test.refused != "" && (err == nil || !strings.Contains(err.Error(), test.refused)):
			t.Errorf("%q: the error %v does not say %q", test.command, err, test.refused)
		}
		if a, err = askagent.Find(command, true, look); len(command) > 0 && (err != nil || a.Name() == "") {
			t.Errorf("%q, trusted: %v", test.command, err)
		}
	}
	if _, err := askagent.Find([]string{"claude"}, false, func(string) (string, error) { return "", exec.ErrNotFound }); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("no program: %v", err)
	}
}

func TestAskPrompt(t *testing.T) {
	prompt := strings.Repeat("one line of a long session\n", 20000) // no argument can be as long
	got, err := ask(t, agent(t, "wc -c; echo words on the side >&2"), prompt)
	if err != nil || got != strconv.Itoa(len(prompt)) {
		t.Errorf("%q %v", got, err)
	}
	if got, err = ask(t, agent(t, "echo unread"), prompt); err != nil || got != "unread" {
		t.Errorf("a prompt that is not read: %q %v", got, err)
	}
}

func TestAskFolder(t *testing.T) {
	got, err := ask(t, agent(t, "basename $PWD; ls -A"), "")
	if err != nil || !strings.HasPrefix(got, askagent.Mark) || strings.Contains(got, "\n") {
		t.Errorf("the folder is not an empty one of ours: %q %v", got, err)
	}
}

func TestAskEnvironment(t *testing.T) {
	t.Setenv("GITLAB_TOKEN", "secret of another")
	t.Setenv("NODE_OPTIONS", "--require=/tmp/other.js")
	t.Setenv("ANTHROPIC_API_KEY", "key of one")
	t.Setenv("https_proxy", "http://proxy")
	a := expect.Value(askagent.Find([]string{program(t, "claude", "env")}, false, exec.LookPath))(t)
	got := expect.Value(ask(t, a, ""))(t)
	for _, without := range []string{"secret of another", "other.js"} {
		expect.Lacks(t, got, without, "the agent sees")
	}
	for _, with := range []string{"PATH=", "HOME=", "ANTHROPIC_API_KEY=key of one", "https_proxy=http://proxy"} {
		expect.Has(t, got, with, "the agent does not see")
	}
}

// What the user set and said stays where it is, the login alone is at hand.
func TestAskHome(t *testing.T) {
	for _, test := range []struct{ name, variable, login, renewed string }{
		{"codex", "CODEX_HOME", "auth.json", "renewed"},
		{"copilot", "COPILOT_HOME", "config.json", "login"},
	} {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv(test.variable, home)
			login := filepath.Join(home, test.login)
			for _, path := range []string{login, filepath.Join(home, "AGENTS.md")} {
				must(t, os.WriteFile(path, []byte("login"), 0o600))
			}
			a, err := askagent.Find([]string{program(t, test.name, `[ "$1" = debug ] && echo '{"models": []}' && exit; cd $`+test.variable+`; cat `+test.login+`; printf renewed >`+test.login+`; ls AGENTS.md; true`)}, false, exec.LookPath)
			must(t, err)
			if got, err := ask(t, a, ""); err != nil || got != "login" {
				t.Errorf("%q %v", got, err)
			}
			if text, err := os.ReadFile(login); err != nil || string(text) != test.renewed {
				t.Errorf("the login is then %q %v", text, err)
			}
		})
	}
}

func TestAskHanging(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	hang := "sleep 300 & echo $! >" + pids + "; "
	for _, test := range []struct {
		name, script, answer, failure string
		patience                      time.Duration
	}{
		{"it hangs with a child", hang + "wait", "", "no answer within 200ms", 200 * time.Millisecond},
		{"it ends, a child holds its output", hang + "echo done", "done", "", time.Minute},
		{"it ends, a child runs on", "sleep 300 >/dev/null 2>&1 & echo $! >" + pids + "; echo done", "done", "", time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := agent(t, test.script)
			a.Patience = test.patience
			begun := time.Now()
			got, err := ask(t, a, "")
			if took := time.Since(begun); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
			if got != test.answer || (test.failure == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), test.failure) {
				t.Errorf("%q %v", got, err)
			}
			gone(t, pids)
		})
	}
}

func TestAskCanceled(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	a := agent(t, "sleep 300 & echo $! >"+pids+"; wait")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for _, err := os.Stat(pids); err != nil && ctx.Err() == nil; _, err = os.Stat(pids) {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := a.Ask(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	gone(t, pids)
}

// gone expects that a process has ended, or is about to.
func gone(t *testing.T, pids string) {
	t.Helper()
	text := expect.Value(os.ReadFile(pids))(t)
	pid := expect.Value(strconv.Atoi(strings.TrimSpace(string(text))))(t)
	for begun := time.Now(); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if state, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); strings.Contains(string(state), ") Z ") {
			return // nobody waits for it
		}
		if time.Since(begun) > 5*time.Second {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d lives on", pid)
		}
	}
}

func TestAskFails(t *testing.T) {
	for _, test := range []struct{ name, script, says string }{
		{"words on standard error", "echo first >&2; echo 'no login' >&2; exit 1", "mine: exit status 1: no login"},
		{"words on standard output", "echo 'please log in'; exit 2", "mine: exit status 2: please log in"},
		{"no words", "exit 3", "mine: exit status 3"},
		{"without end", "while :; do echo 0123456789012345678901234567890123456789012345678901234567890123456789; done", "no answer within 1s"},
		{"too many words on standard error", "i=0; while [ $i -lt 20000 ]; do echo more words than anybody reads >&2; i=$((i+1)); done; echo end >&2; exit 1", "exit status 1: end"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := agent(t, test.script)
			if test.name == "without end" {
				a.Patience = time.Second
			}
			got, err := ask(t, a, "")
			if got != "" || err == nil || !strings.Contains(err.Error(), test.says) || len(err.Error()) > 300 {
				t.Errorf("%.100q %.500v", got, err)
			}
		})
	}
}

var must = expect.OK
