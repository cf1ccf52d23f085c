package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// control is a guard and how to break it, as .ci/controls reads it.
type control struct {
	Guard string `yaml:"guard"`
	Edits []struct {
		File string `yaml:"file"`
		Old  string `yaml:"old"`
		New  string `yaml:"new"`
	} `yaml:"edits"`
	Test string `yaml:"test"`
}

// A control that fits the code no longer proves nothing: each is found where it
// says, once, names a test that exists, and stands in the table of promises. That
// its test goes red is what "make controls" sees.
func TestControlsFit(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, ".ci", "controls", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("there are no controls in what was downloaded")
	}
	promises, err := os.ReadFile(filepath.Join(root, "docs", "safety.md"))
	if err != nil {
		t.Logf("there is no table of promises yet: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		c, err := readControl(file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, why := range c.unfit() {
			t.Errorf("%s: %s", name, why)
		}
		if promises != nil && !bytes.Contains(promises, []byte(name)) {
			t.Errorf("%s: docs/safety.md does not name it", name)
		}
	}
}

func readControl(file string) (c control, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	known := yaml.NewDecoder(bytes.NewReader(text))
	known.KnownFields(true)
	return c, known.Decode(&c)
}

// unfit tells why a control cannot be carried out.
func (c control) unfit() (why []string) {
	if c.Guard == "" || len(c.Edits) == 0 {
		why = append(why, "guard and edits are needed")
	}
	for _, e := range c.Edits {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(e.File)))
		plain := strings.ReplaceAll(string(text), "\r\n", "\n")
		if n := strings.Count(plain, e.Old); err != nil || n != 1 {
			why = append(why, fmt.Sprintf("its text stands %d times in %s (%v)", n, e.File, err))
		}
		if e.Old == e.New {
			why = append(why, "it changes nothing in "+e.File)
		}
	}
	if !testExists(strings.Fields(c.Test)) {
		why = append(why, fmt.Sprintf("go test %s would run no test", c.Test))
	}
	return why
}

// testFunc finds the tests and fuzz targets of a file.
var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)

// testExists looks for the test that arguments of "go test" name: a package, then
// "-run" with a pattern, which may be missing.
func testExists(args []string) bool {
	if len(args) == 0 {
		return false
	}
	pattern := "."
	for i, arg := range args[:len(args)-1] {
		if arg == "-run" {
			pattern, _, _ = strings.Cut(args[i+1], "/")
		}
	}
	wanted, err := regexp.Compile(pattern)
	files, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(args[0]), "*_test.go"))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			if err == nil && wanted.Match(m[1]) {
				return true
			}
		}
	}
	return false
}
