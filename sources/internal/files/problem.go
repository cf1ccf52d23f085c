package files

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sessionloom/sessionloom/sources"
)

// Problem tells of something that was not read and is tried again. program is what
// people call the one that wrote it.
func Problem(source, program, item, path string, err error) sources.Problem {
	return sources.Problem{Source: source, Item: item, Path: path, Err: err, Hint: hint(program, err), Fatal: true}
}

func hint(program string, err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "give the user who runs this permission to read it"
	case errors.Is(err, ErrNotRegular):
		return "something else lies where a plain file is expected; it is not touched"
	case errors.Is(err, syscall.ELOOP):
		return "the symbolic link leads to itself"
	case errors.Is(err, ErrBusy):
		return "it is read in the next run; close " + program + " if this goes on"
	case errors.Is(err, ErrNotDatabase):
		return "the file is damaged; " + program + " makes a new one when it is moved away"
	case errors.Is(err, fs.ErrNotExist):
		return "it vanished while being read; the next run looks again"
	default:
		return ""
	}
}

// WhyMissing says in plain words why a folder cannot be looked at.
func WhyMissing(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "not there"
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read it"
	case errors.Is(err, syscall.ELOOP):
		return "a symbolic link that leads to itself"
	default:
		return err.Error()
	}
}
