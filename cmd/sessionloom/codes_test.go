package main

// The exit codes that scripts rely on, written out: a program that gives others is
// another one.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitPartial     = 3
	exitFound       = 4
	exitLocked      = 11
	exitInterrupted = 130
)
