package copilotcli

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/snapshot"
	"github.com/sessionloom/sessionloom/sources/internal/textfile"
)

// newProblem tells of something that was not read, with a hint where one helps.
func newProblem(item, path string, err error) sources.Problem {
	return sources.Problem{Source: agentName, Item: item, Path: path, Err: err, Hint: hint(err), Fatal: true}
}

func hint(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "give the user who runs this permission to read it"
	case errors.Is(err, textfile.ErrNotRegular):
		return "something else lies where a plain file is expected; it is not touched"
	case errors.Is(err, syscall.ELOOP):
		return "the symbolic link leads to itself"
	case errors.Is(err, snapshot.ErrBusy):
		return "it is read in the next run; close the CLI if this goes on"
	case errors.Is(err, snapshot.ErrNotDatabase):
		return "the file is damaged; the CLI makes a new one when it is moved away"
	case errors.Is(err, fs.ErrNotExist):
		return "it vanished while being read; the next run looks again"
	default:
		return ""
	}
}
