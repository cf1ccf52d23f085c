package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
)

// stdio names standard input or output in the place of a file.
const stdio = "-"

// plan works out what a sync would write and puts that into a file.
func (a *app) plan(cmd *cobra.Command, mode extract.Mode, asJSON bool, file string) (err error) {
	if asJSON && file == stdio {
		return usage("name a file for the plan", "--json and --plan - both want standard output")
	}
	if mode.Texts && file == stdio {
		return usage("name a file for the plan", "--diff and --plan - both want standard output")
	}
	mode.DryRun, mode.KeepRead = true, true
	l, err := a.loom(cmd, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	plan, report, err := l.Plan(cmd.Context(), version())
	if err == nil {
		err = a.putPlan(plan, file)
	}
	a.print.troubles(report.Problems, a.home)
	if err != nil {
		return explain(err)
	}
	if mode.Texts {
		a.showDiff(&report, diffOptions{})
	}
	switch {
	case asJSON:
		err = a.print.object(&report)
	case file == stdio:
		for _, line := range summary(&report, a.print.verbose, a.home) {
			a.print.note("%s", line)
		}
	default:
		a.print.say(summary(&report, a.print.verbose, a.home)...)
		a.print.note("sessionloom apply %s does it", tilde(file, a.home))
	}
	if plan.Rerender {
		a.print.note("templates or settings changed: this plan renders anew what is there; the next one takes in what is new")
	}
	if err == nil && report.Part() {
		return silent(exitPartial)
	}
	return err
}

func (a *app) putPlan(plan extract.Plan, file string) error {
	if file != stdio {
		return writePlan(plan, file)
	}
	w := bufio.NewWriter(printed{a.print})
	return errors.Join(plan.Write(w), w.Flush())
}

// writePlan writes a plan for its owner's eyes only, whole or not at all. What is
// no regular file, such as a pipe, is written into.
func writePlan(plan extract.Plan, file string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("write the plan: %w", err)
		}
		return errors.Join(plan.Write(f), f.Close())
	}
	err := wholeFile{path: file, mode: 0o600, lasting: true}.put(func(to io.Writer) error {
		w := bufio.NewWriter(to)
		return errors.Join(plan.Write(w), w.Flush())
	})
	if err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	return nil
}

// readPlan reads a plan from a file or standard input.
func (a *app) readPlan(file string) (extract.Plan, error) {
	in := a.stdin
	if file != stdio {
		f, err := os.Open(file)
		if err != nil {
			return extract.Plan{}, failed("sessionloom sync --plan FILE makes a plan", "read the plan: %w", err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	plan, err := extract.ReadPlan(bufio.NewReader(in))
	var not *extract.NotPlanError
	if err == nil || errors.As(err, &not) {
		return plan, explain(err)
	}
	return plan, failed("sessionloom sync --plan FILE makes a plan", "%w", err)
}

// printed is standard output for what writes in pieces.
type printed struct{ *printer }

func (p printed) Write(b []byte) (int, error) {
	if p.write(string(b)); p.broken != nil {
		return 0, p.broken
	}
	return len(b), nil
}

var _ io.Writer = printed{}
