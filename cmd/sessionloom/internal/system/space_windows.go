package system

import "golang.org/x/sys/windows"

// FreeSpace is how many bytes may still be written where a folder lies.
func FreeSpace(dir string) (free uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	}
	return free, err
}
