package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
)

func newDiff(a *app) *cobra.Command {
	mode := extract.Mode{DryRun: true, Texts: true}
	var stat, exitCode bool
	cmd := &cobra.Command{
		Use:   "diff",
		Short: "show what sync would write as a unified diff",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			l, err := a.loom(cmd, mode)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, l.close()) }()
			report, err := l.Run(cmd.Context())
			if err != nil {
				return explain(err)
			}
			shown := a.showDiff(&report, stat)
			a.print.troubles(report.Problems, a.home)
			switch {
			case report.Part():
				return silent(exitPartial)
			case shown && exitCode:
				return silent(exitFailed)
			}
			return nil
		},
	}
	a.addSettings(cmd)
	f := cmd.Flags()
	f.BoolVar(&stat, "stat", false, "count lines instead of showing them")
	f.BoolVar(&exitCode, "exit-code", false, "end with exit code 1 when there is something")
	f.BoolVar(&mode.Full, "full", false, "read everything, whatever was remembered of it")
	f.BoolVar(&mode.Force, "force", false, "go on although many notes are missing at once")
	a.addSample(cmd)
	return cmd
}

// showDiff prints what a dry run would change and tells whether there is
// anything.
func (a *app) showDiff(r *extract.Report, stat bool) bool {
	var notes, plus, minus int
	for _, c := range r.Changed {
		unified := unify(c)
		if unified == "" {
			continue
		}
		p, m := lines(unified)
		notes, plus, minus = notes+1, plus+p, minus+m
		if stat {
			a.print.say(fmt.Sprintf("%s %s +%d -%d", c.Outcome, c.Note, p, m))
			continue
		}
		a.print.diff(unified)
	}
	if stat && notes > 0 {
		a.print.say(fmt.Sprintf("%s: +%s -%s", count(notes, "note"), commas(plus), commas(minus)))
	}
	for _, k := range r.Kept {
		a.print.note("kept %s: %s", k.Note, k.Reason)
	}
	return notes > 0
}

// unify makes a change a unified diff that git and patch can read; empty where
// the text stays as it is.
func unify(c extract.Change) string {
	from, to := "a/"+c.Note, "b/"+c.Note
	if len(c.Old) == 0 {
		from = "/dev/null"
	}
	if len(c.New) == 0 {
		to = "/dev/null"
	}
	return udiff.Unified(from, to, string(c.Old), string(c.New))
}

// lines counts the added and removed lines of a unified diff.
func lines(unified string) (plus, minus int) {
	inside := false // past the two lines of the header
	for line := range strings.Lines(unified) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inside = true
		case inside && line[0] == '+':
			plus++
		case inside && line[0] == '-':
			minus++
		}
	}
	return plus, minus
}
