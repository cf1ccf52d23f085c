package repo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Errors of a commit on a branch of its own.
var (
	// ErrNoCommit says that there is no commit yet a branch could start from.
	ErrNoCommit = errors.New("the repository has no commit yet")
	// ErrCheckedOut says that a branch is checked out in some work tree.
	ErrCheckedOut = errors.New("the branch is checked out")
	// ErrBranchName says that a branch cannot be called so.
	ErrBranchName = errors.New("no name of a branch")
)

// commitOnBranch puts a commit on a branch that is not checked out, through a work
// tree in a temporary folder, so that hooks find all files in their places. The
// branch starts at the commit that is checked out if it is new.
func (r *Repo) commitOnBranch(ctx context.Context, branch string, paths []string, message func([]Change) string) (done Done, err error) {
	fresh, err := r.checkBranch(ctx, branch)
	if err != nil {
		return Done{}, err
	}
	temp, err := os.MkdirTemp("", ownTrees)
	if err != nil {
		return Done{}, fmt.Errorf("make a folder for a work tree: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	tree := filepath.Join(temp, "tree")
	args := []string{"worktree", "add", "--quiet", tree, branch}
	if fresh {
		args = []string{"worktree", "add", "--quiet", "-b", branch, tree, "HEAD"}
	}
	if _, err := r.at().git(ctx, args...); err != nil {
		return Done{}, err
	}
	defer func() {
		// Also where the run was interrupted: nothing is to be left behind.
		ctx := context.WithoutCancel(ctx)
		_, gone := r.at().git(ctx, "worktree", "remove", "--force", tree)
		if err = errors.Join(err, gone); fresh && done.ID == "" {
			_, gone = r.at().git(ctx, "branch", "--quiet", "-D", branch)
			err = errors.Join(err, gone)
		}
	}()
	if err := r.copyTo(tree, paths); err != nil {
		return Done{}, err
	}
	return command{dir: tree}.commit(ctx, paths, message)
}

// checkBranch says whether a branch is new.
func (r *Repo) checkBranch(ctx context.Context, branch string) (fresh bool, err error) {
	if strings.HasPrefix(branch, "-") || strings.HasPrefix(branch, "refs/") { // of the latter git would make refs/heads/refs/…
		return false, fmt.Errorf("%q: %w", branch, ErrBranchName)
	}
	if _, err := r.at().git(ctx, "check-ref-format", "--branch", branch); err != nil {
		return false, fmt.Errorf("%q: %w", branch, ErrBranchName)
	}
	if _, err := r.at().git(ctx, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return false, ErrNoCommit
	}
	trees, err := r.workTrees(ctx)
	if err != nil { // maybe because of what a dead run left
		r.atWork(ctx)()
		trees, err = r.workTrees(ctx)
	}
	if err != nil {
		return false, err
	}
	for _, t := range trees {
		if t.ref == "refs/heads/"+branch && !t.ours() { // one of ours is a dead run's, or git will say so
			return false, fmt.Errorf("%q: %w", branch, ErrCheckedOut)
		}
	}
	_, err = r.at().git(ctx, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch)
	return err != nil, nil
}

// copyTo brings files of the work tree into another one.
func (r *Repo) copyTo(tree string, paths []string) error {
	for _, p := range paths {
		p = filepath.FromSlash(p)
		if !filepath.IsLocal(p) {
			return fmt.Errorf("path %q leads out of the repository", p)
		}
		if err := copyFile(filepath.Join(r.top, p), filepath.Join(tree, p)); err != nil {
			return fmt.Errorf("copy %q into a work tree: %w", p, err)
		}
	}
	return nil
}

// copyFile copies a regular file; one that is not there is removed.
func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.Remove(to); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
