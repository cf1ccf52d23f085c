package main

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
)

type openedVault struct {
	vault   *vault.Vault
	state   string // folder of the ledger
	created bool   // this run made the vault
	scratch string // temporary folder of both, to be removed, or ""
}

// openVault opens a vault, or creates one unless the state folder knows it: then it is unmounted. A run that
// writes nothing gets one in a temporary folder.
func openVault(c config.Config, mode extract.Mode) (*openedVault, error) {
	reading := mode.DryRun || mode.NotesOff
	o := vault.Options{DryRun: reading, Texts: mode.Texts}
	if c.Vault == "" && !mode.NotesOff {
		return nil, config.NoVault()
	}
	if c.Vault == "" {
		return openScratch(c, o)
	}
	p := &openedVault{}
	v, err := vault.Open(c.Vault, c.Folder, o)
	if isMissing(err) {
		lost := cmp.Or(setup.RefuseFolder(c.Vault, c.Folder), notLost(c))
		if lost != nil { // unless another run has just made it
			v, err = vault.Open(c.Vault, c.Folder, o)
		}
		if err != nil && lost != nil {
			return nil, lost
		}
	}
	if isMissing(err) {
		if mode.KeepRead {
			return nil, noVault(c)
		}
		if reading {
			return openScratch(c, o)
		}
		p.created = true
		if err := createVault(c.Vault, c); err != nil {
			return nil, err
		}
		v, err = vault.Open(c.Vault, c.Folder, o)
	}
	if err != nil {
		return nil, fmt.Errorf("open vault %q: %w", c.Vault, err)
	}
	p.vault = v
	r := entryOf(c)
	p.state, err = registry.StateFolder(c.State, v.Marker().ID, r)
	if err == nil && (!mode.DryRun || mode.KeepRead) {
		err = registry.Write(p.state, r)
	}
	if err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return p, nil
}

func isMissing(err error) bool {
	return errors.Is(err, vault.ErrNoVault) || errors.Is(err, vault.ErrNoMarker)
}

func entryOf(c config.Config) registry.Entry { return registry.Entry{Vault: c.Vault, Folder: c.Folder} }

// notLost returns an error if a vault is missing that was there, or nil.
func notLost(c config.Config) error {
	if !notBegun(c) {
		return nil
	}
	id, err := registry.Find(c.State, entryOf(c))
	if err != nil || id == "" {
		return err
	}
	hint := fmt.Sprintf("mount or restore it; if it moved, name its new place; to begin anew there, let sessionloom init ask in a terminal, or delete %q", filepath.Join(c.State, id))
	return exit.Failed(hint, "the vault in %q is gone: %q is missing", c.Vault, filepath.Join(c.Folder, ".sessionloom", "vault.yaml"))
}

// notAnew rejects a place without a vault, for commands that make none.
func notAnew(c config.Config) error {
	if c.Vault == "" || !notBegun(c) {
		return nil
	}
	return cmp.Or(notLost(c), noVault(c))
}

func noVault(c config.Config) error {
	at := homepath.ShellWord(c.Vault)
	return exit.Failed(
		"sessionloom init --vault "+at+" --create makes one; if it moved, sessionloom schedule remove --vault "+at+" takes its timer out",
		"there is no vault in %q", c.Vault)
}

func createVault(dir string, c config.Config) error {
	if c.Rendering.Timezone == "" {
		c.Rendering.Timezone = system.Zone()
	}
	id := make([]byte, 8)
	// crypto/rand never fails.
	_, _ = rand.Read(id)
	m := vault.Marker{ID: hex.EncodeToString(id), Layout: vault.LayoutVersion, Settings: config.NewVault(c.Rendering)}
	if err := vault.Create(dir, c.Folder, m); err != nil {
		return fmt.Errorf("create vault in %q: %w", dir, err)
	}
	return nil
}

// openScratch makes a vault in a temporary folder, for runs that write nothing.
func openScratch(c config.Config, o vault.Options) (*openedVault, error) {
	temp, err := os.MkdirTemp("", "sessionloom-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	p := &openedVault{scratch: temp, created: true, state: filepath.Join(temp, "state")}
	dir := filepath.Join(temp, "vault")
	err = createVault(dir, c)
	if err == nil {
		p.vault, err = vault.Open(dir, c.Folder, o)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return p, nil
}

func (p *openedVault) close() error {
	err := p.vault.Close()
	if p.scratch != "" {
		err = errors.Join(err, os.RemoveAll(p.scratch))
	}
	return err
}
