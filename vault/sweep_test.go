package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestDropRecords takes empty files and the folders that held nothing else.
func TestDropRecords(t *testing.T) {
	v, dir := newVault(t, Options{})
	for name, text := range map[string]string{"lines/daily-2026-11-03": "", "mixed/a": "", "mixed/b": "mine", "other/c": ""} {
		writeFile(t, filepath.Join(dir, ".sessionloom", filepath.FromSlash(name)), text)
	}
	dry := reopen(t, filepath.Dir(dir), Options{DryRun: true})
	before := snapshot(t, dir)
	if err := dry.DropRecords("lines", "mixed"); err != nil || snapshot(t, dir) != before {
		t.Errorf("a dry run writes: %v", err)
	}
	if err := errors.Join(v.DropRecords("lines", "mixed", "none"), v.Flush()); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml", ".sessionloom/mixed/b", ".sessionloom/other/c")
	if _, err := os.Lstat(filepath.Join(dir, ".sessionloom", "lines")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder that is empty stays: %v", err)
	}
	if got := v.TakeWritten(); !slices.Equal(got, []string{".sessionloom/lines/daily-2026-11-03", ".sessionloom/mixed/a"}) {
		t.Errorf("a commit would take %q", got)
	}
}
