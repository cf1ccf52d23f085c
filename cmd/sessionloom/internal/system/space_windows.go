package system

import "golang.org/x/sys/windows"

// FreeSpace returns the free bytes of a folder's disk.
func FreeSpace(dir string) (free uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	}
	return free, err
}
