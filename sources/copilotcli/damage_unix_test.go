//go:build unix

package copilotcli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sessionloom/sessionloom/sources/copilotcli"
)

func TestWhatCannotBeReadIsToldAndTheRestIsRead(t *testing.T) {
	home := t.TempDir()
	session(t, home, id, nil)
	damage := map[string]func(path string){
		"plan.md":                 func(p string) { must(t, syscall.Mkfifo(p, 0o600)) },
		"workspace.yaml":          func(p string) { must(t, os.Mkdir(p, 0o700)) },
		"session.db":              func(p string) { write(t, p, []byte(strings.Repeat("garbage ", 100))) },
		"files/link.md":           func(p string) { must(t, os.Symlink("/etc/hostname", p)) },
		"checkpoints/001-loop.md": func(p string) { must(t, os.Symlink("001-loop.md", p)) },
	}
	for name, do := range damage {
		path := at(home, id, name)
		must(t, os.RemoveAll(path))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		do(path)
	}
	must(t, os.Symlink("loop", filepath.Join(home, "session-state", "loop")))
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	l := list(t, s)
	layers, r := readItem(t, s, l.Items[0])
	told := map[string]bool{}
	for _, p := range slices.Concat(l.Problems, r.Problems) {
		if p.Err == nil || !p.Fatal || p.Item == "" {
			t.Errorf("a problem that says too little: %+v", p)
		}
		told[p.Path] = true
	}
	for name := range damage {
		if !told[at(home, id, name)] {
			t.Errorf("%s is not told of", name)
		}
	}
	if !told[filepath.Join(home, "session-state", "loop")] {
		t.Error("the link that leads to itself is not told of")
	}
	if log := layers["events"].Session; log == nil || len(log.Turns) != 1 {
		t.Error("the log was not read")
	}
}

func TestAnUnreadableSidecarIsToldToHaveFailed(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	home := t.TempDir()
	session(t, home, id, nil)
	s := copilotcli.New(copilotcli.Config{Homes: []string{home}})
	write(t, at(home, id, "plan.md"), []byte("- [x] conform, now longer\n"))
	must(t, os.Chmod(at(home, id, "plan.md"), 0))
	layers, r := readItem(t, s, itemOf(t, s, id))
	if !layers["plan"].Failed || layers["sidecars"].Provisional {
		t.Errorf("plan %+v, sidecars %+v", layers["plan"], layers["sidecars"])
	}
	if len(r.Problems) != 1 || r.Problems[0].Hint == "" {
		t.Errorf("problems: %v", r.Problems)
	}
}
