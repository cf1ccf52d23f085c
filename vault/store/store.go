// Package store keeps the files of one folder: on the disk, so that each is whole at any
// moment and what somebody saves meanwhile survives, or in memory above the disk, so that
// what a run would write can be looked at. It knows files, and nothing of what is in them.
package store

import (
	"errors"
	"io/fs"
	"os"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Errors that a caller tells apart; a file that is gone is [fs.ErrNotExist].
var (
	// ErrTaken says that another file has the name that a file was to get, on some file
	// systems also one that differs in case alone.
	ErrTaken = errors.New("the name is taken")
	// ErrChanged says that a file is no longer what was read: somebody saved it meanwhile.
	// Nothing of that was lost; the caller reads it again.
	ErrChanged = errors.New("the note was changed meanwhile")
	// ErrTooLarge says that a file is larger than anything we write. It is not read.
	ErrTooLarge = note.ErrTooLarge
)

// Store holds files by their paths, which count from its folder and have slashes. Its
// methods may be called from several goroutines as long as no two deal with one file.
type Store interface {
	// Read reads a regular file of at most [note.MaxSize] bytes, else [ErrTooLarge].
	Read(path string) (File, error)
	// Stat tells whether something stands at a path, and its stamp.
	Stat(path string) (note.Stamp, error)
	// Create makes a file and the folders on the way; [ErrTaken] if something stands there.
	Create(path string, text []byte) (note.Stamp, error)
	// Replace puts a text in the place of what was read, else [ErrChanged].
	Replace(path string, was File, text []byte) (note.Stamp, error)
	// Move gives a file that was read another path, with all that is saved in it meanwhile.
	Move(from, to string, was File) (note.Stamp, error)
	// Remove takes away a file that holds what was read, else [ErrChanged].
	Remove(path string, was File) error
}

// File is a file as it was read. Only a store makes one.
type File struct {
	Text  []byte
	Stamp note.Stamp // empty of a file that is not on the disk
	mode  fs.FileMode
}

// System is what a write asks of the operating system. A test gives one that fails, or in
// which somebody else acts in between.
type System struct {
	// Swap exchanges two files of a folder in one step; [errors.ErrUnsupported] where the
	// file system cannot.
	Swap func(dir *os.File, a, b string) error
	// RenameNew gives a file a name that nobody has, maybe in another folder;
	// [errors.ErrUnsupported] where the file system cannot.
	RenameNew func(dir *os.File, from string, into *os.File, to string) error
	// Rename gives a file another name of its folder, whoever has it.
	Rename func(dir *os.Root, from, to string) error
	// Sync has the bytes of a file be on the disk.
	Sync func(*os.File) error
}

// ThisSystem is the operating system that we run on.
func ThisSystem() System {
	return System{
		Swap: swapNames, RenameNew: renameNoReplace, Rename: (*os.Root).Rename,
		Sync: func(f *os.File) error { return tolerate(f.Sync()) },
	}
}

// Options of a [Disk].
type Options struct {
	System  *System // nil: [ThisSystem]
	Rescued string  // folder of texts that could not be placed without losing something
}
