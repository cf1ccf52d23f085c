//go:build unix

package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestOpenDoesNotWaitForAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "events.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, _, err := OpenLog(pipe); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a pipe: %v", err)
	}
	if _, _, err := OpenLog(t.TempDir()); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
}

func TestOpenRefusesAFileOfHoles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	must(t, os.WriteFile(path, []byte("{}\n"), 0o600))
	if err := os.Truncate(path, MaxLog+1); err != nil {
		t.Skip(err)
	}
	if _, _, err := OpenLog(path); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}
