package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// control is a guard and how to break it, as .ci/controls reads it.
type control struct {
	Name  string `yaml:"name"`
	Guard string `yaml:"guard"`
	Edits []struct {
		Old string `yaml:"old"`
		New string `yaml:"new"`
	} `yaml:"edits"`
	Test string `yaml:"test"`
}

// A control that fits the code no longer proves nothing: each of its texts stands
// once in the module, its test exists, and the list of guards names it. That
// its test goes red is what "make controls" sees.
func TestControlsFit(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, ".ci", "controls", "controls.yaml"))
	if err != nil {
		t.Skip("there are no controls in what was downloaded")
	}
	known := yaml.NewDecoder(bytes.NewReader(text))
	known.KnownFields(true)
	var all []control
	expect.OK(t, known.Decode(&all))
	guards := expect.Value(os.ReadFile(filepath.Join(root, ".ci", "controls", "README.md")))(t)
	module := builtText(t)
	for _, c := range all {
		for _, why := range c.unfit(module) {
			t.Errorf("%s: %s", c.Name, why)
		}
		if !bytes.Contains(guards, []byte("`"+c.Name+"`")) {
			t.Errorf("%s: .ci/controls/README.md does not name it", c.Name)
		}
	}
}

// builtText is all text that the program is built of.
func builtText(t *testing.T) string {
	var all strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		built := strings.HasSuffix(path, ".tmpl") || strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if d.IsDir() || !built {
			return nil
		}
		text, err := os.ReadFile(path)
		all.WriteString(strings.ReplaceAll(string(text), "\r\n", "\n") + "\x00")
		return err
	})
	expect.OK(t, err)
	return all.String()
}

// unfit explains why a control cannot be carried out.
func (c control) unfit(module string) (why []string) {
	if c.Guard == "" || len(c.Edits) == 0 {
		why = append(why, "guard and edits are needed")
	}
	for _, e := range c.Edits {
		if n := strings.Count(module, e.Old); n != 1 {
			why = append(why, fmt.Sprintf("its text stands %d times in the module: %q", n, e.Old))
		}
		if e.Old == e.New {
			why = append(why, fmt.Sprintf("it changes nothing: %q", e.Old))
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
