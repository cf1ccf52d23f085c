//go:build unix

package system

import "golang.org/x/sys/unix"

// FreeSpace returns the free bytes of a folder's disk.
func FreeSpace(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil //nolint:unconvert // other types on other systems
}
