package exit

import (
	"errors"
	"os"
	"syscall"
)

// SystemHint is what the user can do about an error of the system, empty where it
// is none or nothing is known to help.
func SystemHint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space; what was finished is kept, the next run does the rest"
	case errors.Is(err, syscall.EFBIG):
		return "a file may not grow so large here (ulimit -f); what was finished is kept, the next run does the rest"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "allow more open files (ulimit -n), then run again"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "the path is longer than the system takes: move it up, or link to it from a shorter one"
	case errors.Is(err, syscall.EROFS):
		return "mount it writable, or make the folder writable for this user"
	case errors.Is(err, os.ErrPermission):
		return "make the folder writable for this user"
	case errors.Is(err, syscall.EIO):
		return "the disk may be failing: look into the system's log; what was finished is kept, the next run does the rest"
	case errors.Is(err, os.ErrNotExist):
		return "was it moved, deleted or unmounted meanwhile? once it is back, run again"
	}
	return ""
}
