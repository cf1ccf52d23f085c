package files

import (
	"io/fs"
	"syscall"
)

func system(info fs.FileInfo) (inode uint64, ctime int64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return st.Ino, st.Ctimespec.Nano()
}
