package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// repair mends what a check finds, as far as it is ours, and reports it.
func (a *app) repair(cmd *cobra.Command, mode extract.Mode, asJSON bool) (err error) {
	if err := a.standsThere(cmd); err != nil {
		return err
	}
	l, err := a.loom(cmd, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	first, left := []extract.Action{}, []extract.Action{}
	act := func(kind, words, what string) extract.Action {
		return extract.Action{Finding: extract.Finding{Kind: kind, Words: words}, What: what}
	}
	if words := openToOthers(l.place.state); words != "" {
		if mode.DryRun || closed(l.place.state) {
			first = append(first, act("open", words, "closed to all but you"))
		} else {
			left = append(left, act("open", words, "its file system keeps no permissions: mount it for you alone, or name another folder with --state"))
		}
	}
	words, err := l.damagedLedger()
	if err != nil {
		return err
	}
	if words != "" {
		if l, err = a.renewLedger(cmd, l, mode); err != nil {
			return err
		}
		first = append(first, act("ledger", words, "begun anew from the history and the vault"))
	}
	r := extract.Repair{Sync: &l.Sync, Check: &extract.Check{Vault: l.Vault, Ledger: l.Ledger, Folder: l.Folder, Masker: l.Masker, Now: time.Now()}}
	report, err := r.Run(cmd.Context())
	report.Repaired, report.Left = append(first, report.Repaired...), append(left, report.Left...)
	if err != nil {
		return explain(err)
	}
	if asJSON {
		err = a.print.object(&report)
	} else {
		a.showRepair(&report)
	}
	a.print.troubles(report.Pass.Problems, a.home)
	if err == nil && (len(report.Left) > 0 || report.Pass.Part()) {
		return silent(exitFound)
	}
	return err
}

// closed takes a folder from all but its owner, where its file system can.
func closed(dir string) bool {
	return os.Chmod(dir, 0o700) == nil && openToOthers(dir) == ""
}

// standsThere refuses a place without a vault: one is not made to be repaired.
func (a *app) standsThere(cmd *cobra.Command) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	p, err := openPlace(c, extract.Mode{DryRun: true})
	if err != nil {
		return explain(err)
	}
	if p.scratch != "" {
		err = failed("sessionloom sync makes it", "no notes of ours in %q yet: there is nothing to repair", filepath.Join(c.vault, c.folder))
	}
	return errors.Join(err, p.close())
}

// damagedLedger says in words that the ledger is damaged, nothing where it is
// whole. One that could not be opened was put aside by then.
func (l *loom) damagedLedger() (string, error) {
	if l.Ledger.Fresh() {
		return "", nil
	}
	words, err := l.Ledger.Damage()
	if err != nil || len(words) == 0 {
		return "", err
	}
	return "the ledger is damaged: " + words[0], nil
}

// renewLedger puts a damaged ledger aside and opens everything anew. A dry run
// goes on with the damaged one.
func (a *app) renewLedger(cmd *cobra.Command, l *loom, mode extract.Mode) (*loom, error) {
	if mode.DryRun {
		return l, nil
	}
	state := l.place.state
	if err := errors.Join(l.close(), ledger.Replace(state)); err != nil {
		return l, err
	}
	again, err := a.loom(cmd, mode)
	if err != nil {
		return l, err
	}
	if _, err := (&again.Sync).Run(context.WithoutCancel(cmd.Context())); err != nil {
		return again, explain(err)
	}
	return again, nil
}

// showRepair prints a line for each thing that was found and what became of it.
func (a *app) showRepair(r *extract.RepairReport) {
	mended := "repaired"
	if r.DryRun {
		mended = "would be repaired"
	}
	for _, act := range r.Repaired {
		a.print.found(findingLine(act.Finding) + ": " + mended + ": " + act.What)
	}
	for _, act := range r.Left {
		a.print.found(findingLine(act.Finding) + ": left: " + act.What)
	}
	end := "nothing to repair"
	if len(r.Repaired)+len(r.Left) > 0 {
		end = fmt.Sprintf("%s %s, %s left", commas(len(r.Repaired)), mended, commas(len(r.Left)))
	}
	a.print.say(fmt.Sprintf("%s checked: %s", count(r.Notes, "note"), end))
}
