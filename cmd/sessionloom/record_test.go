package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// visit opens the vault at dir as a run does and returns its state folder.
func visit(t *testing.T, state, dir string) string {
	t.Helper()
	p := expect.Value(openVault(config.Config{Vault: dir, Folder: "Agents", State: state, Rendering: extract.DefaultSettings()}, extract.Mode{}))(t)
	defer p.close()
	return filepath.Base(p.state)
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	expect.OK(t, os.CopyFS(to, os.DirFS(from)))
}

// A ledger that saw two vaults would take the notes of one for deleted notes of
// the other.
func TestCopyOfAVaultHasALedgerOfItsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state, first, second := filepath.Join(dir, "state"), filepath.Join(dir, "first"), filepath.Join(dir, "second")
	one := visit(t, state, first)
	copyTree(t, first, second)
	two := visit(t, state, second)
	if one == two {
		t.Errorf("both have %q", one)
	}
	expect.Is(t, visit(t, state, second), two, "the copy had", "then")
	expect.Is(t, visit(t, state, first), one, "the first vault had", "then")
}

func TestMovedVaultKeepsItsLedger(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state, before, after := filepath.Join(dir, "state"), filepath.Join(dir, "before"), filepath.Join(dir, "after")
	one := visit(t, state, before)
	expect.OK(t, os.Rename(before, after))
	expect.Is(t, visit(t, state, after), one, "before the move", "after it")
}

func TestSymlinkToAVaultIsTheVault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state, real, link := filepath.Join(dir, "state"), filepath.Join(dir, "real"), filepath.Join(dir, "link")
	one := visit(t, state, real)
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symbolic links here")
	}
	expect.Is(t, visit(t, state, link), one, "by its path", "by the link")
}
