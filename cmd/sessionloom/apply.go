package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
)

func newApply(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "apply FILE",
		Short: "carry out a plan that sync --plan made",
		Long: "Carry out a plan that `sync --plan` made, and nothing else. A note that is not as\n" +
			"the plan saw it is named and left alone, the rest is done; the exit code is then 3.\n" +
			"With - the plan is read from standard input.",
		Example: "  sessionloom sync --plan week.json\n  sessionloom apply week.json --dry-run --diff\n  sessionloom apply week.json",
		Args:    ask.Args(1, 1, "sessionloom sync --plan FILE makes a plan"),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.apply(cmd, args[0]) },
	}
	a.flags.Add(cmd, config.Keys("vault", "folder", "state", "jobs"))
	a.addOptions(cmd, "dry-run", "diff", "json")
	return cmd
}

func (a *app) apply(cmd *cobra.Command, file string) (err error) {
	plan, err := a.readPlan(file)
	if err != nil {
		return err
	}
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	e, err := a.openToApply(c)
	if err != nil {
		return errors.Join(explain(err), e.close())
	}
	defer func() { err = errors.Join(err, e.close()) }()
	before := e.Vault.Marker().Settings
	report, err := e.Apply(cmd.Context(), plan)
	if report.Schema == 0 {
		return explain(err)
	}
	if a.mode.Texts {
		a.showDiff(&report, nil)
	}
	switch {
	case a.json:
		err = errors.Join(err, a.print.Object(&report))
	case err == nil || len(report.Changed) > 0:
		a.print.Say(present.Applied(&report, before, e.Vault.Marker().Settings, a.print.Verbose)...)
	}
	return a.end(&report, err)
}

// openToApply opens the vault, which must exist, and the state. The caller closes both.
func (a *app) openToApply(c config.Config) (*engine, error) {
	e := &engine{}
	if c.Vault != "" {
		v, err := vault.Open(c.Vault, c.Folder, vault.Options{DryRun: true})
		if err != nil {
			return e, exit.Failed("name the vault the plan was made for: --vault DIR", "%w", err)
		}
		if err := v.Close(); err != nil {
			return e, err
		}
	}
	return e, e.stand(a, c, a.mode)
}

// stdio stands for standard input or output in place of a file.
const stdio = "-"

// plan writes a plan of a sync to a file.
func (a *app) plan(cmd *cobra.Command, file string) error {
	if (a.json || a.mode.Texts) && file == stdio {
		return exit.Usage("name a file for the plan", "--json or --diff, and --plan - both want standard output")
	}
	mode := a.mode
	mode.DryRun, mode.KeepRead = true, true
	return a.withEngine(cmd, mode, func(e *engine) error {
		plan, report, err := e.Plan(cmd.Context(), system.Version())
		if err == nil {
			err = a.putPlan(plan, file)
		}
		a.print.Troubles(report.Problems, a.home)
		if err != nil {
			return explain(err)
		}
		if a.mode.Texts {
			a.showDiff(&report, nil)
		}
		switch {
		case a.json:
			err = a.print.Object(&report)
		case file == stdio:
			for _, line := range present.Summary(&report, a.print.Verbose, a.home) {
				a.print.Note("%s", line)
			}
		default:
			a.print.Say(present.Summary(&report, a.print.Verbose, a.home)...)
			a.print.Note("sessionloom apply %s does it", a.short(file))
		}
		return outcome(&report, err)
	})
}

func (a *app) putPlan(plan extract.Plan, file string) error {
	if file != stdio {
		return writePlan(plan, file)
	}
	w := bufio.NewWriter(a.print)
	return errors.Join(plan.Write(w), w.Flush())
}

// writePlan writes a plan that only its owner can read. It does not replace a special file.
func writePlan(plan extract.Plan, file string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("write the plan: %w", err)
		}
		return errors.Join(plan.Write(f), f.Close())
	}
	err := atomicfile.File{Path: file, Mode: 0o600, Lasting: true}.Put(func(to io.Writer) error {
		w := bufio.NewWriter(to)
		return errors.Join(plan.Write(w), w.Flush())
	})
	if err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	return nil
}

func (a *app) readPlan(file string) (extract.Plan, error) {
	in := a.stdin
	if file != stdio {
		f, err := os.Open(file)
		if err != nil {
			return extract.Plan{}, exit.Failed("sessionloom sync --plan FILE makes a plan", "read the plan: %w", err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	plan, err := extract.ReadPlan(bufio.NewReader(in))
	var not *extract.NotPlanError
	if err == nil || errors.As(err, &not) {
		return plan, explain(err)
	}
	return plan, exit.Failed("sessionloom sync --plan FILE makes a plan", "%w", err)
}
