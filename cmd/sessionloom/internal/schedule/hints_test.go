package schedule

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A timer runs as the user who sets it up, never as root by sudo.
func TestTimersDoNotRunAsRoot(t *testing.T) {
	for _, test := range []struct {
		uid           int
		sudoUser, who string
	}{{1000, "", ""}, {1000, "dev", ""}, {0, "", ""}, {0, "root", ""}, {0, "dev", "dev"}} {
		if who := Sudoer(test.uid, test.sudoUser); who != test.who {
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

// When a timer was set up is told by its files, if it has any.
func TestSetUp(t *testing.T) {
	at := time.Date(2026, 11, 3, 9, 30, 0, 0, time.UTC)
	unit := filepath.Join(t.TempDir(), "sessionloom-notes.timer")
	must(t, errors.Join(os.WriteFile(unit, nil, 0o600), os.Chtimes(unit, at, at)))
	if got := setUpAt([]string{unit, "task sessionloom-notes"}); !got.Equal(at) {
		t.Errorf("it is %s", got)
	}
	if got := setUpAt([]string{"task sessionloom-notes"}); !got.IsZero() {
		t.Errorf("without files it is %s", got)
	}
}
