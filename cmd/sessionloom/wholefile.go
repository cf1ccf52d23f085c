package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// wholeFile is a file outside of the vault that is there whole or not at all,
// whenever the program is killed.
type wholeFile struct {
	path    string
	mode    fs.FileMode
	fresh   bool // nothing may stand there yet: else it stays, and is an error
	lasting bool // once put it survives a power failure; what only saves work need not
}

// maxPuts is how often a file is put again whose temporary file another process
// took for one that was left behind.
const maxPuts = 3

// put writes the file: beside its place first, under a name that a later put of
// the same file clears away should this one be killed. A file that must be fresh
// and is not gives [fs.ErrExist].
func (w wholeFile) put(write func(io.Writer) error) error {
	if err := w.sweep(); err != nil {
		return err
	}
	var err error
	for range maxPuts {
		if err = w.once(write); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return err
}

// putText is put of a text.
func (w wholeFile) putText(text []byte) error {
	return w.put(func(to io.Writer) error {
		_, err := to.Write(text)
		return err
	})
}

// prefix begins the names of temporary files for this file.
func (w wholeFile) prefix() string { return ".new-" + filepath.Base(w.path) + "-" }

func (w wholeFile) sweep() error {
	names, err := os.ReadDir(filepath.Dir(w.path))
	if err != nil {
		return err
	}
	for _, e := range names {
		if strings.HasPrefix(e.Name(), w.prefix()) && e.Type().IsRegular() {
			err := os.Remove(filepath.Join(filepath.Dir(w.path), e.Name()))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

func (w wholeFile) once(write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(w.path), w.prefix())
	if err != nil {
		return err
	}
	err = write(temp)
	if err == nil && w.lasting {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = keepMode(os.Chmod(temp.Name(), w.mode))
	}
	if err == nil {
		err = w.place(temp.Name())
	}
	if err != nil {
		return errors.Join(err, removed(temp.Name()))
	}
	if w.lasting {
		return syncFolder(filepath.Dir(w.path))
	}
	return nil
}

// keepMode forgives a file system that keeps no modes, or has another owner for
// whatever is made on it: as made, the file is open to nobody else.
func keepMode(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// place gives a temporary file its name.
func (w wholeFile) place(temp string) error {
	if !w.fresh {
		return os.Rename(temp, w.path)
	}
	err := os.Link(temp, w.path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return errors.Join(err, removed(temp))
	}
	// The file system has no second links.
	if _, err := os.Lstat(w.path); err == nil {
		return &fs.PathError{Op: "create", Path: w.path, Err: fs.ErrExist}
	}
	return os.Rename(temp, w.path)
}

// removed removes a file that may be gone.
func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncFolder makes the names in a folder last, where the system can.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil // the file system does not know of it
	}
	return errors.Join(err, dir.Close())
}
