package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/gitvault"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// newGitResolve ends what no merge driver is asked about.
func newGitResolve(a *app) *cobra.Command {
	return a.gitCommand("settle", "go on with a pull that stopped at a deleted or moved note", (*app).resolveConflicts,
		"Settle what a merge or rebase stopped at where one side deleted or moved a note\n"+
			"that the other one changed, and go on with it to its end. A note with a tombstone\n"+
			"stays deleted, any other one stays. Conflicts in texts, in files that are no notes\n"+
			"and in notes that were edited since are left to you; call it again after that.")
}

func (a *app) resolveConflicts(cmd *cobra.Command, r *gitvault.Repo, s repo.Setup) error {
	n, err := r.ResolveAll(cmd.Context(), s.Folder)
	var left *gitvault.LeftError
	if errors.As(err, &left) {
		for _, p := range left.Paths {
			a.print.Warn(fmt.Sprintf("%q: a conflict that is left to you", p))
		}
		return &exit.Error{Code: exit.CodePartial, Err: err, Hint: left.Hint()}
	}
	if err != nil {
		return gitvault.Explain(err, gitvault.HintStopped, "once git can write again, sessionloom git settle goes on")
	}
	a.print.Say(present.Count(n, "conflict") + " settled")
	if r.Busy() != nil {
		return nil // git stopped where its user wanted it to
	}
	a.print.Quiet = true
	err = a.pass(cmd, extract.Mode{}, false, (*extract.Sync).Run, commitOrder{})
	if exit.CodeOf(err) == exit.CodeLocked {
		return nil // a run is at work: it, or the next one, sees to it
	}
	return err
}
