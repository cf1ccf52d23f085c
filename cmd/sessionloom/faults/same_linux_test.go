package faults

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// settings of the machine that must make no difference.
var settings = map[string]struct {
	wrapper []string
	env     []string
	flags   []string
	copied  bool // the history lies elsewhere, its files made in another order
	private bool // nobody else may read the notes
}{
	"as it is":                  {},
	"another zone and language": {env: []string{"TZ=Pacific/Kiritimati", "SESSIONLOOM_TIMEZONE=UTC", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"}},
	"a zone in the west":        {env: []string{"TZ=America/Los_Angeles", "SESSIONLOOM_TIMEZONE=UTC", "LANG=C", "LC_ALL=C"}},
	"one processor":             {env: []string{"GOMAXPROCS=1"}, flags: []string{"--jobs", "1"}},
	"many processors":           {env: []string{"GOMAXPROCS=16"}, flags: []string{"--jobs", "8"}},
	"others may write":          {wrapper: []string{"sh", "-c", `umask 000; exec "$@"`, "sh"}},
	"nobody may read":           {wrapper: []string{"sh", "-c", `umask 077; exec "$@"`, "sh"}, private: true},
	"another home":              {env: []string{"HOME=/nowhere"}},
	"another path and order":    {copied: true},
}

// The same history makes the same bytes, whatever the machine is like.
func TestSameBytesEverywhere(t *testing.T) {
	p := newPlace(t, small, middle, large)
	want := p.undisturbed()
	for name, tt := range settings {
		q := *p
		q.dir = t.TempDir()
		q.vault, q.state = filepath.Join(q.dir, "vault"), filepath.Join(q.dir, "state")
		p.must(os.MkdirAll(q.vault, 0o700))
		if tt.copied {
			q.home = filepath.Join(q.dir, "deep", "er", "copilot home")
			copyBackwards(t, p.home, q.home)
		}
		cmd := q.command(tt.wrapper, append([]string{"sync"}, tt.flags...)...)
		cmd.Env = append(cmd.Env, tt.env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		is := tree(t, q.vault)
		expect.Is(t, differences(want, is, false), "", name, "the vault (+) is another (-")
		if mode := is["Agents/Home.md"].mode.Perm(); tt.private && mode&0o077 != 0 {
			t.Errorf("%s: notes have the mode %o", name, mode)
		}
	}
	proved(t, "other zones, languages, processors, jobs, umask, homes, paths and orders of files", len(settings), 1, "the same bytes")
}

// copyBackwards copies a folder, its files in the reverse order of their names
// and with their stamps.
func copyBackwards(t *testing.T, from, to string) {
	t.Helper()
	var files []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	expect.OK(t, err)
	for _, file := range slices.Backward(files) {
		at := filepath.Join(to, strings.TrimPrefix(file, from))
		expect.OK(t, os.MkdirAll(filepath.Dir(at), 0o700))
		if out, err := exec.Command("cp", "-p", file, at).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}
