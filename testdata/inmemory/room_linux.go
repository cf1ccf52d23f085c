package inmemory

import "golang.org/x/sys/unix"

// room returns the free bytes below a folder, or 0 for a missing one.
func room(dir string) uint64 {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}
