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
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/vault/repo"
)

func newGit(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "git",
		Short: "have git merge the notes of several machines",
		Long: "Several machines may write into one vault that they share through git. These\n" +
			"commands set up, in the repository of this machine, that notes merge without\n" +
			"conflicts in generated text and are rendered anew after a pull.",
		Example: "  sessionloom git install --vault ~/Vault\n  sessionloom sync --commit && sessionloom git pull && git -C ~/Vault push",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newGitInstall(a), newGitUninstall(a), newGitStatus(a), newGitPull(a), newGitSettle(a), newGitMerge(a), newGitAfter(a),
	)
	return cmd
}

func newGitInstall(a *app) *cobra.Command {
	cmd := a.gitCommand("install", "set up the merge driver and the hooks", (*app).gitInstall)
	cmd.Long = "Set up the merge driver and the hooks in the repository of this machine. Flags that\n" +
		"are given here are repeated in the hooks. It may be run again at any time."
	return cmd
}

func newGitUninstall(a *app) *cobra.Command {
	cmd := a.gitCommand("uninstall", "take out what install put in", (*app).gitUninstall)
	cmd.Long = "Take out of the repository of this machine what install put in, and nothing else."
	helpsWith(cmd, ofKeys("vault", "folder"))
	return cmd
}

func newGitStatus(a *app) *cobra.Command {
	cmd := a.gitCommand("status", "tell what is set up", (*app).gitStatus)
	cmd.Long = "Tell what of the merge driver and the hooks is set up in the repository of this machine."
	helpsWith(cmd, ofKeys("vault", "folder"))
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
			r, err := a.vaultRepo(c)
			if err != nil {
				return err
			}
			s, err := a.gitSetup(cmd.Flags(), c, r)
			if err != nil {
				return err
			}
			return explainGitSetup(run(a, cmd, r, s))
		},
	}
	a.addSettings(cmd)
	return cmd
}

// vaultRepo is the repository of the vault a configuration names.
func (a *app) vaultRepo(c config) (*repo.Repo, error) {
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
func (a *app) gitSetup(flags *pflag.FlagSet, c config, r *repo.Repo) (repo.Setup, error) {
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
	program := shellQuote(filepath.ToSlash(self))
	after := []string{program, "git", "after", "--vault=" + shellQuote(c.vault), "--folder=" + shellQuote(c.folder)}
	return repo.Setup{Folder: folder, Driver: program + " git merge", After: strings.Join(append(after, a.givenFlags(flags)...), " ")}, nil
}

// givenFlags repeats the flags of settings that were given, so that a hook sees
// the history this call sees, as words of a shell.
func (a *app) givenFlags(flags *pflag.FlagSet) []string {
	var out []string
	for _, g := range a.repeated(flags, "vault", "folder") {
		if g.value == nil {
			out = append(out, "--"+g.name)
			continue
		}
		out = append(out, "--"+g.name+"="+shellQuote(*g.value))
	}
	return out
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
	refused := false
	for _, p := range parts {
		switch {
		case p.Refused != "":
			refused = true
			a.print.warn(fmt.Sprintf("%s: not set up: %s", p.Name, p.Refused))
			a.print.advise("add this line to it: " + p.Line)
		case p.Changed:
			a.print.say(p.Name + ": set up in " + tilde(p.Path, a.home))
		default:
			a.print.say(p.Name + ": was set up already")
		}
	}
	if refused {
		return silent(exitPartial)
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

// newGitAfter is what the hooks call: a pass that says nothing but what went
// wrong, and never fails git.
func newGitAfter(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "after HOOK [ARG…]", Hidden: true,
		Short: "render the notes anew after a merge or rebase",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.config(cmd)
			if err != nil {
				return err
			}
			r, err := a.vaultRepo(c)
			if err != nil || !r.Quiet(args[0], args[1:]) {
				return err
			}
			a.inHook = true
			return a.renderQuietly(cmd)
		},
	}
	a.addSettings(cmd)
	return cmd
}
