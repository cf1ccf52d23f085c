//go:build unix

package places

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a folder belongs to the user who runs: below /tmp
// anybody could have laid one out for us.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
