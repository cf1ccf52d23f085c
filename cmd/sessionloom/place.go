package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
)

// place is an open vault and the state folder that belongs to it.
type place struct {
	vault   *vault.Vault
	state   string // folder of the ledger
	created bool   // the vault was made by this run
	scratch string // temporary folder that holds both, to be removed; empty: they stay
}

// openPlace opens the vault of the configuration. A vault that is not there is
// created, unless the state folder knows it: then it is unmounted or lies
// elsewhere, and beginning an empty one in its place would do harm. A run that
// writes no notes gets a vault in a temporary folder instead.
func openPlace(c config, mode extract.Mode) (*place, error) {
	reading := mode.DryRun || mode.NotesOff
	o := vault.Options{DryRun: reading, Texts: mode.Texts, Rand: rand.Reader}
	if c.vault == "" && !mode.NotesOff {
		return nil, noVault()
	}
	if c.vault == "" {
		return openScratch(c, o)
	}
	p := &place{}
	v, err := vault.Open(c.vault, c.folder, o)
	if isMissing(err) {
		lost := notLost(c)
		if lost != nil { // unless another run has just made it
			v, err = vault.Open(c.vault, c.folder, o)
		}
		if err != nil && lost != nil {
			return nil, lost
		}
	}
	if isMissing(err) {
		if mode.KeepRead {
			return nil, failed("sessionloom init --vault DIR makes it", "there is no vault in %q to make a plan for", c.vault)
		}
		if reading {
			return openScratch(c, o)
		}
		p.created = true
		if err := createVault(c.vault, c); err != nil {
			return nil, err
		}
		v, err = vault.Open(c.vault, c.folder, o)
	}
	if err != nil {
		return nil, fmt.Errorf("open vault %q: %w", c.vault, err)
	}
	p.vault = v
	r := record{vault: c.vault, folder: c.folder}
	p.state, err = stateFolder(c.state, v.Marker().ID, r)
	if err == nil && (!mode.DryRun || mode.KeepRead) {
		err = writeRecord(p.state, r)
	}
	if err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return p, nil
}

// noVault says what to do where no vault was named.
func noVault() error {
	return usage("give --vault DIR, or write it into a configuration: sessionloom init --vault DIR", "no vault named")
}

func isMissing(err error) bool {
	return errors.Is(err, vault.ErrNoVault) || errors.Is(err, vault.ErrNoMarker)
}

// notLost refuses a place where a vault of ours stood.
func notLost(c config) error {
	id, err := recordedAt(c.state, record{vault: c.vault, folder: c.folder})
	if err != nil || id == "" {
		return err
	}
	return &lostError{
		vault: c.vault, marker: filepath.Join(c.folder, ".sessionloom", "vault.yaml"),
		hint: fmt.Sprintf("mount or restore it; if it moved, name its new place; to begin anew there, delete %q", filepath.Join(c.state, id)),
	}
}

// lostError says that a vault is gone that stood there.
type lostError struct{ vault, marker, hint string }

func (e *lostError) Error() string {
	return fmt.Sprintf("the vault in %q is gone: its marker %q is missing", e.vault, e.marker)
}

func createVault(dir string, c config) error {
	id := make([]byte, 8)
	// crypto/rand never fails.
	_, _ = rand.Read(id)
	m := vault.Marker{ID: hex.EncodeToString(id), Layout: vault.LayoutVersion, Settings: seeds(c.render)}
	if err := vault.Create(dir, c.folder, m); err != nil {
		return fmt.Errorf("create vault in %q: %w", dir, err)
	}
	return nil
}

// openScratch makes a vault in a temporary folder, for runs that write nothing.
func openScratch(c config, o vault.Options) (*place, error) {
	temp, err := os.MkdirTemp("", "sessionloom-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	p := &place{scratch: temp, created: true, state: filepath.Join(temp, "state")}
	dir := filepath.Join(temp, "vault")
	err = createVault(dir, c)
	if err == nil {
		p.vault, err = vault.Open(dir, c.folder, o)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return p, nil
}

func (p *place) close() error {
	err := p.vault.Close()
	if p.scratch != "" {
		err = errors.Join(err, os.RemoveAll(p.scratch))
	}
	return err
}
