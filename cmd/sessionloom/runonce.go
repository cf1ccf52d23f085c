package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/runlog"
	"github.com/sessionloom/sessionloom/extract"
)

// pass opens everything, does one pass, commits what it wrote where that was
// ordered, and reports it.
func (a *app) pass(
	cmd *cobra.Command, mode extract.Mode, asJSON bool, run func(*extract.Sync, context.Context) (extract.Report, error), order commitOrder,
) error {
	c, err := a.config(cmd)
	if err == nil {
		err = order.ready(cmd.Context(), c)
	}
	if err != nil {
		return err
	}
	mode.Texts = mode.Texts || mode.DryRun && a.print.Verbose && !asJSON
	return a.withEngine(cmd, mode, func(e *engine) error {
		p, err := e.pass(cmd.Context(), run, order)
		report := &p.Report
		a.timed.Saw(report, present.Failures(report.Problems, ""))
		if report.Schema == 0 && err != nil {
			return explain(err)
		}
		if mode.Texts {
			a.showDiff(report, diffOptions{})
		}
		if asJSON || err == nil || len(report.Changed) > 0 { // a run that was stopped has not found "nothing new"
			err = errors.Join(err, a.tellPass(&p, asJSON, present.Summary(report, a.print.Verbose, a.home)))
		}
		a.print.Warn(p.Warnings()...)
		if report.Sessions.Listed == 0 && err == nil {
			err = a.nothingFound(cmd.Context(), e)
		}
		return a.end(report, err)
	})
}

// pass does one pass of an open engine, leaves word of it, and commits what it
// wrote where that was ordered.
func (e *engine) pass(
	ctx context.Context, run func(*extract.Sync, context.Context) (extract.Report, error), order commitOrder,
) (p present.Pass, err error) {
	e.Rerendered = func(ctx context.Context) {
		// What fails here stays pending: the commit at the end tells of it.
		if made, err := order.carryOut(ctx, e, true); err == nil {
			p.Anew = made
		}
	}
	p.Report, err = run(&e.Sync, ctx)
	err = present.HideSecrets(e.Masker, err)
	if !e.Mode.DryRun {
		err = errors.Join(err, e.remember(ctx, p.Report, err))
	}
	if err == nil {
		p.Made, err = order.carryOut(ctx, e, false)
	}
	return p, err
}

// remember leaves word of the pass for status.
func (e *engine) remember(ctx context.Context, r extract.Report, err error) error {
	last := runlog.Last{At: e.Now().UTC(), ElapsedMS: r.ElapsedMS, Exit: exit.CodeOf(explain(err)), Sessions: r.Sessions, Notes: r.Notes}
	switch {
	case ctx.Err() != nil && err != nil:
		last.Exit = exit.CodeInterrupted
	case err == nil && r.Part():
		last.Exit = exit.CodePartial
	}
	if err != nil {
		last.Error = present.HideSecrets(e.Masker, err).Error()
	}
	return runlog.WriteLast(e.opened.state, last, r.Sources, e.Mode.Full && err == nil)
}

// tellPass prints what a pass did: one JSON object, or lines and those of its
// commits.
func (a *app) tellPass(p *present.Pass, asJSON bool, lines []string) error {
	return a.tell(asJSON, p.Object(), append(lines, p.CommitLines()...)...)
}

// end names what a run left out, and is [outcome].
func (a *app) end(r *extract.Report, err error) error {
	a.print.Troubles(r.Problems, a.home)
	return outcome(r, err)
}

// outcome is the failure of a run: err, else that it was done in part.
func outcome(r *extract.Report, err error) error {
	if err == nil && r.Part() {
		return exit.Silent(exit.CodePartial)
	}
	return explain(err)
}
