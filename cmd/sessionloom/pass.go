package main

import (
	"context"
	"errors"

	"github.com/sessionloom/sessionloom/extract"
)

// passed is what became of a pass.
type passed struct {
	report extract.Report
	anew   commitMade // of what changed templates or settings made anew
	made   commitMade
}

// pass does one pass of an open loom, leaves word of it, and commits what it
// wrote where that was ordered.
func (l *loom) pass(
	ctx context.Context, run func(*extract.Sync, context.Context) (extract.Report, error), order commitOrder,
) (p passed, err error) {
	l.Rerendered = func(ctx context.Context) {
		// What fails here stays pending: the commit at the end tells of it.
		if made, err := order.rerendered().carryOut(ctx, l); err == nil {
			p.anew = made
		}
	}
	p.report, err = run(&l.Sync, ctx)
	err = hideSecrets(l.Masker, err)
	if !l.Mode.DryRun {
		err = errors.Join(err, l.remember(ctx, p.report, err))
	}
	if err == nil {
		p.made, err = order.carryOut(ctx, l)
	}
	return p, err
}

// object is what --json prints of the pass.
func (p *passed) object() *committedReport {
	return &committedReport{Report: &p.report, Rerender: p.anew.object(), Commit: p.made.object()}
}

// remember leaves word of the pass for status.
func (l *loom) remember(ctx context.Context, r extract.Report, err error) error {
	last := lastPass{At: l.Now().UTC(), ElapsedMS: r.ElapsedMS, Exit: codeOf(explain(err)), Sessions: r.Sessions, Notes: r.Notes}
	switch {
	case ctx.Err() != nil && err != nil:
		last.Exit = exitInterrupted
	case err == nil && r.Part():
		last.Exit = exitPartial
	}
	if err != nil {
		last.Error = hideSecrets(l.Masker, err).Error()
	}
	var before []unknownKinds
	if was := readLast(l.place.state); was != nil && (!l.Mode.Full || err != nil) {
		before = was.Unknown
	}
	last.Unknown = met(before, r.Sources)
	return writeLast(l.place.state, last)
}
