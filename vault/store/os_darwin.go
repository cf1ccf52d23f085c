package store

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// How a rename exchanges two files, and how it replaces none.
const (
	renameSwap = unix.RENAME_SWAP
	renameExcl = unix.RENAME_EXCL
)

func renameat(dir int, from string, into int, to string, flags uint) error {
	return unix.RenameatxNp(dir, from, into, to, uint32(flags))
}

func changeTime(st *syscall.Stat_t) int64 { return st.Ctimespec.Nano() }

// beingWritten is not known here.
func beingWritten(*os.File) bool { return false }

// startSync has nothing to do here: every sync waits for itself.
func startSync(*os.File) {}
