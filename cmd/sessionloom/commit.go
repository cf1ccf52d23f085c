package main

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
)

// commitOrder says whether a pass is to end with a commit, and where.
type commitOrder struct {
	commit bool
	branch string // empty: what is checked out
}

func (o *commitOrder) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.commit, "commit", false, "put what was written into a git commit of its own")
	f.StringVar(&o.branch, "branch", "", "with --commit: put it on the branch `NAME`, leaving what is checked out alone")
}

func (o commitOrder) verify(mode extract.Mode) error {
	switch {
	case o.branch != "" && !o.commit:
		return exit.Usage("give --commit too", "--branch says where a commit goes")
	case o.commit && mode.DryRun:
		return exit.Usage("leave one of them out", "--commit and --dry-run exclude each other")
	}
	return nil
}

// ready refuses what could not be committed, before anything is read, created or
// written.
func (o commitOrder) ready(ctx context.Context, c config.Config) error {
	if !o.commit {
		return nil
	}
	r, err := vaultRepo(c)
	if err != nil {
		return err
	}
	return r.Ready(ctx, o.branch)
}

// carryOut commits what passes wrote since the last commit. anew says that templates
// or settings made it anew, before anything was read.
func (o commitOrder) carryOut(ctx context.Context, e *engine, anew bool) (present.Commit, error) {
	if !o.commit {
		return present.Commit{}, nil
	}
	return e.repo.CommitPending(ctx, &e.Sync, o.branch, anew)
}
