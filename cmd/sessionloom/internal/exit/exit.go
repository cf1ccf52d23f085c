// Package exit has the exit codes for scripts, and an error with its code and a hint.
package exit

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// The exit codes, see docs/scripting.md.
const (
	CodeDone        = 0   // all done; kept notes and partial sessions are not failures
	CodeFailed      = 1   // nothing, or not everything, that was due could be done; diff --exit-code: there is a difference
	CodeUsage       = 2   // wrong usage or configuration
	CodePartial     = 3   // done in part: the rest is named and tried again
	CodeFound       = 4   // check found something
	CodeLocked      = 11  // another run holds the lock
	CodeInterrupted = 130 // stopped by a signal; finished work is kept
)

// Error is an error with its exit code and a hint.
type Error struct {
	Code int
	Err  error  // nil: everything has been said
	Hint string // empty: the user can do nothing
}

// Error returns the text of the error, or of its code if everything has been said.
func (f *Error) Error() string {
	if f.Err == nil {
		return fmt.Sprintf("exit code %d", f.Code)
	}
	return f.Err.Error()
}

// Unwrap returns the cause.
func (f *Error) Unwrap() error { return f.Err }

// Usage returns an error about wrong flags, arguments or configuration.
func Usage(hint, format string, args ...any) error {
	return &Error{Code: CodeUsage, Err: fmt.Errorf(format, args...), Hint: hint}
}

// Failed returns an error caused by the program or the system.
func Failed(hint, format string, args ...any) error {
	return &Error{Code: CodeFailed, Err: fmt.Errorf(format, args...), Hint: hint}
}

// Silent returns an error that ends the program with a code after everything has been said.
func Silent(code int) error { return &Error{Code: code} }

// CodeOf returns the exit code of the command for an error.
func CodeOf(err error) int {
	var f *Error
	switch {
	case err == nil:
		return CodeDone
	case errors.As(err, &f):
		return f.Code
	}
	return CodeFailed
}

// SystemHint returns the hint for an error of the system.
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
