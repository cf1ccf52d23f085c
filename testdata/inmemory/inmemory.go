// Package inmemory has tests work in memory in place of on a disk: they sync
// thousands of files, and none of them judges what a disk keeps when the power
// fails but those that mount a disk of their own.
package inmemory

import "os"

// enough is the room in bytes that the tests of a package may take.
const enough = 4 << 30

// TempDirs has temporary folders lie in memory from now on, where the system has a
// folder for that with enough room and TMPDIR names no other one.
func TempDirs() {
	const dir = "/dev/shm"
	if os.Getenv("TMPDIR") == "" && room(dir) >= enough {
		_ = os.Setenv("TMPDIR", dir)
	}
}
