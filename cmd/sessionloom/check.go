package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
)

// ledgerName is the file of the ledger in a vault's state folder.
const ledgerName = "ledger.db"

func newCheck(a *app) *cobra.Command {
	var full, repair bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "verify notes, links and secrets; --repair repairs its own files",
		Long: "Verify the notes of the vault and what is remembered of them, and write nothing\n" +
			"into either. What you wrote is never a finding: only what would keep a note from\n" +
			"being kept up to date, what of ours is damaged, would act or shows a secret, or a\n" +
			"link of ours that leads nowhere or is not answered. One line per finding; the exit\n" +
			"code is 4 when there is one.\n\n" +
			"With --repair damaged notes and files are put aside, whole, and written anew; then\n" +
			"all is checked again. What only you can decide is left and named. The exit code is\n" +
			"4 when something is left.",
		Example: "  sessionloom check\n  sessionloom check --full --json\n  sessionloom check --repair --dry-run",
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case a.mode.DryRun && !repair:
				return exit.Usage("a check without --repair writes nothing anyway", "--dry-run goes with --repair alone")
			case !repair:
				return a.check(cmd, full)
			}
			c, err := a.config(cmd)
			if err == nil {
				err = explain(notAnew(c))
			}
			if err != nil {
				return err
			}
			return a.withEngine(cmd, a.mode, func(e *engine) error { return a.repair(cmd, e) })
		},
	}
	a.addSettings(cmd, config.Keys("vault", "folder", "state"))
	f := cmd.Flags()
	f.BoolVar(&full, "full", false, "also read everything that the state keeps")
	f.BoolVar(&repair, "repair", false, "repair sessionloom's own files; implies --full")
	a.addOptions(cmd, "dry-run", "json", "sample")
	return cmd
}

func (a *app) check(cmd *cobra.Command, full bool) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	report, err := a.runCheck(cmd.Context(), c, full)
	if err != nil {
		return explain(err)
	}
	if a.json {
		err = a.print.Object(&report)
	} else {
		findings, hints, sum := present.CheckLines(&report)
		a.print.Found(findings...)
		for _, h := range hints {
			a.print.Advise(h)
		}
		a.print.Say(sum)
	}
	if err == nil && len(report.Findings) > 0 {
		return exit.Silent(exit.CodeFound)
	}
	return err
}

func (a *app) runCheck(ctx context.Context, c config.Config, full bool) (r extract.CheckReport, err error) {
	mode := extract.Mode{DryRun: true}
	e := &engine{}
	defer func() { err = errors.Join(err, e.close()) }()
	err = e.openVault(c, mode)
	if words, hint := markerTrouble(c, err); words != "" {
		f := extract.Finding{Kind: "vault", Note: path.Join(c.Folder, ".sessionloom/vault.yaml"), Words: words, Hint: hint}
		return extract.CheckReport{Schema: 1, Findings: []extract.Finding{f}}, nil
	}
	if err != nil {
		return r, err
	}
	if e.opened.scratch != "" {
		return r, noVault(c)
	}
	_, gone := os.Stat(filepath.Join(e.opened.state, ledgerName)) // before it is opened
	if err := e.openLedger(c, a.print.Progress(), mode); err != nil {
		return r, err
	}
	check := extract.Check{Vault: e.Vault, Ledger: e.Ledger, Folder: c.Folder, Lost: gone == nil && e.Ledger.Fresh(), Full: full, Open: openToOthers(e.opened.state)}
	if check.Masker, err = redact.New(nil, c.Redact); err != nil { // only searched
		return r, err
	}
	marker := path.Join(c.Folder, ".sessionloom", "vault.yaml")
	if _, check.Settings = config.Rendering(e.Vault.Marker().Settings, marker); check.Settings != nil { // no command can render then
		return check.Run(ctx)
	}
	if e.Settings, e.Pages, err = a.look(e, c, mode); err != nil {
		return r, err
	}
	if err := e.wire(c); err != nil {
		return r, err
	}
	check.Anew = e.Anew
	return check.Run(ctx)
}

// markerTrouble returns the fault of the vault's settings file, and a hint.
func markerTrouble(c config.Config, err error) (words, hint string) {
	var lost *exit.Error
	switch {
	case errors.As(notLost(c), &lost):
		return lost.Error(), lost.Hint
	case errors.Is(err, vault.ErrBadMarker):
		return err.Error(), "correct the file, or bring it back from version control: until then nothing is written"
	}
	return "", ""
}

// openToOthers says that others can read the state folder, or returns "".
func openToOthers(state string) string {
	info, err := os.Stat(state)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return ""
	}
	return fmt.Sprintf("others than you can look into the state folder %q (mode %#o, not 0700)", state, info.Mode().Perm())
}

func (a *app) repair(cmd *cobra.Command, e *engine) error {
	if e.opened.scratch != "" {
		return noVault(e.config)
	}
	first, left := []extract.Action{}, []extract.Action{}
	act := func(kind, words, what string) extract.Action {
		return extract.Action{Finding: extract.Finding{Kind: kind, Words: words}, What: what}
	}
	if words := openToOthers(e.opened.state); words != "" {
		if a.mode.DryRun || os.Chmod(e.opened.state, 0o700) == nil && openToOthers(e.opened.state) == "" {
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
		if err := a.renewLedger(cmd.Context(), e); err != nil {
			return err
		}
		first = append(first, act("ledger", words, "begun anew from the history and the vault"))
	}
	r := extract.Repair{Engine: &e.Engine, Check: &extract.Check{Vault: e.Vault, Ledger: e.Ledger, Folder: e.Folder, Masker: e.Masker}}
	if a.mode.DryRun {
		r.Check.Anew = e.Anew
	}
	report, err := r.Run(cmd.Context())
	report.Repaired, report.Left = append(first, report.Repaired...), append(left, report.Left...)
	if err != nil {
		return explain(err)
	}
	if a.json {
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

// damagedLedger describes damage to the state, or returns "".
func damagedLedger(l *ledger.Ledger) (string, error) {
	if l.Fresh() {
		return "", nil
	}
	words, err := l.Damage()
	if err != nil || len(words) == 0 {
		return "", err
	}
	return "the state is damaged: " + words[0], nil
}

// renewLedger replaces a damaged ledger. A dry run continues with it.
func (a *app) renewLedger(ctx context.Context, e *engine) error {
	if a.mode.DryRun {
		return nil
	}
	if err := errors.Join(e.close(), ledger.Replace(e.opened.state)); err != nil {
		return err
	}
	again, err := a.openEngine(e.config, a.mode)
	if err == nil {
		*e = *again
		_, err = e.Run(context.WithoutCancel(ctx))
	}
	return explain(err)
}
