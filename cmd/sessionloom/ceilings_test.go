package main

import (
	"go/ast"
	"go/token"
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
