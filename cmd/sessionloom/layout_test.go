package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The longest file and function that one reads with pleasure.
const (
	maxFileLines = 400
	maxFuncLines = 90
)

// topLevel is all that is in the project's folder, beside dot files.
var topLevel = strings.Fields("cmd vault extract sources templates testdata docs " +
	"go.mod go.sum config.example.yaml README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE Makefile")

// writers are the folders whose code may change files, and which files.
var writers = map[string]string{
	"cmd":                     "state, configuration, scratch, exported templates",
	"vault":                   "notes",
	"extract/ledger":          "the ledger",
	"sources/internal/sqlite": "private copies",
	"sources/sourcetest":      "copies of fixtures",
}

// changes are the functions of package os that change files. OpenFile is one of
// them when its flags say so.
var changes = strings.Fields("Chmod Chtimes CopyFS Create CreateTemp Link Mkdir MkdirAll MkdirTemp " +
	"Remove RemoveAll Rename Symlink Truncate WriteFile")

const root = "../.."

// What is tracked goes to every system, and into the zip of the module: names
// are plain ASCII without quotes or blanks, and nothing new is at the top.
func TestTrackedFiles(t *testing.T) {
	t.Parallel()
	if _, err := os.Lstat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a git checkout")
	}
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("git cannot list the files: %v", err)
	}
	const legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/"
	seen := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		top, _, _ := strings.Cut(name, "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(topLevel, top) {
			t.Errorf("%q has no place at the top level", top)
		}
		if strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune(legal, r) }) {
			t.Errorf("%q is no plain name", name)
		}
		expect.Is(t, seen[strings.ToLower(name)], "", name, "differ by case alone")
		seen[strings.ToLower(name)] = name
	}
}

func TestCodeIsShort(t *testing.T) {
	t.Parallel()
	eachFile(t, func(_ string, set *token.FileSet, file *ast.File) {
		if n := set.File(file.FileStart).LineCount(); n > maxFileLines {
			t.Errorf("%s has %d lines", set.File(file.FileStart).Name(), n)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			begin := set.Position(f.Pos())
			if n := set.Position(f.End()).Line - begin.Line + 1; n > maxFuncLines {
				t.Errorf("%s: %s has %d lines", begin, f.Name.Name, n)
			}
		}
	})
}

// Promises about files are kept in few places, so only these may change any.
func TestOnlyWritersChangeFiles(t *testing.T) {
	t.Parallel()
	eachFile(t, func(dir string, set *token.FileSet, file *ast.File) {
		for at := dir; at != "."; at = path.Dir(at) {
			if writers[at] != "" {
				return
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && changesFiles(call) {
				t.Errorf("%s changes a file", set.Position(call.Pos()))
			}
			return true
		})
	})
}

func changesFiles(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if pkg, ok := f.X.(*ast.Ident); !ok || pkg.Name != "os" {
		return false
	}
	if f.Sel.Name != "OpenFile" {
		return slices.Contains(changes, f.Sel.Name)
	}
	found := false
	ast.Inspect(call.Args[1], func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && slices.Contains([]string{"O_WRONLY", "O_RDWR", "O_CREATE", "O_TRUNC", "O_APPEND"}, id.Name)
		return true
	})
	return found
}

// eachFile visits the code of the project, tests and fixtures left out. dir is
// the folder of the file below the root.
func eachFile(t *testing.T, visit func(dir string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	files := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		top, _, _ := strings.Cut(p, "/")
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && (d.Name() == "testdata" || !slices.Contains(topLevel, top)):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(root, p), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		visit(path.Dir(p), set, file)
		return nil
	})
	expect.OK(t, err)
	if files < 50 {
		t.Errorf("looked at %d files only", files)
	}
}

// namedFile is a file of Go that a document names in code: with folders before it, or
// without, and with a star for a part of its name.
var namedFile = regexp.MustCompile("`[^` ]*?([a-z_*]+\\.go)`")

// Whoever goes by the architecture's "where to add what" finds the files it names.
func TestArchitectureNamesFiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	expect.OK(t, err)
	var files []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		files = append(files, filepath.Base(path))
		return err
	})
	expect.OK(t, err)
	named := namedFile.FindAllStringSubmatch(string(text), -1)
	for _, m := range named {
		if !slices.ContainsFunc(files, func(f string) bool { ok, _ := path.Match(m[1], f); return ok }) {
			t.Errorf("docs/architecture.md names %s, which is nowhere", m[0])
		}
	}
	if len(named) < 30 {
		t.Errorf("only %d files are named", len(named))
	}
}
