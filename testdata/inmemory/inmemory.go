// Package inmemory makes tests work in memory instead of on a disk: they sync thousands of files, and only
// those that mount a disk of their own test what survives a power failure.
package inmemory

import "os"

// enough is the memory in bytes that the tests of a package may use.
const enough = 4 << 30

// TempDirs puts temporary folders into memory from now on, if the system has a folder for that with enough
// room and TMPDIR is not set.
func TempDirs() {
	const dir = "/dev/shm"
	if os.Getenv("TMPDIR") == "" && room(dir) >= enough {
		_ = os.Setenv("TMPDIR", dir)
	}
}
