package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// control is one guard and how to break it.
type control struct {
	Name  string `yaml:"name"`
	Guard string `yaml:"guard"` // the promise, in plain words
	Edits []edit `yaml:"edits"` // the change that breaks it
	Test  string `yaml:"test"`  // arguments of "go test"
}

// edit replaces the one place in the module that reads Old.
type edit struct {
	Old string `yaml:"old"`
	New string `yaml:"new"`
}

// load reads all controls.
func load(file string) (all []control, err error) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("read the controls: %w", err)
	}
	return all, nil
}

// failed matches the names of failed tests in the output of "go test".
var failed = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)|^panic: (.*)`)

// isGreen runs the test as it is.
func (c control) isGreen() error {
	if out, err := c.goTest(""); err != nil {
		return fmt.Errorf("RED ANYWAY: go test %s: %w\n%s", c.Test, err, out)
	}
	return nil
}

// goesRed runs the test with the guard broken and returns what failed. It returns an error if nothing does,
// or if the test does not get that far.
func (c control) goesRed(module map[string]string) (string, error) {
	broken, err := c.breakIn(module)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "control-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	list, err := overlay(dir, broken)
	if err != nil {
		return "", err
	}
	// Tests that build the program themselves also fail if it does not compile.
	if out, err := command(list, append([]string{"build"}, packagesOf(broken)...)); err != nil {
		return "", fmt.Errorf("DOES NOT COMPILE: %w\n%s", err, out)
	}
	out, err := c.goTest(list)
	red := failed.FindStringSubmatch(out)
	switch {
	case err == nil:
		return "", fmt.Errorf("STAYS GREEN: go test %s\n%s", c.Test, out)
	case red == nil:
		return "", fmt.Errorf("NO TEST FAILED: %w\n%s", err, out)
	}
	return "red: " + red[1] + red[2], nil
}

// goTest runs the test; overlay names replacement files for the compiler.
func (c control) goTest(overlay string) (out string, err error) {
	quick := []string{"test", "-count=1", "-timeout=10m", "-vet=off", "-ldflags=-w"}
	return command(overlay, append(quick, strings.Fields(c.Test)...))
}

func command(overlay string, args []string) (out string, err error) {
	cmd := exec.Command("go", args...)
	if overlay != "" {
		// Set in the environment, as tests that build the program must build the broken one.
		cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// breakIn applies the edits to the files of the module and returns those that change.
func (c control) breakIn(module map[string]string) (map[string]string, error) {
	broken := map[string]string{}
	for _, e := range c.Edits {
		var at []string
		for file, text := range module {
			at = append(at, slices.Repeat([]string{file}, strings.Count(text, e.Old))...)
		}
		if len(at) != 1 {
			return nil, fmt.Errorf("STALE: a text of it stands %d times in the module, not once: %q", len(at), e.Old)
		}
		text, ok := broken[at[0]]
		if !ok {
			text = module[at[0]]
		}
		broken[at[0]] = strings.Replace(text, e.Old, e.New, 1)
	}
	return broken, nil
}

// readModule reads the files of the program, by path from the root.
func readModule() (map[string]string, error) {
	module := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		built := strings.HasSuffix(path, ".tmpl") || strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if d.IsDir() || !built {
			return nil
		}
		text, err := os.ReadFile(path)
		module[path] = string(text)
		return err
	})
	return module, err
}

// packagesOf returns the packages of files.
func packagesOf(files map[string]string) (list []string) {
	for file := range files {
		list = append(list, "./"+filepath.ToSlash(filepath.Dir(file)))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// overlay writes the broken files into dir and returns the path of the compiler's overlay file.
func overlay(dir string, broken map[string]string) (string, error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for file, text := range broken {
		at := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, file)] = at
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	at := filepath.Join(dir, "overlay.json")
	return at, os.WriteFile(at, list, 0o600)
}
