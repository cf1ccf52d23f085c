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
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// checkedPackage is a package of the module, parsed and with its types.
type checkedPackage struct {
	name  string // its folder, from the module's root
	set   *token.FileSet
	files []*ast.File
	types *types.Package
	info  types.Info
}

func (p checkedPackage) fileOf(at token.Pos) string {
	return filepath.Base(p.set.Position(at).Filename)
}

// checkedPackages checks all packages of the module, tests left out.
func checkedPackages(t *testing.T) []checkedPackage {
	t.Helper()
	all, err := checkAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var checkAll = sync.OnceValues(func() (all []checkedPackage, err error) {
	list := exec.Command("go", "list", "-pgo=off", "-deps", "-export", "-json=ImportPath,Dir,GoFiles,Export,Module", "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	var ours []goPackage
	for packages := json.NewDecoder(bytes.NewReader(out)); packages.More(); {
		var p goPackage
		if err := packages.Decode(&p); err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main {
			ours = append(ours, p)
		}
	}
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range ours {
		one, err := p.check(set, imports)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
})

// goPackage is a package as `go list` describes it.
type goPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct {
		Path string
		Main bool
	}
}

func (p goPackage) check(set *token.FileSet, imports types.Importer) (checkedPackage, error) {
	out := checkedPackage{
		name: strings.TrimPrefix(p.ImportPath, p.Module.Path+"/"), set: set,
		info: types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}},
	}
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return out, err
		}
		out.files = append(out.files, f)
	}
	var err error
	out.types, err = (&types.Config{Importer: imports}).Check(p.ImportPath, set, out.files, &out.info)
	return out, err
}
