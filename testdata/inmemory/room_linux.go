package inmemory

import "golang.org/x/sys/unix"

// room is the number of free bytes below a folder; 0: there is no such folder.
func room(dir string) uint64 {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}
