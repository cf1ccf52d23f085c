package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sessionloom/sessionloom/testdata"
)

// unpackSample writes the built-in history below dir and returns the Copilot
// home in it. All files have one modification time, so that one unpacking is
// like the other.
func unpackSample(dir string) (home string, err error) {
	home = filepath.Join(dir, "sample")
	if err := testdata.WriteCopilotHome(home); err != nil {
		return "", fmt.Errorf("unpack the sample history: %w", err)
	}
	at := time.Date(2026, 11, 14, 0, 0, 0, 0, time.UTC)
	err = filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, at, at))
	})
	if err != nil {
		return "", fmt.Errorf("unpack the sample history: %w", err)
	}
	return home, nil
}
