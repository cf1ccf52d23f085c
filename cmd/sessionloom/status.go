package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/registry"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

func newStatus(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "show the last run, what is due, and notes that need a look",
		Long: "Show the last run, what the next one would do, and what needs a look: notes kept as\n" +
			"you edited them, deleted, moved away, put aside or forgotten. Nothing is written.",
		Example: "  sessionloom status\n  sessionloom status -v",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.config(cmd)
			if err != nil {
				return err
			}
			e, err := a.openEngine(c, extract.Mode{DryRun: true})
			if err != nil {
				if !a.json {
					a.sayKnown(cmd, c)
				}
				return err
			}
			return errors.Join(a.status(cmd, e), e.close())
		},
	}
	a.addSettings(cmd, config.AllBut())
	a.addOptions(cmd, "json", "sample")
	return cmd
}

func (a *app) status(cmd *cobra.Command, e *engine) error {
	s, err := e.status(cmd.Context())
	if err != nil {
		return explain(err)
	}
	t, _ := a.timer(cmd, e.config) // schedule status reports the error
	s.Schedule = t.Brief()
	if a.sample { // it comes with the program
		s.Expiring = []present.Expiring{}
	}
	if a.json {
		return a.print.Object(s)
	}
	a.print.Say(s.Lines(a.home, a.print.LineWidth(), a.print.Verbose)...)
	if !a.sample && e.opened.scratch == "" {
		a.print.Say(a.todo(cmd.Context(), e.config).Lines(func(name string) string { return a.command(name, e.config) })...)
	}
	a.print.Troubles(s.Problems, a.home)
	return nil
}

// sayKnown prints the last run's data about a vault that cannot be read now.
func (a *app) sayKnown(cmd *cobra.Command, c config.Config) {
	folder, ok := registry.Known(c.State, entryOf(c))
	if !ok {
		return
	}
	t, _ := a.timer(cmd, c) // schedule status reports the error
	s := &present.StatusReport{Vault: c.Managed(), Last: runlog.ReadLast(folder), Schedule: t.Brief()}
	a.print.Say(s.KnownLines(a.home, a.print.LineWidth())...)
}

func (e *engine) status(ctx context.Context) (*present.StatusReport, error) {
	s := &present.StatusReport{
		Schema: 1, Vault: e.config.Managed(), State: e.opened.state, Last: runlog.ReadLast(e.opened.state),
		Due: []extract.Change{}, Kept: []extract.KeptNote{}, Broken: []extract.KeptNote{}, MovedOut: []string{}, Rescued: []string{}, Forgotten: []string{}, Deleted: []ledger.Tombstone{}, Expiring: []present.Expiring{},
		Partial: []extract.PartialSession{}, Problems: []extract.Problem{}, Ignored: []extract.IgnoredFolder{},
		LeftTo: []extract.LeftTo{}, Missing: []catalog.Missing{}, NoEffect: append([]string{}, e.config.NoEffect(e.Vault.Marker().Settings, e.Vault.Marker().Unknown)...),
	}
	s.Called = catalog.New(e.Ledger, e.Folder).Called
	report, err := e.Run(ctx)
	var held *extract.HeldError
	switch {
	case errors.As(err, &held):
		s.Held, s.Hint = held.What, held.Hint
	case err != nil:
		return nil, err
	default:
		s.Problems, s.Ignored = report.Problems, report.Ignored
		s.Missing = e.missing(&report)
		s.Vanished, s.StoreOnly, s.LeftTo = report.Sessions.Vanished, report.StoreOnly, report.LeftTo
		s.Expiring = present.DaysLeft(report.Expiring, e.Now())
		for _, c := range report.Changed {
			if c.Outcome != "kept" {
				s.Due = append(s.Due, c)
			}
		}
	}
	return s, errors.Join(askLedger(s, e.Ledger, e.Folder), askVault(ctx, s, e))
}

func (e *engine) missing(r *extract.Report) []catalog.Missing {
	copies := map[string]string{}
	for _, l := range r.LeftTo {
		copies[l.Session] = l.To
	}
	return catalog.New(e.Ledger, e.Folder).Missing(copies)
}

func askLedger(s *present.StatusReport, l *ledger.Ledger, folder string) error {
	for state, take := range map[ledger.NoteState]func(ledger.NoteRow){
		ledger.Present:    func(n ledger.NoteRow) { s.Kept = append(s.Kept, keptNote(n, folder)) },
		ledger.Unwritable: func(n ledger.NoteRow) { s.Broken = append(s.Broken, keptNote(n, folder)) },
		ledger.MovedOut:   func(n ledger.NoteRow) { s.MovedOut = append(s.MovedOut, n.Path) },
	} {
		for _, n := range l.NotesInState(state) {
			take(n)
		}
	}
	for _, f := range l.OwnedFiles() {
		if f.Reason != "" {
			s.Kept = append(s.Kept, extract.KeptNote{Note: folder + "/" + f.Path, Reason: f.Reason})
		}
	}
	for _, g := range l.Tombstones() {
		if id, ok := extract.Forgotten(g); ok {
			s.Forgotten = append(s.Forgotten, id)
		} else {
			s.Deleted = append(s.Deleted, g)
		}
	}
	for _, row := range l.Damaged() {
		s.Partial = append(s.Partial, extract.PartialSession{Session: row.ID, Damage: strings.Split(row.Damage, "\n")})
	}
	return l.Failed()
}

func keptNote(n ledger.NoteRow, folder string) extract.KeptNote {
	return extract.KeptNote{Note: path.Join(folder, n.Path), Reason: n.Reason}
}

func askVault(ctx context.Context, s *present.StatusReport, e *engine) error {
	rescued, err := e.Vault.Rescued(ctx)
	for _, p := range rescued {
		s.Rescued = append(s.Rescued, path.Join(e.Folder, p))
		if info, err := os.Lstat(filepath.Join(s.Vault, filepath.FromSlash(p))); err == nil { // else it was removed meanwhile
			s.Saved += info.Size()
		}
	}
	if err != nil || e.opened.scratch != "" {
		return err
	}
	stones, err := os.ReadDir(filepath.Join(s.Vault, ".sessionloom", "tombstones"))
	s.Tombstones = len(stones)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("count deleted notes: %w", err)
	}
	return nil
}

// overview prints the help of the program without a command.
func (a *app) overview(cmd *cobra.Command) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	if c.Vault == "" {
		found, err := a.inventory(cmd.Context(), c)
		if err != nil {
			return err
		}
		var vaults []string
		for _, v := range a.vaults("") {
			vaults = append(vaults, a.short(v.Path))
		}
		a.print.Say(found.Welcome(vaults)...)
		return nil
	}
	if err := explain(notAnew(c)); err != nil {
		a.sayKnown(cmd, c)
		return err
	}
	s := &present.StatusReport{Vault: c.Managed()}
	if folder, ok := registry.Known(c.State, entryOf(c)); ok {
		s.Last = runlog.ReadLast(folder)
	}
	a.print.Say(s.LastLines(a.home, a.print.LineWidth())...)
	if s.Last != nil { // else setup comes first
		a.print.Say(a.todo(cmd.Context(), c).Lines(func(name string) string { return a.command(name, c) })...)
	}
	a.print.Say("next: " + a.command("sync", c))
	return nil
}
