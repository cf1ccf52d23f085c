package sourcetest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Must fails a test on an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Read returns the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	body, err := os.ReadFile(path)
	Must(t, err)
	return body
}

// Write writes a file, and makes its folders.
func Write(t testing.TB, path string, body []byte) {
	t.Helper()
	Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	Must(t, os.WriteFile(path, body, 0o600))
}

// Append appends to an existing file.
func Append(t testing.TB, path string, more []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	Must(t, err)
	_, err = f.Write(more)
	Must(t, err)
	Must(t, f.Close())
}

// oddFolder makes a folder whose name means something in patterns, addresses and shells.
func oddFolder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a [home] {of} %41 #1 'ü'")
	Must(t, os.Mkdir(dir, 0o700))
	return dir
}

// Age makes the files below a folder old: a young one may still change.
func Age(t testing.TB, dir string) {
	t.Helper()
	past := time.Now().Add(-time.Hour)
	Must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			err = os.Chtimes(path, past, past)
		}
		return err
	}))
}

// Untouched returns a function that requires that a folder is as it is now: names, bytes and times.
func Untouched(t testing.TB, dir string) func() {
	t.Helper()
	before := tree(t, dir)
	return func() {
		t.Helper()
		if after := tree(t, dir); after != before {
			t.Errorf("reading changed\n%s\nto\n%s", before, after)
		}
	}
}

// tree returns names, bytes and modification times of everything below a folder.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var w strings.Builder
	Must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path) // path is below dir
		fmt.Fprintf(&w, "%s %v %d", rel, info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			fmt.Fprintf(&w, " %d %x", info.Size(), sha256.Sum256(Read(t, path)))
		}
		w.WriteByte('\n')
		return nil
	}))
	return w.String()
}
