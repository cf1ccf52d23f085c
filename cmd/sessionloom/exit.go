package main

import (
	"errors"
	"fmt"
)

// Exit codes of every command; any other code is a failure too.
const (
	exitDone        = 0   // all done; kept notes and partial sessions are no failure
	exitFailed      = 1   // nothing, or not all, of what was due could be done; diff --exit-code: there is something
	exitUsage       = 2   // wrong usage or configuration
	exitPartial     = 3   // done in part: what was left out is named and tried again
	exitFound       = 4   // check found something
	exitLocked      = 11  // another run holds the lock
	exitInterrupted = 130 // stopped by a signal; what was finished is kept
)

// failure is an error that knows its exit code and what the user can do.
type failure struct {
	code int
	err  error  // nil: nothing is left to be said
	hint string // empty: nothing the user can do
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit code %d", f.code)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// usage is a failure by wrong flags, arguments or configuration.
func usage(hint, format string, args ...any) error {
	return &failure{code: exitUsage, err: fmt.Errorf(format, args...), hint: hint}
}

// failed is a failure for a reason of ours or the system's.
func failed(hint, format string, args ...any) error {
	return &failure{code: exitFailed, err: fmt.Errorf(format, args...), hint: hint}
}

// silent ends the program with a code after all has been said.
func silent(code int) error {
	if code == exitDone {
		return nil
	}
	return &failure{code: code}
}

// codeOf gives the exit code that tells a script what became of the command.
func codeOf(err error) int {
	var f *failure
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &f):
		return f.code
	}
	return exitFailed
}
