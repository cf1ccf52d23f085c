package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/vault"
)

// Files in a vault's state folder that let check look only at what changed since
// it was last run. They are a cache.
const (
	checkedName = "checked"        // what is known of the notes
	agreedName  = "checked.ledger" // the state of the ledger in which it agreed with the vault
)

// ledgerName is the file of the ledger in a vault's state folder.
const ledgerName = "ledger.db"

func newCheck(a *app) *cobra.Command {
	var full, asJSON, repair, dry bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "verify notes, links, secrets, ledger; --repair mends what is ours",
		Long: "Verify the notes of the vault and what is remembered of them, and write nothing\n" +
			"into either. What you wrote is never a finding: only what would keep a note from\n" +
			"being kept up to date, what of ours is damaged, would act or shows a secret, or a\n" +
			"link of ours that leads nowhere or is not answered. One line per finding; the exit\n" +
			"code is 4 when there is one. Only what changed since the last check is read.\n\n" +
			"With --repair what is ours is mended, then checked again: your text stays, byte for\n" +
			"byte, and what only you can decide is left and named. The exit code is 4 when\n" +
			"something is left.",
		Example: "  sessionloom check\n  sessionloom check --full --json\n  sessionloom check --repair --dry-run",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case dry && !repair:
				return exit.Usage("a check without --repair writes nothing anyway", "--dry-run goes with --repair alone")
			case repair:
				return a.repair(cmd, extract.Mode{DryRun: dry}, asJSON)
			}
			return a.check(cmd, full, asJSON)
		},
	}
	a.addSettings(cmd)
	config.HelpWith(cmd, config.Keys("vault", "folder", "state"))
	f := cmd.Flags()
	f.BoolVar(&full, "full", false, "read every note and the whole ledger, whatever was remembered of them")
	f.BoolVar(&repair, "repair", false, "mend what is ours; implies --full")
	f.BoolVarP(&dry, "dry-run", "n", false, "with --repair: write nothing, say what would be done")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	a.addSample(cmd)
	return cmd
}

func (a *app) check(cmd *cobra.Command, full, asJSON bool) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	report, err := runCheck(cmd.Context(), c, full)
	if err != nil {
		return explain(err)
	}
	if asJSON {
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

// runCheck opens vault and ledger for reading and checks them.
func runCheck(ctx context.Context, c config.Config, full bool) (r extract.CheckReport, err error) {
	p, err := openVault(c, extract.Mode{DryRun: true})
	if words, hint := markerTrouble(err); words != "" {
		f := extract.Finding{Kind: "vault", Note: path.Join(c.Folder, ".sessionloom/vault.yaml"), Words: words, Hint: hint}
		return extract.CheckReport{Schema: 1, Findings: []extract.Finding{f}}, nil
	}
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if p.scratch != "" {
		return r, exit.Failed("sessionloom sync makes it", "no notes of ours in %q yet: there is nothing to check", c.Managed())
	}
	stands := fileSeal(filepath.Join(p.state, ledgerName)) // before it is opened
	known, err := ledger.Open(p.state, ledger.Options{Discard: true})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, known.Close()) }()
	masker, err := redact.New(nil, c.Redact) // it only finds
	if err != nil {
		return r, err
	}
	remembered, _ := os.ReadFile(filepath.Join(p.state, checkedName)) // without it everything is read
	agreed, _ := os.ReadFile(filepath.Join(p.state, agreedName))
	check := extract.Check{
		Vault: p.vault, Ledger: known, Folder: c.Folder, Lost: stands != "" && known.Fresh(), Open: openToOthers(p.state),
		Full: full, Agreed: stands != "" && string(agreed) == stands, Memory: remembered, Masker: masker, Now: time.Now(),
	}
	_, check.Settings = config.Rendering(p.vault.Marker().Settings, filepath.Join(c.Folder, ".sessionloom", "vault.yaml"))
	if r, err = check.Run(ctx); err != nil {
		return r, err
	}
	if r.Memory != nil {
		err = keepChecked(p.state, checkedName, r.Memory)
	}
	if r.Agreed && stands != string(agreed) {
		err = errors.Join(err, keepChecked(p.state, agreedName, []byte(stands)))
	}
	return r, err
}

// markerTrouble says in words that the file which makes a folder a vault of ours
// is gone or cannot be read, and what can be done.
func markerTrouble(err error) (words, hint string) {
	var lost *lostError
	switch {
	case errors.As(err, &lost):
		return lost.Error(), lost.hint
	case errors.Is(err, vault.ErrBadMarker):
		return err.Error(), "correct the file, or bring it back from version control: until then nothing is written"
	}
	return "", ""
}

// keepChecked remembers what was checked, unless the vault was never synced here
// and has no state folder.
func keepChecked(state, name string, text []byte) error {
	err := atomicfile.File{Path: filepath.Join(state, name), Mode: 0o600}.PutText(text)
	if err == nil || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("remember what was checked: %w", err)
}

// forgetChecked drops what a check remembers of notes: texts of them too.
func (p *openedVault) forgetChecked() error {
	err := os.Remove(filepath.Join(p.state, checkedName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("forget what was checked: %w", err)
	}
	return nil
}

// fileSeal stands for the state of a file, empty where there is none.
func fileSeal(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// openToOthers says in words that others than its owner can look into the state
// folder, nothing where they cannot.
func openToOthers(state string) string {
	info, err := os.Stat(state)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return ""
	}
	return fmt.Sprintf("others than you can look into the state folder %q (mode %#o, not 0700)", state, info.Mode().Perm())
}
