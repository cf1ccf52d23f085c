package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A timer runs as the user whose vault it is, never as root for somebody else.
func TestTimersDoNotRunAsRoot(t *testing.T) {
	for _, test := range []struct {
		uid             int
		owner, sudoUser string
		who             string
	}{
		{uid: 1000, owner: "1000"},
		{uid: 1000, owner: "0"}, // a stick that root mounted for all
		{uid: 0, owner: "0"},
		{uid: 0, owner: "0", sudoUser: "root"},
		{uid: 0, owner: ""},
		{uid: 0, owner: "0", sudoUser: "dev", who: "dev, without sudo"},
		{uid: 0, owner: "54321", who: "user 54321"},
	} {
		if who := notRoot(test.uid, test.owner, test.sudoUser); who != test.who {
			t.Errorf("%+v: %q", test, who)
		}
	}
}

// A program that will be gone tomorrow is told of.
func TestTransientPlaces(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	for path, transient := range map[string]bool{
		filepath.Join(os.TempDir(), "x", "sessionloom"):                        true,
		filepath.FromSlash("/home/dev/.cache/go-build12/b001/exe/sessionloom"): true,
		filepath.FromSlash("/usr/local/bin/sessionloom"):                       false,
	} {
		if at := transientPlace(path); (at != "") != transient {
			t.Errorf("%s: %q", path, at)
		}
	}
}

// Where no cron runs, its table is read by nobody.
func TestServes(t *testing.T) {
	proc := t.TempDir()
	for _, test := range []struct {
		pid, name string
		serves    bool
	}{{"1", "init\n", false}, {"77", "crond\n", true}} {
		dir := filepath.Join(proc, test.pid)
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "comm"), []byte(test.name), 0o600)); err != nil {
			t.Fatal(err)
		}
		if serves(proc, "cron") != test.serves {
			t.Errorf("with %s: %v", test.name, !test.serves)
		}
	}
}

// The environment of a timer holds what says where a history lies, a path, and
// nothing else of the shell: it may hold secrets.
func TestTimerEnvironment(t *testing.T) {
	t.Setenv("COPILOT_HOME", "/x")
	t.Setenv("SESSIONLOOM_VAULT", "/v")
	t.Setenv("GITHUB_TOKEN", "not-for-a-file")
	got := strings.Join((&app{env: os.Getenv}).timerEnv(false), "\n")
	if !strings.Contains(got, "COPILOT_HOME=/x\n") || !strings.Contains(got, "SESSIONLOOM_VAULT=/v") || strings.Contains(got, "TOKEN") {
		t.Errorf("it is\n%s", got)
	}
}
