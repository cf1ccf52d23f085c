//go:build linux || darwin

package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/sessionloom/sessionloom/vault/note"
)

// openNonblock keeps an open of a pipe from waiting for its other end.
const openNonblock = syscall.O_NONBLOCK

// swapNames exchanges two files of a folder, or returns [errors.ErrUnsupported].
func swapNames(dir *os.File, a, b string) error { return rename2(dir, a, dir, b, renameSwap) }

// renameNoReplace moves a file to a name that nobody has; [errors.ErrUnsupported] where it cannot.
func renameNoReplace(dir *os.File, from string, into *os.File, to string) error {
	return rename2(dir, from, into, to, renameExcl)
}

func rename2(dir *os.File, from string, into *os.File, to string, flags uint) error {
	err := renameat(int(dir.Fd()), from, int(into.Fd()), to, flags)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return errors.ErrUnsupported
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// removeFolder removes an empty folder and never a file.
func removeFolder(_ *os.Root, dir *os.File, name string) error {
	return unix.Unlinkat(int(dir.Fd()), name, unix.AT_REMOVEDIR)
}

func syncFolder(dir *os.File) error { return tolerate(dir.Sync()) }

func stampOf(info fs.FileInfo) note.Stamp {
	s := note.Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.CTime, s.Inode = changeTime(st), st.Ino
	}
	return s
}

func linked(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}

func writable(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	err = unix.Faccessat(int(dir.Fd()), ".", unix.W_OK, 0)
	if errors.Is(err, unix.EROFS) || errors.Is(err, unix.EACCES) {
		return errors.Join(&fs.PathError{Op: "write", Path: root.Name(), Err: err}, dir.Close())
	}
	return dir.Close()
}
