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
	"github.com/sessionloom/sessionloom/extract/redact"
)

// checkedName is the file in a vault's state folder that lets check read only
// what changed since it was last run. It is a cache.
const checkedName = "checked"

func newCheck(a *app) *cobra.Command {
	var full, asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "verify the vault: markers, ids, links, frontmatter, ledger",
		Long: "Verify the notes of the vault and what is remembered of them, and write nothing\n" +
			"into either. What you wrote is never a finding: only what would keep a note from\n" +
			"being kept up to date, or a link of ours that leads nowhere. One line per finding;\n" +
			"the exit code is 4 when there is one. Only what changed since the last check is\n" +
			"read.",
		Example: "  sessionloom check\n  sessionloom check --full --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.config(cmd)
			if err != nil {
				return err
			}
			report, err := runCheck(cmd.Context(), c, full)
			if err != nil {
				return explain(err)
			}
			if asJSON {
				err = a.print.object(&report)
			} else {
				a.showCheck(&report)
			}
			if err == nil && len(report.Findings) > 0 {
				return silent(exitFound)
			}
			return err
		},
	}
	a.addSettings(cmd)
	helpsWith(cmd, ofKeys("vault", "folder", "state"))
	cmd.Flags().BoolVar(&full, "full", false, "read every note and the whole ledger, whatever was remembered of them")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// runCheck opens vault and ledger for reading and checks them.
func runCheck(ctx context.Context, c config, full bool) (r extract.CheckReport, err error) {
	p, err := openPlace(c, extract.Mode{DryRun: true})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if p.scratch != "" {
		return r, failed("sessionloom sync makes it", "no notes of ours in %q yet: there is nothing to check", filepath.Join(c.vault, c.folder))
	}
	_, missing := os.Stat(filepath.Join(p.state, "ledger.db"))
	known, err := ledger.Open(p.state, ledger.Options{Discard: true})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, known.Close()) }()
	remembered, _ := os.ReadFile(filepath.Join(p.state, checkedName)) // without it everything is read
	masker, err := redact.New(nil, redact.Options{})                  // it only finds
	if err != nil {
		return r, err
	}
	check := extract.Check{
		Vault: p.vault, Ledger: known, Folder: c.folder, Lost: missing == nil && known.Fresh(),
		Full: full, Memory: remembered, Masker: masker, Now: time.Now(),
	}
	if r, err = check.Run(ctx); err != nil || r.Memory == nil {
		return r, err
	}
	err = wholeFile{path: filepath.Join(p.state, checkedName), mode: 0o600}.putText(r.Memory)
	if errors.Is(err, os.ErrNotExist) { // a vault that was never synced here has no state folder
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("remember what was checked: %w", err)
	}
	return r, err
}

// showCheck prints a line for each finding, and each hint once.
func (a *app) showCheck(r *extract.CheckReport) {
	told := map[string]bool{}
	var hints []string
	for _, f := range r.Findings {
		a.print.found(findingLine(f))
		if !told[f.Hint] {
			told[f.Hint] = true
			hints = append(hints, f.Kind+": "+f.Hint)
		}
	}
	for _, h := range hints {
		a.print.advise(h)
	}
	end := "nothing found"
	if n := len(r.Findings); n > 0 {
		end = count(n, "finding")
	}
	a.print.say(fmt.Sprintf("%s checked, %s read: %s", count(r.Notes, "note"), commas(r.Read), end))
}

// findingLine words a finding as compilers do, so that editors find the place.
func findingLine(f extract.Finding) string {
	at := f.Note
	if at == "" {
		at = "."
	}
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, f.Line)
	}
	return at + ": " + f.Kind + ": " + f.Words
}
