package main

import (
	"cmp"
	"context"
	"math"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/askagent"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
)

func newDistil(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "distil [SESSION|PROJECT…]",
		Short: "ask an agent of yours what came of sessions",
		Long: "Sync, then ask the agent that distil.command names what came of sessions, what is\n" +
			"left, what was decided and what was learned, and show it in their notes. Each line\n" +
			"has a quotation that was found in the session letter by letter; what has none is\n" +
			"thrown away. The masked text of a session leaves this machine if the agent sends it.\n\n" +
			"Without names it is the sessions that matter, the newest first, as many as\n" +
			"distil.limit and distil.characters allow. Nobody is asked twice about a session that\n" +
			"did not change. With --dry-run nothing is asked: it shows what would be sent.",
		Example: "  sessionloom distil --dry-run\n  sessionloom distil 7524f8de\n  sessionloom distil project:widget",
		Args:    ask.Args(0, math.MaxInt, ""),
		ValidArgsFunction: a.completing(func(k ask.Known) []string {
			return present.Offers(append(k.Sessions(), k.OfType("project")...))
		}),
		RunE: func(cmd *cobra.Command, names []string) error { return a.distil(cmd, names) },
	}
	a.addSettings(cmd, config.AllBut())
	a.addOptions(cmd, "dry-run", "json", "commit", "sample")
	return cmd
}

func (a *app) distil(cmd *cobra.Command, names []string) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	d, err := askingOf(c)
	if err != nil {
		return err
	}
	d.Names = names
	if err := a.ready(cmd.Context(), c); err != nil {
		return err
	}
	return a.withEngine(cmd, a.mode, func(e *engine) error {
		done := present.Distilled{Schema: 1}
		p, err := e.pass(cmd.Context(), func(s *extract.Engine, ctx context.Context) (r extract.Report, err error) {
			r, done.Distillation, err = s.Distil(ctx, d)
			return r, err
		}, a.options)
		done.Report = p.Report
		a.print.Warn(p.Warnings()...)
		if a.json || err == nil || len(done.Sessions) > 0 {
			lines := slices.Concat(present.Summary(&p.Report, a.print.Verbose, a.home), done.Lines(), p.CommitLines(a.home))
			err = cmp.Or(err, a.printResult(&done, lines...))
		}
		return a.end(&p.Report, err)
	})
}

// askingOf returns the configured agent and its limits.
func askingOf(c config.Config) (d extract.Distil, err error) {
	if len(c.Distil.Command) == 0 {
		return d, exit.Usage("set it in the configuration of this machine: sessionloom config set distil.command claude", "distil.command names no agent")
	}
	agent, err := askagent.Find(c.Distil.Command, c.Distil.TrustTools, exec.LookPath)
	if err != nil {
		return d, exit.Usage("", "%w", err)
	}
	return extract.Distil{Sessions: c.Distil.Limit, Characters: c.Distil.Characters, By: agent.Name(), Ask: agent.Ask}, nil
}

// syncOf returns a sync, followed by questions if distil.after_sync is set.
func syncOf(c config.Config) func(*extract.Engine, context.Context) (extract.Report, error) {
	if !c.Distil.AfterSync {
		return (*extract.Engine).Run
	}
	return func(s *extract.Engine, ctx context.Context) (extract.Report, error) {
		d, err := askingOf(c)
		if err == nil && !s.Mode.DryRun {
			d.ByItself = true
			r, _, err := s.Distil(ctx, d)
			return r, err
		}
		r, failed := s.Run(ctx)
		if err != nil {
			r.Problems = append(r.Problems, extract.Problem{Error: err.Error(), Hint: "distil.after_sync: false asks none", Fatal: true})
		}
		return r, failed
	}
}
