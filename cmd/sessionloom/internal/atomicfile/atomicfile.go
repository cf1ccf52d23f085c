// Package atomicfile writes files outside of the vault that exist whole or not at all, even if the program is
// killed.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/vault/store"
)

// File is the path of such a file, and how to write it.
type File struct {
	Path    string
	Mode    fs.FileMode
	Fresh   bool // nothing may exist there: else it stays, and is an error
	Lasting bool // survives a power failure, which a cache need not
}

// Put first writes the file beside its place, where it removes what a killed run left. It returns
// [fs.ErrExist] if Fresh is set and the file exists.
func (w File) Put(text []byte) error {
	err := w.once(text)
	if errors.Is(err, fs.ErrNotExist) { // another run took the temporary file for such a one
		err = w.once(text)
	}
	return err
}

func (w File) once(text []byte) error {
	dir, prefix := filepath.Dir(w.Path), ".new-"+filepath.Base(w.Path)+"-"
	names, _ := os.ReadDir(dir)
	for _, e := range names {
		if strings.HasPrefix(e.Name(), prefix) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	temp, err := os.CreateTemp(dir, prefix)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // it is in its place, or of no use
	_, err = temp.Write(text)
	if err == nil && w.Lasting {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = store.TolerateMode(os.Chmod(temp.Name(), w.Mode))
	}
	if err == nil {
		err = w.place(temp.Name())
	}
	if err == nil && w.Lasting {
		err = store.SyncFolder(dir)
	}
	return err
}

func (w File) place(temp string) error {
	if !w.Fresh {
		return os.Rename(temp, w.Path)
	}
	err := os.Link(temp, w.Path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// The file system has no hard links.
	if _, err := os.Lstat(w.Path); err == nil {
		return &fs.PathError{Op: "create", Path: w.Path, Err: fs.ErrExist}
	}
	return os.Rename(temp, w.Path)
}

// Remove deletes files and returns the paths of those that existed.
func Remove(paths ...string) (gone []string, err error) {
	for _, p := range paths {
		switch one := os.Remove(p); {
		case one == nil:
			gone = append(gone, p)
		case !errors.Is(one, fs.ErrNotExist):
			err = errors.Join(err, one)
		}
	}
	return gone, err
}
