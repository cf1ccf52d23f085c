package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// control is one guard and how to break it.
type control struct {
	Guard string `yaml:"guard"` // what holds, in plain words
	Edits []edit `yaml:"edits"` // what takes it away
	Test  string `yaml:"test"`  // arguments of "go test"
}

// edit replaces the one place in a file that reads Old.
type edit struct {
	File string `yaml:"file"` // path from the root of the module
	Old  string `yaml:"old"`
	New  string `yaml:"new"`
}

func load(file string) (c control, err error) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, &c)
	}
	if err == nil && (c.Guard == "" || c.Test == "" || len(c.Edits) == 0) {
		err = errors.New("guard, test and edits are needed")
	}
	if err != nil {
		err = fmt.Errorf("CANNOT BE READ: %w", err)
	}
	return c, err
}

// failed finds the names of failed tests in the output of "go test".
var failed = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)|^panic: (.*)`)

// isGreen runs the test as it is.
func (c control) isGreen() error {
	if out, err := c.goTest(""); err != nil {
		return fmt.Errorf("RED ANYWAY: go test %s: %w\n%s", c.Test, err, out)
	}
	return nil
}

// goesRed runs the test with the guard broken and says what failed. It complains
// if nothing does, or if the test does not get as far as to fail.
func (c control) goesRed() (string, error) {
	dir, err := os.MkdirTemp("", "control-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := c.overlay(dir)
	if err != nil {
		return "", err
	}
	// Tests that build the program themselves fail, too, where it does not compile.
	if out, err := command(overlay, append([]string{"build"}, c.packages()...)); err != nil {
		return "", fmt.Errorf("DOES NOT COMPILE: %w\n%s", err, out)
	}
	out, err := c.goTest(overlay)
	red := failed.FindStringSubmatch(out)
	switch {
	case err == nil:
		return "", fmt.Errorf("STAYS GREEN: go test %s\n%s", c.Test, out)
	case red == nil:
		return "", fmt.Errorf("NO TEST FAILED: %w\n%s", err, out)
	}
	return "red: " + red[1] + red[2], nil
}

// goTest runs the test; overlay names what the compiler is to take instead of
// some files.
func (c control) goTest(overlay string) (out string, err error) {
	quick := []string{"test", "-count=1", "-timeout=10m", "-vet=off", "-ldflags=-w"}
	return command(overlay, append(quick, strings.Fields(c.Test)...))
}

func command(overlay string, args []string) (out string, err error) {
	cmd := exec.Command("go", args...)
	if overlay != "" {
		// By the environment: tests that build the program build the broken one.
		cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// packages are those that the edits are in.
func (c control) packages() (list []string) {
	for _, e := range c.Edits {
		list = append(list, "./"+path.Dir(e.File))
	}
	slices.Sort(list)
	return slices.Compact(list)
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
