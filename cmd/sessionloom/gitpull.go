package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// newGitPull is a git pull that settles by itself what git stops at.
func newGitPull(a *app) *cobra.Command {
	cmd := a.gitCommand("pull [-- ARG…]", "git pull, going on where one side deleted or moved a note", (*app).gitPull)
	cmd.Long = "Run git pull in the vault's repository. Where git stops at a note that one side\n" +
		"deleted or moved and the other one changed, it is settled as git settle does, and\n" +
		"the pull goes on. After that the notes are rendered anew. Branches that went apart\n" +
		"are rebased, unless git is configured or told otherwise."
	cmd.Example = "  sessionloom sync --commit && sessionloom git pull && git -C ~/Vault push\n  sessionloom git pull -- --no-rebase origin main"
	cmd.Args = cobra.ArbitraryArgs
	return cmd
}

func (a *app) gitPull(cmd *cobra.Command, r *repo.Repo, s repo.Setup) error {
	ctx := cmd.Context()
	if err := r.Busy(); err != nil {
		return failed("sessionloom git settle goes on with a merge or rebase", "%w", err)
	}
	parts, err := r.Installed(ctx, s)
	if err != nil {
		return err
	}
	if !repo.Merges(parts) {
		a.print.warn("git is not told how to merge notes here")
		a.print.advise("sessionloom git install does it")
	}
	if err := r.Pull(ctx, cmd.Flags().Args()); err != nil {
		var busy *repo.BusyError
		if !errors.As(r.Busy(), &busy) {
			return err
		}
		n, err := a.settleAll(ctx, r, s.Folder)
		if err != nil {
			return explainSettle(err)
		}
		a.print.say(fmt.Sprintf("%s settled", count(n, "conflict")))
	}
	return a.renderAfter(cmd, r)
}

// renderAfter renders the notes anew if git has come to its end.
func (a *app) renderAfter(cmd *cobra.Command, r *repo.Repo) error {
	if r.Busy() != nil {
		return nil
	}
	return a.renderQuietly(cmd)
}

// renderQuietly is a pass that says nothing but what went wrong.
func (a *app) renderQuietly(cmd *cobra.Command) error {
	a.print.quiet = true
	err := a.pass(cmd, extract.Mode{}, false, (*extract.Sync).Run)
	if codeOf(err) == exitLocked {
		return nil // a run is at work: it, or the next one, sees to it
	}
	return err
}
