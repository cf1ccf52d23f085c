package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/extract"
)

// visit opens the vault at dir as a run does and returns its state folder.
func visit(t *testing.T, state, dir string) string {
	t.Helper()
	p, err := openVault(config.Config{Vault: dir, Folder: "Agents", State: state, Rendering: extract.DefaultSettings()}, extract.Mode{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	return filepath.Base(p.state)
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
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
	if again := visit(t, state, second); again != two {
		t.Errorf("the copy had %q, then %q", two, again)
	}
	if again := visit(t, state, first); again != one {
		t.Errorf("the first vault had %q, then %q", one, again)
	}
}

func TestMovedVaultKeepsItsLedger(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state, before, after := filepath.Join(dir, "state"), filepath.Join(dir, "before"), filepath.Join(dir, "after")
	one := visit(t, state, before)
	if err := os.Rename(before, after); err != nil {
		t.Fatal(err)
	}
	if two := visit(t, state, after); two != one {
		t.Errorf("before the move %q, after it %q", one, two)
	}
}

func TestSymlinkToAVaultIsTheVault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	state, real, link := filepath.Join(dir, "state"), filepath.Join(dir, "real"), filepath.Join(dir, "link")
	one := visit(t, state, real)
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symbolic links here")
	}
	if two := visit(t, state, link); two != one {
		t.Errorf("by its path %q, by the link %q", one, two)
	}
}
