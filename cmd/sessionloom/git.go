package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/gitvault"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault/repo"
)

func newGit(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "git",
		Short: "have git merge the notes of several machines",
		Long: "Several machines may write into one vault that they share through git. These\n" +
			"commands set up, in the repository of this machine, that notes merge without\n" +
			"conflicts in generated text. The next sync renders anew what a pull brought.",
		Example: "  sessionloom git install --vault ~/Vault\n  sessionloom sync --commit && git -C ~/Vault pull --rebase --autostash && git -C ~/Vault push",
	}
	cmd.AddCommand(
		a.gitCommand("install", "set up the merge driver", (*app).gitInstall,
			"Set up the merge driver in the repository of this machine. It may be run again at any\n"+
				"time."),
		a.gitCommand("uninstall", "take out what install put in", (*app).gitUninstall,
			"Take out of the repository of this machine what install put in, and nothing else."),
		newGitResolve(a), newGitMerge(a),
	)
	return cmd
}

type gitWork func(*app, *cobra.Command, *gitvault.Repo, repo.Setup) error

func (a *app) gitCommand(name, short string, work gitWork, long string) *cobra.Command {
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long, Example: "  sessionloom git " + name + " --vault ~/Vault",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.config(cmd)
			if err != nil {
				return err
			}
			return a.withRepo(cmd, c, work)
		},
	}
	a.addSettings(cmd, config.Keys("vault", "folder"))
	return cmd
}

func (a *app) withRepo(cmd *cobra.Command, c config.Config, work gitWork) error {
	r, err := vaultRepo(c)
	if err != nil {
		return err
	}
	self, err := system.OwnPath()
	if err != nil {
		return err
	}
	s, err := r.Setup(self)
	if err != nil {
		return err
	}
	return gitvault.Explain(work(a, cmd, r, s), gitvault.HintStopped, "")
}

// vaultRepo returns the repository of the vault, or an error if there is none.
func vaultRepo(c config.Config) (*gitvault.Repo, error) {
	if c.Vault == "" {
		return nil, config.NoVault()
	}
	r, err := gitvault.Find(c.Vault, c.Folder)
	if err == nil && r == nil {
		err = exit.Failed("git init "+homepath.ShellWord(c.Vault), "the vault in %q lies in no git repository", c.Vault)
	}
	return r, err
}

func (a *app) gitInstall(cmd *cobra.Command, r *gitvault.Repo, s repo.Setup) error {
	parts, err := r.Install(cmd.Context(), s)
	a.sayParts(parts, "was set up already")
	return err
}

func (a *app) gitUninstall(cmd *cobra.Command, r *gitvault.Repo, _ repo.Setup) error {
	parts, err := r.Uninstall(cmd.Context())
	a.sayParts(parts, "was not set up")
	return err
}

// sayParts prints what was changed, or idle for unchanged parts.
func (a *app) sayParts(parts []repo.Part, idle string) {
	for _, p := range parts {
		what := idle
		switch {
		case p.Changed && p.There:
			what = "set up in " + a.short(p.Path)
		case p.Changed:
			what = "taken out of " + a.short(p.Path)
		}
		a.print.Say(p.Name + ": " + what)
	}
}

// newGitResolve returns the command that resolves conflicts for which git calls no merge driver.
func newGitResolve(a *app) *cobra.Command {
	return a.gitCommand("settle", "go on with a pull that stopped at a deleted or moved note", (*app).resolveConflicts,
		"Settle what a merge or rebase stopped at where one side deleted or moved a note\n"+
			"that the other one changed, and go on with it to its end. A note with a deletion record\n"+
			"stays deleted, any other one stays. Conflicts in texts, in files that are no notes\n"+
			"and in notes that were edited since are left to you; call it again after that.")
}

func (a *app) resolveConflicts(cmd *cobra.Command, r *gitvault.Repo, s repo.Setup) error {
	was := r.Answers().Busy()
	n, err := r.ResolveAll(cmd.Context(), s.Folder)
	var left *gitvault.LeftError
	if errors.As(err, &left) {
		for _, p := range left.Paths {
			a.print.Warn(fmt.Sprintf("%q: a conflict that is left to you", p))
		}
		return &exit.Error{Code: exit.CodePartial, Err: err, Hint: gitvault.LeftHint}
	}
	if err != nil {
		return gitvault.Explain(err, gitvault.HintStopped, "once git can write again, sessionloom git settle goes on")
	}
	a.print.Say(present.Settled(n, was, r.Answers().Busy()))
	if r.Busy() != nil {
		return nil // git stopped where its user wanted
	}
	a.print.Quiet = true
	err = a.pass(cmd, (*extract.Engine).Run)
	if exit.CodeOf(err) == exit.CodeLocked {
		return nil // a current run, or the next one, handles it
	}
	return err
}

// newGitMerge returns the merge driver that git calls.
func newGitMerge(_ *app) *cobra.Command {
	return &cobra.Command{
		Use:   "merge BASE OURS THEIRS PATH",
		Short: "merge two versions of a note, as git asks for it",
		Long: "Merge two versions of a note or canvas into OURS. git calls this for those of a vault\n" +
			"where sessionloom git install was run. Exit code 1 says that two people changed\n" +
			"the same lines: both stand in OURS then, between conflict markers.",
		Example: "  sessionloom git merge %O %A %B %P",
		Args:    ask.Args(4, 4, "git calls this command; sessionloom git install sets it up"),
		RunE: func(_ *cobra.Command, args []string) error {
			clean, err := gitvault.MergeFiles(args[0], args[1], args[2], args[3])
			if err != nil {
				return err
			}
			if !clean {
				return exit.Silent(exit.CodeFailed)
			}
			return nil
		},
	}
}
