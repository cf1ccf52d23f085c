package schedule

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeSystem answers the commands of systemd, launchd and Windows as if what was
// installed ran.
type fakeSystem struct {
	ran   []string
	loose bool   // the timer runs
	fails string // the command that fails, by a word of it
}

func (s *fakeSystem) run(_ context.Context, _ string, command ...string) (string, error) {
	line := strings.Join(command, " ")
	s.ran = append(s.ran, line)
	if s.fails != "" && strings.Contains(line, s.fails) {
		return "", errors.New(line + ": exit status 1: Failed to connect to bus")
	}
	for _, word := range command {
		switch word {
		case "restart", "bootstrap", "/Create":
			s.loose = true
		case "disable", "bootout", "/Delete":
			s.loose = false
		case "print", "/Query":
			if !s.loose {
				return "", errors.New("there is no such thing")
			}
			return `"\sessionloom-x","03/11/2026 10:00:00","Ready"` + "\n", nil
		case "show":
			if s.loose {
				return "ActiveState=active\nUnitFileState=enabled\nNextElapseUSecRealtime=Tue 2026-11-03 09:30:00 UTC\n", nil
			}
			return "ActiveState=inactive\nUnitFileState=\nNextElapseUSecRealtime=\n", nil
		}
	}
	return "", nil
}

func kindNamed(m Machine, name string) Kind {
	kinds := Kinds(m)
	return kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })]
}

// What install made, remove takes out, whatever of it is left.
func TestNothingIsLeftBehind(t *testing.T) {
	for _, name := range []string{"systemd", "launchd", "windows"} {
		home := t.TempDir()
		s := &fakeSystem{}
		m := exampleMachine(home)
		m.Run = s.run
		k, p := kindNamed(m, name), exampleSpec()
		p.Args = p.Args[:3] // which all of them can say
		for i, want := range []bool{true, false} {
			if changed, err := k.Install(t.Context(), p); err != nil || changed != want {
				t.Fatalf("%s: install %d: %v, %v", name, i, changed, err)
			}
		}
		state, err := k.Find(t.Context(), p.Name)
		if err != nil || !state.Active || state.When != p.When || state.Next.IsZero() {
			t.Errorf("%s: found %+v (%v)", name, state, err)
		}
		p.When = When{Daily: true, Hour: 9}
		if changed, err := k.Install(t.Context(), p); err != nil || !changed {
			t.Errorf("%s: another time: %v, %v", name, changed, err)
		}
		for _, made := range files(t, home) { // half of it is gone
			again, err := k.Install(t.Context(), p)
			if err != nil || again {
				t.Errorf("%s: %v, %v", name, again, err)
			}
			must(t, os.Remove(made))
			if _, err := k.Remove(t.Context(), p.Name); err != nil || s.loose {
				t.Errorf("%s without %s: %v, runs: %v", name, made, err, s.loose)
			}
			if left := files(t, home); len(left) > 0 {
				t.Errorf("%s without %s leaves %q", name, made, left)
			}
			if _, err := k.Find(t.Context(), p.Name); !errors.Is(err, ErrNone) {
				t.Errorf("%s is still found: %v", name, err)
			}
			if _, err := k.Install(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A first install that the system refuses leaves nothing; a change that it refuses
// leaves the timer that was there.
func TestRefusedInstalls(t *testing.T) {
	for name, fails := range map[string]string{"systemd": "enable", "launchd": "bootstrap", "windows": "/Create"} {
		home := t.TempDir()
		s := &fakeSystem{fails: fails}
		m := exampleMachine(home)
		m.Run = s.run
		k, p := kindNamed(m, name), exampleSpec()
		p.Args = p.Args[:3] // which all of them can say
		if _, err := k.Install(t.Context(), p); err == nil || !strings.Contains(err.Error(), "Failed to connect") {
			t.Errorf("%s: %v", name, err)
		}
		if left := files(t, home); len(left) > 0 {
			t.Errorf("%s leaves %q", name, left)
		}
		s.fails = ""
		if _, err := k.Install(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		s.fails = fails
		p.When = When{Daily: true}
		if _, err := k.Install(t.Context(), p); err == nil || len(files(t, home)) == 0 {
			t.Errorf("%s: %v, left are %q", name, err, files(t, home))
		}
	}
}

// Units of a user who keeps them elsewhere and links to them stay links.
func TestLinkedFilesStayLinks(t *testing.T) {
	home := t.TempDir()
	m := exampleMachine(home)
	m.Run = (&fakeSystem{}).run
	dots := filepath.Join(home, "dots")
	if err := errors.Join(os.MkdirAll(dots, 0o700), os.MkdirAll(m.Config, 0o700), os.Symlink(dots, filepath.Join(m.Config, "systemd"))); err != nil {
		t.Skip(err)
	}
	k := kindNamed(m, "systemd")
	if _, err := k.Install(t.Context(), exampleSpec()); err != nil {
		t.Fatal(err)
	}
	if made := files(t, dots); len(made) != 2 {
		t.Errorf("made %q", made)
	}
	if _, err := k.Remove(t.Context(), exampleSpec().Name); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(m.Config, "systemd")); err != nil {
		t.Errorf("the user's link is gone: %v", err)
	}
}

func files(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return err
	})
	must(t, err)
	return list
}
