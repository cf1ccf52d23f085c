//go:build unix

package obsidian

import (
	"io/fs"
	"syscall"
)

// disk names the file system that a folder lies on.
func disk(info fs.FileInfo) any {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Dev // a number, of another type on each system
	}
	return nil
}
