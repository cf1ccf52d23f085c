package schedule

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the goldens anew")

// exampleSpec is a timer as a user would have it, with everything that must be quoted
// somewhere.
func exampleSpec() TimerSpec {
	return TimerSpec{
		Name: "my-notes-1a2b3c4d", Title: "sessionloom: keep ~/My Notes up to date", Program: "/usr/local/bin/sessionloom",
		Args:   []string{"sync", "--scheduled", "--vault=/home/dev/My Notes", "--project=100% <octo & co>'s $HOME"},
		Env:    []string{"COPILOT_HOME=/home/dev/co pilot", "PATH=/usr/bin:/bin"},
		When:   When{Every: 30 * time.Minute},
		Writes: []string{"/home/dev/My Notes", "/home/dev/.local/state/sessionloom"},
	}
}

// exampleMachine has folders below home and no program at all.
func exampleMachine(home string) Machine {
	return Machine{
		GOOS: "linux", Home: home, Config: filepath.Join(home, ".config"), Data: filepath.Join(home, ".local", "share"),
		State: filepath.Join(home, ".local", "state", "sessionloom"), User: "501",
		Run: func(context.Context, string, ...string) (string, error) { return "", errors.New("not here") },
		Now: func() time.Time { return time.Date(2026, 11, 3, 9, 20, 0, 0, time.UTC) }, Waiting: func(time.Duration) {},
	}
}

