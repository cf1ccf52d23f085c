// Command controls proves that tests guard what they say they guard: it breaks
// one guard after the other, in a copy that only the compiler sees, and expects
// the test to go red.
//
//	go run ./.ci/controls            all of them
//	go run ./.ci/controls fsync swap those whose name contains one of the words
//
// A control is a file *.yaml beside this one; [control] has its fields.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// control is one guard and how to break it.
type control struct {
	Guard string `yaml:"guard"` // what holds, in plain words
	Edits []edit `yaml:"edits"` // what takes it away
	Test  string `yaml:"test"`  // arguments of "go test"
	name  string
}

// edit replaces the one place in a file that reads Old.
type edit struct {
	File string `yaml:"file"` // path from the root of the module
	Old  string `yaml:"old"`
	New  string `yaml:"new"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(words []string) error {
	files, err := filepath.Glob(".ci/controls/*.yaml")
	if err != nil {
		return err
	}
	unguarded := 0
	for _, file := range files {
		c, err := load(file)
		if err != nil {
			return err
		}
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(c.name, w) }) {
			continue
		}
		began := time.Now()
		verdict := "red, as it must"
		if err := c.goesRed(); err != nil {
			unguarded++
			verdict = err.Error()
		}
		fmt.Printf("%-34s %5.1fs  %s\n", c.name, time.Since(began).Seconds(), verdict)
	}
	if unguarded > 0 {
		return fmt.Errorf("%d controls did not turn their test red", unguarded)
	}
	return nil
}

func load(file string) (control, error) {
	c := control{name: strings.TrimSuffix(filepath.Base(file), ".yaml")}
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, &c)
	}
	if err == nil && (c.Guard == "" || c.Test == "" || len(c.Edits) == 0) {
		err = errors.New("guard, test and edits are needed")
	}
	if err != nil {
		err = fmt.Errorf("read %q: %w", file, err)
	}
	return c, err
}

// goesRed runs the test with the guard broken and complains if it passes, or does
// not get as far as to fail.
func (c control) goesRed() error {
	dir, err := os.MkdirTemp("", "control-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := c.overlay(dir)
	if err != nil {
		return err
	}
	args := append([]string{"test", "-count=1", "-timeout=10m"}, strings.Fields(c.Test)...)
	cmd := exec.Command("go", args...)
	// Tests that build the program themselves build the broken one.
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return fmt.Errorf("STAYS GREEN: go test %s\n%s", c.Test, out)
	case strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]"):
		return fmt.Errorf("DOES NOT COMPILE\n%s", out)
	case !strings.Contains(string(out), "--- FAIL") && !strings.Contains(string(out), "panic:"):
		return fmt.Errorf("NO TEST FAILED: %w\n%s", err, out)
	}
	return nil
}

// overlay writes the broken files into dir and gives the path of what tells the
// compiler to take them.
func (c control) overlay(dir string) (string, error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	broken := map[string]string{} // path in the module → text
	for _, e := range c.Edits {
		path := filepath.Join(root, filepath.FromSlash(e.File))
		text, ok := broken[path]
		if !ok {
			raw, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			text = string(raw)
		}
		if n := strings.Count(text, e.Old); n != 1 {
			return "", fmt.Errorf("STALE: its text stands %d times in %q, not once", n, e.File)
		}
		broken[path] = strings.Replace(text, e.Old, e.New, 1)
	}
	replace := map[string]string{}
	for path, text := range broken {
		at := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[path] = at
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	at := filepath.Join(dir, "overlay.json")
	return at, os.WriteFile(at, list, 0o600)
}
