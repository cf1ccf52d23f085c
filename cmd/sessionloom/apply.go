package main

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

func newApply(a *app) *cobra.Command {
	var mode extract.Mode
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "apply FILE",
		Short: "carry out a plan that sync --plan made",
		Long: "Carry out a plan that `sync --plan` made, and nothing else. A note that is not as\n" +
			"the plan saw it is named and left alone, the rest is done; the exit code is then 3.\n" +
			"With - the plan is read from standard input.",
		Example: "  sessionloom sync --plan week.json\n  sessionloom apply week.json --dry-run --diff\n  sessionloom apply week.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("sessionloom sync --plan FILE makes a plan", "apply wants one plan, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.apply(cmd, mode, asJSON, args[0]) },
	}
	addFlags(cmd, ofKeys("vault", "folder", "state", "jobs"))
	f := cmd.Flags()
	f.BoolVarP(&mode.DryRun, "dry-run", "n", false, "write nothing, say what would be done")
	f.BoolVar(&mode.Texts, "diff", false, "show it as a unified diff")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) apply(cmd *cobra.Command, mode extract.Mode, asJSON bool, file string) (err error) {
	if asJSON && mode.Texts {
		return usage("leave one of them out", "--json and --diff exclude each other")
	}
	plan, err := a.readPlan(file)
	if err != nil {
		return err
	}
	l, err := a.applying(cmd, mode, plan)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	before := l.Vault.Marker().Settings
	report, err := l.Apply(cmd.Context(), plan)
	if report.Schema == 0 {
		return explain(err)
	}
	if mode.Texts {
		a.showDiff(&report, diffOptions{})
	}
	switch {
	case asJSON:
		err = errors.Join(err, a.print.object(&report))
	case err == nil || len(report.Changed) > 0:
		a.print.say(applied(&report, before, l.Vault.Marker().Settings, a.print.verbose)...)
	}
	a.print.troubles(report.Problems, a.home)
	if err == nil && report.Part() {
		return silent(exitPartial)
	}
	return explain(err)
}

// applying wires what a plan needs to be carried out: a vault that is there, and
// the ledger, which holds the lock.
func (a *app) applying(cmd *cobra.Command, mode extract.Mode, plan extract.Plan) (l *loom, err error) {
	l = &loom{}
	defer func() {
		if err != nil {
			err = errors.Join(explain(err), l.close())
		}
	}()
	if l.config, err = a.config(cmd); err != nil {
		return l, err
	}
	c := l.config
	mode.Jobs = c.jobs
	if c.vault != "" {
		v, err := vault.Open(c.vault, c.folder, vault.Options{DryRun: true})
		if err != nil {
			return l, failed("name the vault the plan was made for: --vault DIR", "%w", err)
		}
		if err := v.Close(); err != nil {
			return l, err
		}
	}
	if l.place, err = openPlace(c, mode); err != nil {
		return l, err
	}
	l.ends = append(l.ends, l.place.close)
	notes, err := ledger.Open(l.place.state, ledger.Options{Discard: mode.DryRun})
	if err != nil {
		return l, err
	}
	l.ends = append(l.ends, notes.Close)
	look, err := plannedSettings(plan, l.place.vault.Marker().Settings, filepath.Join(c.vault, c.folder, ".sessionloom", "vault.yaml"))
	if err != nil {
		return l, err
	}
	pages, err := pagesOf(l.place.vault, look)
	if err != nil {
		return l, err
	}
	if l.repo, err = l.place.repo(c); err != nil {
		return l, err
	}
	l.Sync = extract.Sync{Pages: pages, Ledger: notes, Vault: l.place.vault, Folder: c.folder, Mode: mode, Progress: a.print.progress(), Now: time.Now}
	if l.repo != nil {
		l.Busy = busy(l.repo)
	}
	return l, nil
}

// plannedSettings are those of the vault once a plan was applied. One that would
// leave settings nobody can read is refused.
func plannedSettings(plan extract.Plan, have map[string]string, marker string) (extract.Settings, error) {
	if have == nil {
		have = map[string]string{}
	}
	known := renderSettings(extract.DefaultSettings())
	for _, s := range plan.Settings {
		if !slices.ContainsFunc(known, func(k setting) bool { return k.key == s.Key }) {
			return extract.Settings{}, usage("", "the plan changes %q, which is no setting of a vault", s.Key)
		}
		have[s.Key] = s.Value
	}
	return rendering(have, marker)
}

// applied words what was done with a plan; before and now are the settings of the
// vault.
func applied(r *extract.Report, before, now map[string]string, told bool) []string {
	var lines []string
	if len(r.Changed) > 0 || r.Notes.Failed > 0 {
		lines = append(lines, headline(r))
	}
	if n := r.Notes.Tombstoned; n > 0 {
		lines = append(lines, count(n, "note")+" you deleted will not come back, unless by sessionloom restore")
	}
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if before[key] != now[key] {
			lines = append(lines, "the vault's "+key+" is "+now[key]+" now")
		}
	}
	if len(lines) == 0 && !r.Part() {
		return []string{"Nothing to do: all of the plan is in the vault already."}
	}
	if told {
		for _, c := range r.Changed {
			lines = append(lines, c.Outcome+" "+c.Note)
		}
	}
	return lines
}
