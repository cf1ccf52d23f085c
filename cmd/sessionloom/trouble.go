package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
)

// tellTrouble has Home.md tell that the scheduled runs of this machine, host, fail
// one after the other, or no longer do, where the vault's settings ask for it.
// failing counts those in a row up to the last one, since is when the first of
// them began. A vault that cannot be opened is told the next time.
func (a *app) tellTrouble(cmd *cobra.Command, host string, failing int, since time.Time) (err error) {
	c, err := a.config(cmd)
	if err != nil || c.vault == "" {
		return nil // that is why they fail
	}
	v, err := vault.Open(c.vault, c.folder, vault.Options{DryRun: true})
	if err != nil {
		return nil // that is why they fail
	}
	t := vault.Trouble{Machine: machineKey(host, v.Marker().ID), Since: since}
	tell, told, err := troubleIn(v, t.Machine, failing)
	if err = errors.Join(err, v.Close()); err != nil || tell == told {
		return err
	}
	l, err := a.loom(cmd, extract.Mode{RenderOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	if l.Busy != nil && l.Busy() != "" { // the run that failed has said so: the vault is left alone
		return nil
	}
	if tell {
		err = l.Vault.SetTrouble(t)
	} else {
		err = l.Vault.ClearTrouble(t.Machine)
	}
	if err == nil {
		_, err = l.RenderDue(cmd.Context())
	}
	var held *extract.HeldError
	if errors.As(err, &held) { // the run that failed has said so
		return nil
	}
	return hideSecrets(l.Masker, err)
}

// troubleIn says whether a vault is to tell of a machine, and whether it does.
func troubleIn(v *vault.Vault, machine string, failing int) (tell, told bool, err error) {
	look, err := rendering(v.Marker().Settings, "vault.yaml")
	if err != nil {
		return false, false, err
	}
	all, err := v.Troubles()
	told = slices.ContainsFunc(all, func(t vault.Trouble) bool { return t.Machine == machine })
	return look.HomeCallout && failing >= failingRuns, told, err
}

// machineKey stands for a machine in a vault: the same after its state was lost,
// another one in each vault, and it tells no name.
func machineKey(host, vaultID string) string {
	sum := sha256.Sum256([]byte("machine " + host + " of " + vaultID))
	return hex.EncodeToString(sum[:4])
}
