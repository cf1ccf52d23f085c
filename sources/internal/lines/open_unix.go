//go:build unix

package lines

import (
	"os"
	"syscall"
)

const nonBlocking = syscall.O_NONBLOCK

// Inode returns the number of the file within its file system, 0 where it is
// not known.
func Inode(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}
