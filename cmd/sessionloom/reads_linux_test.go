package main

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// watchReads counts with the help of the system which files below some folders
// are opened until the returned function is called.
func watchReads(t *testing.T, dirs ...string) func() []string {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip("the system cannot watch files: ", err)
	}
	folders := map[int32]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			wd, err := unix.InotifyAddWatch(fd, path, unix.IN_OPEN)
			folders[int32(wd)] = path
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return func() []string {
		defer func() { _ = unix.Close(fd) }()
		var opened []string
		buf := make([]byte, 1<<16)
		for {
			n, err := unix.Read(fd, buf)
			if err != nil || n <= 0 {
				slices.Sort(opened)
				return slices.Compact(opened)
			}
			for at := 0; at < n; {
				e := (*unix.InotifyEvent)(unsafe.Pointer(&buf[at]))
				name := strings.TrimRight(string(buf[at+unix.SizeofInotifyEvent:at+unix.SizeofInotifyEvent+int(e.Len)]), "\x00")
				if e.Mask&unix.IN_ISDIR == 0 {
					opened = append(opened, filepath.Join(folders[e.Wd], name))
				}
				at += unix.SizeofInotifyEvent + int(e.Len)
			}
		}
	}
}

// Where nothing is due, to look costs a stat of each file: no note and no
// session is opened. What is read then is what changed.
func TestLookingOpensNothingThatDidNotChange(t *testing.T) {
	s := newStage(t)
	s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	s.begins(beta, widget).asks("Test it").says("Tested.").leaves()
	s.passes(s.vault)
	look := func(args ...string) (files []string) {
		t.Helper()
		done := watchReads(t, s.vault, s.home)
		args = append(args, "--vault", s.vault, "--state", s.vault+".state", "--no-defaults", "--copilot-home", s.home)
		if out, stderr, code := runProgram(t, "", args...); code != exitDone {
			t.Fatalf("%v: %d %s%s", args, code, out, stderr)
		}
		for _, path := range done() {
			rel, _ := filepath.Rel(filepath.Dir(s.vault), path)
			if !strings.HasSuffix(path, filepath.Join(".sessionloom", "vault.yaml")) {
				files = append(files, filepath.ToSlash(rel))
			}
		}
		return files
	}
	for _, args := range [][]string{{"status"}, {"diff"}, {"sync", "--dry-run"}, {"sync", "--plan", filepath.Join(t.TempDir(), "plan")}} {
		if files := look(args...); len(files) > 0 {
			t.Errorf("%v opens %q", args, files)
		}
	}
	s.userEdits(alpha, "# Write a parser", "# My parser")
	if files := look("diff"); !slices.ContainsFunc(files, func(f string) bool { return strings.Contains(f, "Write a parser") }) {
		t.Errorf("nobody looked at the note that changed, but at %q: the count proves nothing", files)
	}
}
