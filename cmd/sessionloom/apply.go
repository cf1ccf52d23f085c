package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/extract"
)

func newApply(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "apply FILE",
		Short: "carry out a plan that sync --plan made",
		Long: "Carry out a plan that `sync --plan` made, all of it. Where a sync would do\n" +
			"something else by now, nothing is written: make a new plan.\n" +
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
	if err == nil {
		c, err = c.With(plan.Settings)
	}
	if err != nil {
		return err
	}
	mode := a.mode
	mode.DryRun, mode.KeepRead = true, true
	report, err := a.onPlan(cmd, c, mode, plan, (*extract.Engine).CheckPlan)
	if err == nil && !a.mode.DryRun {
		report, err = a.onPlan(cmd, c, a.mode, plan, (*extract.Engine).Apply)
	}
	if report.Schema == 0 || err != nil && len(report.Changed) == 0 {
		return explain(err)
	}
	if a.mode.Texts {
		a.showDiff(&report, nil)
	}
	if a.json {
		err = errors.Join(err, a.print.Object(&report))
	} else {
		a.print.Say(present.Applied(&report, plan.Settings, a.print.Verbose)...)
	}
	return a.end(&report, err)
}

func (a *app) onPlan(
	cmd *cobra.Command, c config.Config, mode extract.Mode, plan extract.Plan,
	do func(*extract.Engine, context.Context, extract.Plan) (extract.Report, error),
) (r extract.Report, err error) {
	e, err := a.openEngine(c, mode)
	if err != nil {
		return r, err
	}
	r, err = do(&e.Engine, cmd.Context(), plan)
	return r, errors.Join(err, e.close())
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

// putPlan prints a plan, or writes a file that only its owner can read. It does not replace a special file.
func (a *app) putPlan(plan extract.Plan, file string) error {
	var text bytes.Buffer
	err := plan.Write(&text)
	switch info, unseen := os.Stat(file); {
	case err != nil:
	case file == stdio:
		_, err = a.print.Write(text.Bytes())
	case unseen == nil && !info.Mode().IsRegular():
		err = os.WriteFile(file, text.Bytes(), 0)
	default:
		err = atomicfile.File{Path: file, Mode: 0o600, Lasting: true}.Put(text.Bytes())
	}
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
