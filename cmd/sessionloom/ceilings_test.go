package main

import (
	"bytes"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// ceiling is how much code a package has at most: files and lines, tests left out.
type ceiling struct{ files, lines int }

// usual is what one still reads as a whole. When a feature does not fit a package,
// the shape changes, not the ceiling.
var usual = ceiling{30, 4000}

// ceilings are those of packages that have one of their own. The commands have a file
// each; the others are larger than they should be, and may only shrink until they can
// be struck off this list.
var ceilings = map[string]ceiling{
	"cmd/sessionloom": {45, 4500},
}

func TestPackagesAreSmall(t *testing.T) {
	t.Parallel()
	have := map[string]ceiling{}
	eachFile(t, func(dir string, set *token.FileSet, file *ast.File) {
		c := have[dir]
		c.files++
		c.lines += set.File(file.FileStart).LineCount()
		have[dir] = c
	})
	within := func(c, most ceiling) bool { return c.files <= most.files && c.lines <= most.lines }
	for dir, c := range have {
		most, listed := ceilings[dir]
		if !listed {
			most = usual
		}
		if !within(c, most) {
			t.Errorf("%s has %d files and %d lines, at most %d and %d are allowed", dir, c.files, c.lines, most.files, most.lines)
		}
		if listed && !within(most, usual) && within(c, usual) && dir != "cmd/sessionloom" {
			t.Errorf("%s is small now: strike it off the list", dir)
		}
	}
	for dir := range ceilings {
		if have[dir].files == 0 {
			t.Errorf("%s is listed and has no code", dir)
		}
	}
}

// shares are the parts of the repository, and how many lines each has at most. The program is
// all that is in a top-level folder; what it leaves out has ceilings of its own, so that nothing
// is hidden there. They may only shrink.
var shares = map[string]int{
	"the program":     81643,
	"cmd":             14304,
	"extract":         31002,
	"sources":         23270,
	"templates":       4424,
	"vault":           8643,
	"tests":           59955,
	"sourcetest":      1490,
	".ci":             3200,
	"cmd/loombench":   3340,
	"embedded tables": 3210,
}

// shareOf is the part that a file belongs to; empty: none that is counted.
func shareOf(p string) string {
	top, _, _ := strings.Cut(p, "/")
	isGo := strings.HasSuffix(p, ".go")
	switch {
	case top == ".ci":
		return ".ci"
	case strings.HasSuffix(p, "_test.go"):
		return "tests"
	case p == "extract/redact/gitleaks/gitleaks.toml":
		return "embedded tables"
	case isGo && strings.Contains(p, "/sourcetest/"):
		return "sourcetest"
	case isGo && strings.HasPrefix(p, "cmd/loombench/"):
		return "cmd/loombench"
	case isGo && top != p && !strings.Contains(p, "testdata/"):
		return top
	}
	return ""
}

func TestRepositoryIsSmall(t *testing.T) {
	t.Parallel()
	have := map[string]int{}
	files := os.DirFS(root)
	err := fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && (d.Name() == ".git" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return err
		}
		share := shareOf(p)
		if share == "" {
			return nil
		}
		text, err := fs.ReadFile(files, p)
		lines := bytes.Count(text, []byte("\n"))
		have[share] += lines
		switch share {
		case "cmd", "extract", "sources", "templates", "vault":
			have["the program"] += lines
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for share, most := range shares {
		if n := have[share]; n == 0 || n > most {
			t.Errorf("%s: %d lines, at most %d are allowed", share, n, most)
		}
	}
	for share := range have {
		if shares[share] == 0 {
			t.Errorf("%s has no ceiling", share)
		}
	}
}
