package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// commitOrder says whether a pass is to end with a commit, and where.
type commitOrder struct {
	commit bool
	branch string // empty: what is checked out
	anew   bool   // of what changed templates or settings made anew
}

// rerendered is the order for a commit of what changed templates or settings
// made anew, before anything was read.
func (o commitOrder) rerendered() commitOrder {
	o.anew = true
	return o
}

func (o *commitOrder) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.commit, "commit", false, "put what was written into a git commit of its own")
	f.StringVar(&o.branch, "branch", "", "with --commit: put it on the branch `NAME`, leaving what is checked out alone")
}

func (o commitOrder) verify(mode extract.Mode) error {
	switch {
	case o.branch != "" && !o.commit:
		return usage("give --commit too", "--branch says where a commit goes")
	case o.commit && mode.DryRun:
		return usage("leave one of them out", "--commit and --dry-run exclude each other")
	}
	return nil
}

// ready refuses what could not be committed, before anything is read, created or
// written.
func (o commitOrder) ready(a *app, cmd *cobra.Command) error {
	if !o.commit {
		return nil
	}
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	return o.readyIn(cmd.Context(), a, c)
}

// readyIn is ready for a configuration.
func (o commitOrder) readyIn(ctx context.Context, a *app, c config) error {
	if !o.commit {
		return nil
	}
	r, err := vaultRepo(c)
	if err != nil {
		return err
	}
	return explainGit(r.Ready(ctx, o.branch))
}

// commitMade tells of a commit.
type commitMade struct {
	done   repo.Done
	branch string
}

// carryOut commits what passes wrote since the last commit. What could not be
// committed stays pending.
func (o commitOrder) carryOut(ctx context.Context, l *loom) (commitMade, error) {
	if !o.commit {
		return commitMade{}, nil
	}
	folder, err := l.repo.Rel(filepath.Join(l.config.vault, l.config.folder))
	if err != nil {
		return commitMade{}, err
	}
	pending, err := l.Pending()
	if err != nil {
		return commitMade{}, err
	}
	// Files of the vault's own that others may have written too.
	records := path.Join(folder, ".sessionloom")
	paths, err := l.repo.Changed(ctx, path.Join(records, "vault.yaml"), path.Join(records, "tombstones"))
	if err != nil {
		return commitMade{}, explainCommit(err)
	}
	for _, p := range pending.Paths {
		if rest, ok := strings.CutPrefix(p, vault.FromRoot("")); !ok {
			paths = append(paths, path.Join(folder, p))
		} else if root, err := l.repo.Rel(l.config.vault); err == nil { // else the folder is a repository of its own
			paths = append(paths, path.Join(root, rest))
		}
	}
	done, err := l.repo.Commit(ctx, repo.Commit{Paths: paths, Branch: o.branch, Message: func(changes []repo.Change) string {
		return commitMessage(changes, pending.Sessions, folder, o.anew)
	}})
	if err != nil {
		return commitMade{}, explainCommit(err)
	}
	return commitMade{done: done, branch: o.branch}, l.Committed()
}

// lines say what was committed.
func (m commitMade) lines() []string {
	if m.done.ID == "" {
		return nil
	}
	line := fmt.Sprintf("committed %s as %.10s", count(len(m.done.Changes), "file"), m.done.ID)
	if m.branch != "" {
		line += " on branch " + m.branch
	}
	return []string{line}
}

// warnings are what the user should know of a commit that was made.
func (m commitMade) warnings() []string {
	var lines []string
	if n := len(m.done.Ignored); n > 0 {
		lines = append(lines, fmt.Sprintf("not committed, for the repository ignores them: %s, such as %s", count(n, "file"), m.done.Ignored[0]))
	}
	if m.done.Unstaged != nil {
		lines = append(lines, "the commit was made, but the index could not be told: "+m.done.Unstaged.Error(), "git reset makes up for it")
	}
	return lines
}

// committedReport is the report of a pass with its commit.
type committedReport struct {
	*extract.Report
	Rerender *commitObject `json:"rerender_commit,omitempty"` // of what changed templates or settings made anew
	Commit   *commitObject `json:"commit,omitempty"`
}

// commitObject tells scripts of a commit.
type commitObject struct {
	ID      string   `json:"id"`
	Branch  string   `json:"branch,omitempty"` // empty: what is checked out
	Files   int      `json:"files"`
	Ignored []string `json:"ignored,omitempty"`
}

func (m commitMade) object() *commitObject {
	if m.done.ID == "" && len(m.done.Ignored) == 0 {
		return nil
	}
	return &commitObject{ID: m.done.ID, Branch: m.branch, Files: len(m.done.Changes), Ignored: m.done.Ignored}
}

// explainGit gives errors of git the hint what to do about them.
func explainGit(err error) error {
	var busy *repo.BusyError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &busy):
		return failed("sessionloom git settle goes on with a merge or rebase; or end or abort it as git status says", "%w", err)
	case errors.Is(err, exec.ErrNotFound):
		return failed("install git", "%w", err)
	case errors.Is(err, repo.ErrNoCommit):
		return failed("make the first one with sync --commit, without --branch", "%w", err)
	case errors.Is(err, repo.ErrCheckedOut):
		return failed("leave --branch out to commit to what is checked out, or name another branch", "%w", err)
	case errors.Is(err, repo.ErrBranchName):
		return usage("name a branch as git would have it, such as review/notes", "%w", err)
	}
	return err
}

// explainCommit is explainGit once the notes are written.
func explainCommit(err error) error {
	err = explainGit(err)
	var told *failure
	if err == nil || errors.As(err, &told) {
		return err
	}
	return failed("the notes are written; the next sync --commit commits them", "%w", err)
}
