package schedule

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
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
		if at := Transient(path); (at != "") != transient {
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

// When a timer was set up is told by its files, if it has any.
func TestSetUp(t *testing.T) {
	at := time.Date(2026, 11, 3, 9, 30, 0, 0, time.UTC)
	unit := filepath.Join(t.TempDir(), "sessionloom-notes.timer")
	if err := errors.Join(os.WriteFile(unit, nil, 0o600), os.Chtimes(unit, at, at)); err != nil {
		t.Fatal(err)
	}
	if got := setUpAt([]string{unit, "task sessionloom-notes"}); !got.Equal(at) {
		t.Errorf("it is %s", got)
	}
	if got := setUpAt([]string{"task sessionloom-notes"}); !got.IsZero() {
		t.Errorf("without files it is %s", got)
	}
}
