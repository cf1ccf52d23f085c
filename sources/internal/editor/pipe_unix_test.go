//go:build unix

package editor_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

func TestPipeAsWorkspaceDoesNotBlock(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "workspace.json")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes here")
	}
	done := make(chan error)
	go func() {
		_, err := editor.ReadWorkspace(pipe)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, files.ErrNotRegular) {
			t.Errorf("%v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for a writer")
	}
}
