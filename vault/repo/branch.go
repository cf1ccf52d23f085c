package repo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

var (
	// ErrNoCommit says that there is no commit yet a branch could start from.
	ErrNoCommit = errors.New("the repository has no commit yet")
	// ErrCheckedOut says that a branch is checked out in some work tree.
	ErrCheckedOut = errors.New("the branch is checked out")
	// ErrBranchName says that a branch cannot be called so.
	ErrBranchName = errors.New("no name of a branch")
)

// branch gives the commit that the next one on a branch follows, and the one at which the
// branch stands, empty if it is new: then it starts at what is checked out.
func (r *Repo) branch(ctx context.Context, name string) (start, old string, err error) {
	if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "refs/") { // of the latter git would make refs/heads/refs/…
		return "", "", fmt.Errorf("%q: %w", name, ErrBranchName)
	}
	if _, err := r.at().git(ctx, "check-ref-format", "--branch", name); err != nil {
		return "", "", fmt.Errorf("%q: %w", name, ErrBranchName)
	}
	head, err := r.at().git(ctx, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return "", "", ErrNoCommit
	}
	list, err := r.at().git(ctx, "for-each-ref", "--format=%(refname) %(objectname) %(worktreepath)", "refs/heads/"+name)
	if err != nil {
		return "", "", err
	}
	for line := range strings.Lines(string(list)) {
		id, below := strings.CutPrefix(strings.TrimRight(line, "\n"), "refs/heads/"+name+" ")
		id, tree, _ := strings.Cut(id, " ")
		switch {
		case !below: // of a branch whose name begins so
		case tree != "":
			return "", "", fmt.Errorf("%q: %w", name, ErrCheckedOut)
		default:
			return id, id, nil
		}
	}
	return strings.TrimSpace(string(head)), "", nil
}

// ownFolders begins the names of the folders in that of git through which runs commit.
const ownFolders = "sessionloom-"

// restful is how long ago a folder that is cleared away was last written to: git takes an
// index that is gone for an empty one.
const restful = 24 * time.Hour

// clearFolders removes what killed runs left. It is no more than tidiness: where it fails,
// the next run tries again.
func (r *Repo) clearFolders(now time.Time) {
	entries, _ := os.ReadDir(r.gitDir)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), ownFolders) && now.Sub(info.ModTime()) > restful {
			_ = os.RemoveAll(filepath.Join(r.gitDir, e.Name()))
		}
	}
}
