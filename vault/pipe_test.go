//go:build unix

package vault

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipeIsNoNote: a pipe in the place of a note is refused, not waited for.
func TestPipeIsNoNote(t *testing.T) {
	v, dir := newVault(t, Options{})
	if err := syscall.Mkfifo(filepath.Join(dir, "x.md"), 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := v.Load("x.md"); err == nil {
		t.Error("read a pipe")
	}
	if _, err := v.Put(t.Context(), Draft{ID: "x", At: "x.md"}); err == nil {
		t.Error("wrote a pipe")
	}
	if list, err := v.Scan(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
}
