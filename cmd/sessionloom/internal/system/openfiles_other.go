//go:build !unix

package system

// EnoughFiles is not asked where the number of open files has no limit of the shell.
func EnoughFiles() error { return nil }