// The files are what users and their systems see: any change is looked at.
func TestRecipes(t *testing.T) {
	onPOSIX(t)
	for _, when := range []When{{Every: 30 * time.Minute}, {Every: 6 * time.Hour}, {Daily: true, Hour: 9, Minute: 5}} {
		for _, kind := range Kinds(exampleMachine("/home/dev")) {
			p := exampleSpec()
			p.When = when
			if kind.Name == "windows" { // which cannot say a percent sign
				p.Args[3] = `--project=<octo & co>'s "$HOME"\`
			}
			recipe, err := kind.InstallPlan(p)
			if err != nil {
				t.Fatalf("%s: %v", kind.Name, err)
			}
			var b strings.Builder
			for _, f := range recipe.Files {
				fmt.Fprintf(&b, "==> %s\n%s", filepath.ToSlash(f.Path), f.Text)
			}
			for _, c := range recipe.Commands {
				fmt.Fprintf(&b, "$ %s\n", filepath.ToSlash(strings.Join(c, " ")))
			}
			golden(t, filepath.Join("testdata", kind.Name+"-"+strings.NewReplacer(" ", "-", ":", "").Replace(when.String())+".golden"), b.String())
		}
	}
}

// A sync that commits starts hooks and signing programs, which may do anything.
func TestCommitsAreNotConfined(t *testing.T) {
	p := exampleSpec()
	p.Writes = nil
	r, err := kindNamed(exampleMachine("/home/dev"), "systemd").InstallPlan(p)
	must(t, err)
	golden(t, filepath.Join("testdata", "systemd-commit.golden"), r.Files[0].Text)
}

// onPOSIX skips a test that holds paths of other systems where names look otherwise.
func onPOSIX(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of other systems")
	}
}

func golden(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path)
	if err != nil || strings.ReplaceAll(string(want), "\r\n", "\n") != text {
		t.Errorf("%s differs (%v):\n%s", path, err, text)
	}
}

// What would mean something else in the files of a system is refused, never bent.
func TestInexpressible(t *testing.T) {
	for _, kind := range Kinds(exampleMachine("/home/dev")) {
		for _, text := range []string{"a\nb", "a\x00b", "a\x1bb", "a\x7fb", "a\xffb", "a\rb"} {
			for name, put := range map[string]func(*TimerSpec){
				"program": func(p *TimerSpec) { p.Program = "/" + text },
				"word":    func(p *TimerSpec) { p.Args = []string{text} },
				"env":     func(p *TimerSpec) { p.Env = []string{"A=" + text} },
				"title":   func(p *TimerSpec) { p.Title = text },
				"folder":  func(p *TimerSpec) { p.Writes = []string{"/" + text} },
			} {
				p := exampleSpec()
				p.Args = nil
				put(&p)
				if _, err := kind.InstallPlan(p); !errors.Is(err, ErrInexpressible) {
					t.Errorf("%s takes %q as a %s: %v", kind.Name, text, name, err)
				}
			}
		}
	}
	for kind, word := range map[string]string{"windows": "100%", "cron": `back\slash`} {
		for _, k := range Kinds(exampleMachine("/home/dev")) {
			p := exampleSpec()
			p.Args = []string{word}
			if _, err := k.InstallPlan(p); k.Name == kind != errors.Is(err, ErrInexpressible) {
				t.Errorf("%s and %q: %v", k.Name, word, err)
			}
		}
	}
	p := exampleSpec()
	p.Args = append(p.Args, "--vault=/"+strings.Repeat("a", maxCronLine))
	if _, err := (cron{exampleMachine("/home/dev")}).InstallPlan(p); !errors.Is(err, ErrInexpressible) {
		t.Errorf("cron takes a line it would cut: %v", err)
	}
	p = exampleSpec()
	p.Writes = []string{`/both " and '`}
	if _, err := kindNamed(exampleMachine("/home/dev"), "systemd").InstallPlan(p); !errors.Is(err, ErrInexpressible) {
		t.Errorf("a folder with both quotes: %v", err)
	}
	p = exampleSpec()
	p.Program = "/home/dev/o'brien/sessionloom" // which systemd takes for no program
	if _, err := kindNamed(exampleMachine("/home/dev"), "systemd").InstallPlan(p); !errors.Is(err, ErrInexpressible) {
		t.Errorf("a program with a quote: %v", err)
	}
}

func TestWhen(t *testing.T) {
	for _, text := range []string{"every 1m", "every 5m", "every 30m", "every 1h", "every 6h", "every 24h", "daily 00:00", "daily 23:59"} {
		how, value, _ := strings.Cut(text, " ")
		w, err := ParseWhen(how, value)
		if err != nil || w.String() != text {
			t.Errorf("%s is read as %s (%v)", text, w, err)
		}
	}
	for _, text := range []string{"every 0m", "every -30m", "every 7m", "every 45m", "every 90s", "every 5h", "every 48h", "every", "every x", "daily 24:00", "daily 9", "daily", "yearly 1"} {
		how, value, _ := strings.Cut(text, " ")
		if w, err := ParseWhen(how, value); err == nil {
			t.Errorf("%s is read as %s", text, w)
		}
	}
	if err := (When{}).check(); err == nil || (When{}).String() != "at unknown times" {
		t.Error("no time is taken for one")
	}
	at := time.Date(2026, 11, 3, 9, 30, 20, 0, time.UTC)
	for text, want := range map[string]string{
		"every 30m": "2026-11-03 10:00", "every 20m": "2026-11-03 09:40", "every 6h": "2026-11-03 12:00",
		"daily 09:30": "2026-11-04 09:30", "daily 09:31": "2026-11-03 09:31",
	} {
		how, value, _ := strings.Cut(text, " ")
		w, _ := ParseWhen(how, value)
		if got := w.Next(at).Format("2006-01-02 15:04"); got != want {
			t.Errorf("%s after %s is %s, want %s", text, at, got, want)
		}
	}
}

// Vaults have timers of their own, under names that every system takes.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, path := range []string{"/home/dev/Notes", "/home/dev/notes", "/mnt/Notes", "/home/dev/Ünï cödé", "/", "/home/dev/日記", "/home/dev/a very long name of a vault, with more"} {
		for _, folder := range []string{"Agents", "."} {
			name := Name(path, folder)
			if seen[name] || len(name) > maxSlug+9 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
				t.Errorf("%s in %s is called %q", folder, path, name)
			}
			seen[name] = true
		}
	}
}
