package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sessionloom/sessionloom/testdata/inmemory"
	"github.com/sessionloom/sessionloom/testdata/ownhome"
)

// actAs has this test binary be the program, for the git that a test runs.
const actAs = "SESSIONLOOM_TEST_ACTS"

func TestMain(m *testing.M) {
	if os.Getenv(actAs) != "" {
		os.Exit(run())
	}
	inmemory.TempDirs()
	zone := os.Getenv("TZ") // vaults take the zone of the system
	clock := func(zone string) {
		if err := os.Setenv("TZ", zone); err != nil {
			panic(err)
		}
	}
	clock("UTC")
	debug.SetGCPercent(400) // passes are short and the machine is the test's own
	testscript.Main(ownhome.Tests{M: m}, map[string]func(){"sessionloom": func() { clock(zone); os.Exit(run()) }})
}

// Each script is a user at a shell in a fresh home folder.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition:           func(name string) (bool, error) { return name == "whole" && *everything, nil },
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			for name, value := range map[string]string{
				"HOME": home, "USERPROFILE": home, "APPDATA": filepath.Join(home, "appdata"), "LOCALAPPDATA": filepath.Join(home, "local"),
				"XDG_CONFIG_HOME": filepath.Join(home, ".config"), "XDG_STATE_HOME": filepath.Join(home, ".local", "state"),
				"COPILOT_HOME": "", "GOGC": "400", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"),
				"GIT_CEILING_DIRECTORIES": e.WorkDir, "TZ": "UTC", "RESTED": time.Now().UTC().Add(-2 * time.Hour).Format(time.RFC3339),
			} {
				e.Setenv(name, value)
			}
			if program, err := exec.LookPath("sessionloom"); err == nil { // for scripts that leave git out of the path
				e.Setenv("BIN", filepath.Dir(program))
			}
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await": await, "code": code, "field": field, "hold": hold, "tree": tree, "replace": replace, "private": private, "none": none, "sample": sample, "terminal": onTerminal,
		},
	})
}

// await PATTERN [TEXT] waits until a file matches, and holds the text, for a
// program in the background.
func await(ts *testscript.TestScript, _ bool, args []string) {
	for begin := time.Now(); time.Since(begin) < 30*time.Second; time.Sleep(20 * time.Millisecond) {
		found, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		for _, f := range found {
			text, err := os.ReadFile(f)
			if err == nil && (len(args) == 1 || strings.Contains(string(text), args[1])) {
				return
			}
		}
	}
	ts.Fatalf("no file comes that matches %q", args)
}

// code N COMMAND… checks the exit code of a command.
func code(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// field PATH [VALUE] checks a value of the JSON object on the last standard
// output: names and indexes with dots between, numbers and booleans as text.
func field(ts *testscript.TestScript, neg bool, args []string) {
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	for name := range strings.SplitSeq(args[0], ".") {
		switch w := v.(type) {
		case map[string]any:
			v = w[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(w) {
				ts.Fatalf("%s: no element %q of %d", args[0], name, len(w))
			}
			v = w[i]
		default:
			v = nil
		}
	}
	got := fmt.Sprint(v)
	if (len(args) > 1 && got == args[1] || len(args) == 1 && v != nil) == neg {
		ts.Fatalf("%s is %s", args[0], got)
	}
}

// hold FILE takes the lock another run would hold, until the script ends.
func hold(ts *testscript.TestScript, _ bool, args []string) {
	l := flock.New(one(ts, args[0]))
	ok, err := l.TryLock()
	ts.Check(err)
	if !ok {
		ts.Fatalf("%s is locked already", args[0])
	}
	ts.Defer(func() { _ = l.Unlock() })
}

// woven is a home folder in which the sample was synced, with its vault in "vault".
var woven = sync.OnceValues(func() (string, error) {
	home, err := os.MkdirTemp(os.Getenv("HOME"), "woven-")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("sessionloom", "sync", "--create", "--quiet", "--sample", "--vault", filepath.Join(home, "vault"))
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CONFIG_HOME="+home, "LOCALAPPDATA="+home, "APPDATA="+home)
	return home, cmd.Run()
})

// sample DIR does what "sessionloom sync --create --quiet --sample --vault DIR" does, for less.
func sample(ts *testscript.TestScript, _ bool, args []string) {
	home, err := woven()
	ts.Check(err)
	state, dir := filepath.Join(ts.Getenv("XDG_STATE_HOME"), "sessionloom"), ts.MkAbs(args[0])
	ts.Check(os.CopyFS(dir, os.DirFS(filepath.Join(home, "vault"))))
	ts.Check(os.CopyFS(state, os.DirFS(filepath.Join(home, "state", "sessionloom"))))
	entry := one(ts, state+"/*/vault")
	ts.Check(os.Chmod(filepath.Dir(entry), 0o700))
	ts.Check(os.WriteFile(entry, []byte(dir+"\nAgents\n"), 0o600))
}

// none PATTERN checks that no file matches; with ! that one does.
func none(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) > 0 != neg {
		ts.Fatalf("%s matches %q", args[0], found)
	}
}

// tree DIR FILE lists all files below DIR with size and modification time, but
// for the one that names the process at work.
func tree(ts *testscript.TestScript, _ bool, args []string) {
	var b strings.Builder
	dir := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || d.IsDir() || d.Name() == "lock.pid" {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "%s %d %d\n", filepath.ToSlash(rel), info.Size(), info.ModTime().UnixNano())
		return nil
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o600))
}

// replace OLD NEW FILE edits a file as a person would.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	file := one(ts, args[2])
	text, err := os.ReadFile(file)
	ts.Check(err)
	if !strings.Contains(string(text), args[0]) {
		ts.Fatalf("%s does not hold %q", file, args[0])
	}
	ts.Check(os.WriteFile(file, []byte(strings.Replace(string(text), args[0], args[1], 1)), 0o600))
}

// private PATTERN checks that nobody else can look into a folder or read a file.
func private(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(one(ts, args[0]))
	ts.Check(err)
	if info.Mode().Perm()&0o077 != 0 {
		ts.Fatalf("%s has mode %o", args[0], info.Mode().Perm())
	}
}

// one finds the only file a pattern matches.
func one(ts *testscript.TestScript, pattern string) string {
	found, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("%s matches %q", pattern, found)
	}
	return found[0]
}
