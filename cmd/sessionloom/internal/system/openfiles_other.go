//go:build !unix

package system

// EnoughFiles does nothing on systems where a shell does not limit open files.
func EnoughFiles() error { return nil }
