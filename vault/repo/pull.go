package repo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Pull runs git pull with arguments of the user. Where nobody said how branches
// that went apart come together, they are rebased. A pull that stopped at
// conflicts is an error, and leaves the repository busy.
func (r *Repo) Pull(ctx context.Context, args []string) error {
	call := []string{"pull"}
	said, err := r.at().git(ctx, "config", "--get-regexp", `^pull\.(rebase|ff)$`)
	switch {
	case err != nil && exitOf(err) != 1: // 1: none
		return err
	case len(said) == 0:
		call = []string{"-c", "pull.rebase=true", "pull"}
	}
	_, err = command{dir: r.top, env: unasked}.git(ctx, append(call, args...)...)
	return err
}

// unasked has git take the messages it has, without an editor.
var unasked = []string{"GIT_EDITOR=true", "GIT_MERGE_AUTOEDIT=no"}

// Continue goes on with a merge or rebase whose conflicts are settled. What
// stops it again is an error.
func (r *Repo) Continue(ctx context.Context) error {
	var busy *BusyError
	if !errors.As(r.Busy(), &busy) {
		return nil
	}
	var call []string
	switch busy.What {
	case rebasing:
		call = []string{"rebase", "--continue"}
	case merging:
		call = []string{"commit", "--quiet", "--no-edit"}
	default:
		return busy // what the user does commit by commit
	}
	_, err := command{dir: r.top, env: unasked}.git(ctx, call...)
	return err
}

// Edited says that a file at which a merge stopped is no longer what git put
// there: somebody wrote in it since.
func (r *Repo) Edited(ctx context.Context, c Conflict) (bool, error) {
	now, err := os.ReadFile(filepath.Join(r.top, filepath.FromSlash(c.Path)))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	put, err := r.at().git(ctx, "cat-file", "--filters", c.side()+c.Path)
	return !bytes.Equal(now, put), err
}
