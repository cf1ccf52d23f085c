package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// contents are the files of a folder by path with slashes.
type contents map[string]content

type content struct {
	text  string // a hash where it is no short text
	mtime time.Time
}

func walk(t testing.TB, dir string) contents {
	t.Helper()
	out := contents{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := content{mtime: info.ModTime()}
		if d.Type()&fs.ModeSymlink != 0 {
			f.text, err = os.Readlink(path)
		} else if text, rerr := os.ReadFile(path); rerr != nil {
			err = rerr
		} else if f.text = string(text); len(text) > 1<<16 || bytes.IndexByte(text, 0) >= 0 {
			f.text = fmt.Sprintf("sha256 %x", sha256.Sum256(text))
		}
		out[filepath.ToSlash(rel)] = f
		return err
	})
	expect.OK(t, err)
	return out
}

// differences tells in a unified diff what b has otherwise than a, times too where
// they matter.
func differences(a, b contents, times bool) string {
	var out strings.Builder
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		x, inA := a[path]
		y, inB := b[path]
		switch {
		case !inA:
			fmt.Fprintf(&out, "+ %s\n", path)
		case !inB:
			fmt.Fprintf(&out, "- %s\n", path)
		case x.text != y.text:
			out.WriteString(udiff.Unified(path, path, x.text, y.text))
		case times && !x.mtime.Equal(y.mtime):
			fmt.Fprintf(&out, "written again: %s\n", path)
		}
	}
	return out.String()
}

// keepTimes returns the files of a copy the times of the original.
func keepTimes(t testing.TB, from, to string) {
	t.Helper()
	for path, f := range walk(t, from) {
		expect.OK(t, os.Chtimes(filepath.Join(to, filepath.FromSlash(path)), f.mtime, f.mtime))
	}
}

// hunks are the changed lines of a text, each with the one before and after.
func hunks(t testing.TB, old, now string) string {
	t.Helper()
	text := expect.Value(udiff.ToUnified("", "", old, udiff.Lines(old, now), 1))(t)
	_, text, _ = strings.Cut(text, "\n+++ \n")
	return text
}

// compareGolden compares an archive with the one in testdata, or writes it.
func compareGolden(t testing.TB, name string, a txtar.Archive) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", filepath.FromSlash(name)+".txtar")
	got := txtar.Format(&a)
	if *update && !t.Failed() {
		expect.OK(t, cmp.Or(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, got, 0o644)))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; make it with -update", err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("the vault is not the golden one; -update rewrites it:\n%s", udiff.Unified("golden", "now", string(want), string(got)))
	}
}
