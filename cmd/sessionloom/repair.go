package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// repair mends what a check finds, as far as it is ours, and reports it.
func (a *app) repair(cmd *cobra.Command, mode extract.Mode, asJSON bool) (err error) {
	c, err := a.config(cmd)
	if err == nil {
		err = standsThere(c)
	}
	if err != nil {
		return err
	}
	e, err := a.openEngine(c, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	first, left := []extract.Action{}, []extract.Action{}
	act := func(kind, words, what string) extract.Action {
		return extract.Action{Finding: extract.Finding{Kind: kind, Words: words}, What: what}
	}
	if words := openToOthers(e.opened.state); words != "" {
		if mode.DryRun || closed(e.opened.state) {
			first = append(first, act("open", words, "closed to all but you"))
		} else {
			left = append(left, act("open", words, "its file system keeps no permissions: mount it for you alone, or name another folder with --state"))
		}
	}
	words, err := damagedLedger(e.Ledger)
	if err != nil {
		return err
	}
	if words != "" {
		if e, err = a.renewLedger(cmd.Context(), e, mode); err != nil {
			return err
		}
		first = append(first, act("ledger", words, "begun anew from the history and the vault"))
	}
	r := extract.Repair{Sync: &e.Sync, Check: &extract.Check{Vault: e.Vault, Ledger: e.Ledger, Folder: e.Folder, Masker: e.Masker}}
	if mode.DryRun {
		r.Check.Anew = e.Anew
	}
	report, err := r.Run(cmd.Context())
	report.Repaired, report.Left = append(first, report.Repaired...), append(left, report.Left...)
	if err != nil {
		return explain(err)
	}
	if asJSON {
		err = a.print.Object(&report)
	} else {
		findings, sum := present.RepairLines(&report)
		a.print.Found(findings...)
		a.print.Say(sum)
	}
	a.print.Troubles(report.Pass.Problems, a.home)
	if err == nil && (len(report.Left) > 0 || report.Pass.Part()) {
		return exit.Silent(exit.CodeFound)
	}
	return err
}

// closed takes a folder from all but its owner, where its file system can.
func closed(dir string) bool {
	return os.Chmod(dir, 0o700) == nil && openToOthers(dir) == ""
}

// standsThere refuses a place without a vault: one is not made to be repaired.
func standsThere(c config.Config) error {
	p, err := openVault(c, extract.Mode{DryRun: true})
	if err != nil {
		return explain(err)
	}
	if p.scratch != "" {
		err = exit.Failed("sessionloom sync makes it", "no notes of ours in %q yet: there is nothing to repair", c.Managed())
	}
	return errors.Join(err, p.close())
}

// damagedLedger says in words that the ledger is damaged, nothing where it is
// whole. One that could not be opened was put aside by then.
func damagedLedger(l *ledger.Ledger) (string, error) {
	if l.Fresh() {
		return "", nil
	}
	words, err := l.Damage()
	if err != nil || len(words) == 0 {
		return "", err
	}
	return "the ledger is damaged: " + words[0], nil
}

// renewLedger puts a damaged ledger aside and opens everything anew. A dry run
// goes on with the damaged one. What it returns is open, or closed where that failed.
func (a *app) renewLedger(ctx context.Context, e *engine, mode extract.Mode) (*engine, error) {
	if mode.DryRun {
		return e, nil
	}
	if err := errors.Join(e.close(), ledger.Replace(e.opened.state)); err != nil {
		return e, err
	}
	again, err := a.openEngine(e.config, mode)
	if err != nil {
		return e, err
	}
	if _, err := again.Run(context.WithoutCancel(ctx)); err != nil {
		return again, explain(err)
	}
	return again, nil
}
