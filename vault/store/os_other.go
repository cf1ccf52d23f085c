//go:build !linux && !darwin

package store

import (
	"github.com/sessionloom/sessionloom/vault/note"

	"errors"
	"io/fs"
	"os"
)

// openNonblock is 0 here: only regular files are opened.
const openNonblock = 0

// swapNames is not known here: the caller renames over the target.
func swapNames(*os.File, string, string) error { return errors.ErrUnsupported }

// renameNoReplace is not known here: the caller makes a second link.
func renameNoReplace(*os.File, string, *os.File, string) error { return errors.ErrUnsupported }

// beingWritten is not known here.
func beingWritten(*os.File) bool { return false }

// startSync has nothing to do here: every sync waits for itself.
func startSync(*os.File) {}

func removeFolder(root *os.Root, _ *os.File, name string) error {
	if info, err := root.Lstat(name); err != nil || !info.IsDir() {
		return fs.ErrNotExist
	}
	return root.Remove(name)
}

// syncFolder does nothing: Windows cannot sync a folder.
func syncFolder(*os.File) error { return nil }

func stampOf(info fs.FileInfo) note.Stamp {
	return note.Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}
}

// linked is not known here.
func linked(fs.FileInfo) bool { return false }

// writable is found out by the first write here.
func writable(*os.Root) error { return nil }
