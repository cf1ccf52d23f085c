//go:build !unix

package textfile

import "os"

func open(path string) (*os.File, error) { return os.Open(path) }
