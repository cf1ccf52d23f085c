package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxRing is the most files of a package that may need each other in a ring: more
// cannot be understood one after the other.
const maxRing = 8

// largerRings are the packages that have a larger one yet, with its files.
var largerRings = map[string]int{
	"cmd/sessionloom":                 50,
	"cmd/sessionloom/internal/config": 10,
	"extract/ledger":                  10,
	"extract/redact":                  18,
	"sources/copilotcli":              27,
	"sources/vscode":                  11,
	"templates":                       12,
	"vault":                           16,
}

func TestFilesFormNoLargeRings(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,GoFiles,Export,Module", "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	var ours []goPackage
	for packages := json.NewDecoder(bytes.NewReader(out)); packages.More(); {
		var p goPackage
		if err := packages.Decode(&p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main {
			ours = append(ours, p)
		}
	}
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range ours {
		name := strings.TrimPrefix(p.ImportPath, p.Module.Path+"/")
		ring := largestRing(p.usesOfFiles(t, set, imports))
		switch allowed := max(maxRing, largerRings[name]); {
		case len(ring) > allowed:
			t.Errorf("%s: %d files need each other, at most %d may: %s", name, len(ring), allowed, strings.Join(ring, " "))
		case largerRings[name] > 0 && len(ring) <= maxRing:
			t.Errorf("%s: its largest ring has %d files: take it out of the list", name, len(ring))
		}
	}
}

// goPackage is a package as the go command tells of it.
type goPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct {
		Path string
		Main bool
	}
}

// usesOfFiles tells of each file of a package which others declare what it uses.
func (p goPackage) usesOfFiles(t *testing.T, set *token.FileSet, imports types.Importer) map[string][]string {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports}
	checked, err := config.Check(p.ImportPath, set, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	fileOf := func(at token.Pos) string { return filepath.Base(set.Position(at).Filename) }
	out := map[string][]string{}
	for id, object := range info.Uses {
		if object.Pkg() != checked {
			continue
		}
		if from, to := fileOf(id.Pos()), fileOf(object.Pos()); from != to && !slices.Contains(out[from], to) {
			out[from] = append(out[from], to)
		}
	}
	return out
}

// largestRing finds the most files that all lead to each other.
func largestRing(uses map[string][]string) (largest []string) {
	reached := map[string]map[string]bool{}
	for from := range uses {
		seen := map[string]bool{}
		for next := slices.Clone(uses[from]); len(next) > 0; next = next[1:] {
			if !seen[next[0]] {
				seen[next[0]] = true
				next = append(next, uses[next[0]]...)
			}
		}
		reached[from] = seen
	}
	for _, from := range slices.Sorted(maps.Keys(reached)) {
		var ring []string
		for to := range reached[from] {
			if reached[to][from] {
				ring = append(ring, to)
			}
		}
		if len(ring) > len(largest) {
			largest = slices.Sorted(slices.Values(ring))
		}
	}
	return largest
}
