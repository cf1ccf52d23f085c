package main

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// mostFields is how many fields a struct may have, promoted ones included, that is handed
// from file to file by pointer: with more of them nobody can tell what a function needs.
const mostFields = 12

// wide are the structs of extract that may have more: models, views and settings.
var wide = map[string]string{
	"extract.Engine":               "the settings of a run",
	"sources.Session":              "the model of a session",
	"extract/internal/facts.Facts": "the model of a note",
}

func TestNoStructIsPassedAroundWhole(t *testing.T) {
	t.Parallel()
	files := map[string]map[string]bool{}
	for _, p := range checkedPackages(t) {
		if p.name != "extract" && !strings.HasPrefix(p.name, "extract/") {
			continue
		}
		for _, file := range p.files {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				for _, name := range widePointers(p, f) {
					if files[name] == nil {
						files[name] = map[string]bool{}
					}
					files[name][p.name+"/"+p.fileOf(file.Pos())] = true
				}
			}
		}
	}
	for name, in := range files {
		if wide[name] == "" && len(in) > 1 {
			t.Errorf("%s has more than %d fields and is a pointer parameter in %d files: %s", name, mostFields, len(in), strings.Join(slices.Sorted(maps.Keys(in)), " "))
		}
	}
	for name := range wide {
		if len(files[name]) < 2 {
			t.Errorf("%s need not be listed: no second file has a pointer to it", name)
		}
	}
}

// widePointers names the structs with too many fields to which a function is given a
// pointer, its receiver included.
func widePointers(p checkedPackage, f *ast.FuncDecl) (names []string) {
	fields := f.Type.Params.List
	if f.Recv != nil {
		fields = append(slices.Clone(fields), f.Recv.List...)
	}
	for _, field := range fields {
		pointer, ok := p.info.Types[field.Type].Type.(*types.Pointer)
		if !ok {
			continue
		}
		named, ok := pointer.Elem().(*types.Named)
		if !ok || named.Obj().Pkg() == nil {
			continue
		}
		path, ours := strings.CutPrefix(named.Obj().Pkg().Path(), "github.com/sessionloom/sessionloom/")
		if ours && fieldsOf(named) > mostFields {
			names = append(names, path+"."+named.Obj().Name())
		}
	}
	return names
}

// fieldsOf counts the fields of a struct, those of embedded ones too.
func fieldsOf(t types.Type) (n int) {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return 0
	}
	for i := range s.NumFields() {
		n++
		if f := s.Field(i); f.Embedded() {
			n += fieldsOf(f.Type())
		}
	}
	return n
}
