//go:build unix

package system

import (
	"golang.org/x/sys/unix"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
)

// leastFiles is how many open files the runtime and the smallest pass need.
const leastFiles = 32

// EnoughFiles fails if the limit of open files would crash the runtime.
func EnoughFiles() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || limit.Cur >= leastFiles {
		return nil
	}
	return exit.Failed("allow more open files: ulimit -n 256", "only %d files may be open at once, %d are needed", limit.Cur, leastFiles)
}
