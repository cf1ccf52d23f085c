package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata"
)

// The tests know nothing of who runs them: with the sample in the home of each agent, some of them
// that read every place they know find none of it.
func TestTestersOwnHistoryIsNotRead(t *testing.T) {
	home := t.TempDir()
	tests, err := os.Executable()
	err = errors.Join(err, testdata.WriteCopilotHome(filepath.Join(home, ".copilot")), testdata.WriteVSCodeUser(filepath.Join(home, ".config", "Code", "User")))
	for flag, dir := range map[string]string{"claude-home": ".claude", "codex-home": ".codex", "gemini-home": ".gemini"} {
		err = errors.Join(err, testdata.WriteHome(flag, filepath.Join(home, dir)))
	}
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(tests, "-test.run=^(TestDeletedNotes|TestOwnHomeIsEmpty)$", "-test.v")
	c.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "COPILOT_HOME="+filepath.Join(home, ".copilot"), "CLAUDE_CONFIG_DIR="+filepath.Join(home, ".claude"),
		"CODEX_HOME="+filepath.Join(home, ".codex"), "XDG_CONFIG_HOME="+filepath.Join(home, ".config"))
	out, err := c.CombinedOutput()
	if err != nil || strings.Contains(string(out), "7524f8de") || strings.Count(string(out), "--- PASS") < 2 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestOwnHomeIsEmpty reads all default places.
func TestOwnHomeIsEmpty(t *testing.T) {
	out, stderr, code := runProgram(t, "", "export")
	if out != "" || code != exitDone {
		t.Errorf("exit code %d: %d bytes of history, %s", code, len(out), stderr)
	}
}
