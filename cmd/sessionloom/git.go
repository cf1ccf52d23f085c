package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/vault/repo"
)

func newGit(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "git",
		Short: "have git merge the notes of several machines",
		Long: "Several machines may write into one vault that they share through git. These\n" +
			"commands set up, in the repository of this machine, that notes merge without\n" +
			"conflicts in generated text. The next sync renders anew what a pull brought.",
		Example: "  sessionloom git install --vault ~/Vault\n  sessionloom sync --commit && git -C ~/Vault pull --rebase && git -C ~/Vault push",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newGitInstall(a), newGitUninstall(a), newGitStatus(a), newGitSettle(a), newGitMerge(a), newGitAfter(),
	)
	return cmd
}

func newGitInstall(a *app) *cobra.Command {
	cmd := a.gitCommand("install", "set up the merge driver", (*app).gitInstall)
	cmd.Long = "Set up the merge driver in the repository of this machine. It may be run again at any\n" +
		"time. Lines that older versions put into hooks are taken out."
	return cmd
}

func newGitUninstall(a *app) *cobra.Command {
	cmd := a.gitCommand("uninstall", "take out what install put in", (*app).gitUninstall)
	cmd.Long = "Take out of the repository of this machine what install put in, and nothing else."
	return cmd
}

func newGitStatus(a *app) *cobra.Command {
	cmd := a.gitCommand("status", "tell what is set up", (*app).gitStatus)
	cmd.Long = "Tell what of the merge driver is set up in the repository of this machine."
	return cmd
}

// gitCommand is a command that deals with the repository of the vault.
func (a *app) gitCommand(name, short string, run func(*app, *cobra.Command, *repo.Repo, repo.Setup) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: name, Short: short, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.config(cmd)
			if err != nil {
				return err
			}
			r, err := vaultRepo(c)
			if err != nil {
				return err
			}
			s, err := gitSetup(c, r)
			if err != nil {
				return err
			}
			return explainGitSetup(run(a, cmd, r, s))
		},
	}
	a.addSettings(cmd)
	helpsWith(cmd, ofKeys("vault", "folder"))
	return cmd
}

// vaultRepo is the repository of the vault a configuration names.
func vaultRepo(c config) (*repo.Repo, error) {
	if c.vault == "" {
		return nil, noVault()
	}
	dir := filepath.Join(c.vault, c.folder)
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir) // the notes are to come, and maybe the vault
	}
	r, err := repo.Find(dir)
	if errors.Is(err, repo.ErrNone) {
		return nil, failed("git init "+shellWord(c.vault), "the vault in %q lies in no git repository", c.vault)
	}
	return r, err
}

// gitSetup works out what is to stand in the repository.
func gitSetup(c config, r *repo.Repo) (repo.Setup, error) {
	self, err := ownPath()
	if err != nil {
		return repo.Setup{}, err
	}
	top, err := r.Rel(c.vault)
	folder := filepath.ToSlash(filepath.Join(top, c.folder))
	if err != nil { // the managed folder is a repository of its own
		if folder, err = r.Rel(filepath.Join(c.vault, c.folder)); err != nil {
			return repo.Setup{}, err
		}
	}
	return repo.Setup{Folder: folder, Driver: shellQuote(filepath.ToSlash(self)) + " git merge"}, nil
}

// ownPath is where this program lies, by the name it was called: a package
// manager may move what that leads to.
func ownPath() (string, error) {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			return path, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return path, nil
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (a *app) gitInstall(cmd *cobra.Command, r *repo.Repo, s repo.Setup) error {
	parts, err := r.Install(cmd.Context(), s)
	if err != nil {
		return err
	}
	for _, p := range parts {
		switch {
		case p.Changed && !p.There:
			a.print.say(p.Name + ": taken out of " + tilde(p.Path, a.home))
		case p.Changed:
			a.print.say(p.Name + ": set up in " + tilde(p.Path, a.home))
		default:
			a.print.say(p.Name + ": was set up already")
		}
	}
	return nil
}

func (a *app) gitUninstall(cmd *cobra.Command, r *repo.Repo, _ repo.Setup) error {
	parts, err := r.Uninstall(cmd.Context())
	if err != nil {
		return err
	}
	for _, p := range parts {
		what := ": was not set up"
		if p.Changed {
			what = ": taken out of " + tilde(p.Path, a.home)
		}
		a.print.say(p.Name + what)
	}
	return nil
}

func (a *app) gitStatus(cmd *cobra.Command, r *repo.Repo, s repo.Setup) error {
	parts, err := r.Installed(cmd.Context(), s)
	if err != nil {
		return err
	}
	missing := false
	for _, p := range parts {
		what := ": set up in "
		if !p.There {
			what, missing = ": not set up, or otherwise, in ", true
		}
		a.print.say(p.Name + what + tilde(p.Path, a.home))
	}
	if missing {
		a.print.advise("sessionloom git install sets it up")
	}
	return nil
}

func explainGitSetup(err error) error {
	var busy *repo.BusyError
	var told *failure
	switch {
	case err == nil || errors.As(err, &told):
		return err
	case errors.As(err, &busy):
		return failed("git goes on with it: see git status", "%w", err)
	case errors.Is(err, exec.ErrNotFound):
		return failed("install git", "%w", err)
	}
	return err
}

// newGitAfter is what hooks call that an older version set up. It does nothing,
// whatever it is given.
func newGitAfter() *cobra.Command {
	return &cobra.Command{
		Use: "after", Hidden: true, DisableFlagParsing: true,
		Short:             "do nothing, for hooks of an older version",
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE:              func(*cobra.Command, []string) error { return nil },
	}
}
