//go:build unix

package schedule

import (
	"os"
	"strconv"
	"syscall"
)

// ownerOf is the number of a file's owner; empty: nobody knows.
func ownerOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return strconv.FormatUint(uint64(stat.Uid), 10)
}
