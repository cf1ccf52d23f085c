package repo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Conflict is a path at which a merge stopped, with the sides that have a file.
type Conflict struct {
	Path         string // from the top of the work tree, with slashes
	Ours, Theirs bool
}

// Conflicts lists the unmerged paths.
func (r *Repo) Conflicts(ctx context.Context) ([]Conflict, error) {
	lines, err := r.ask(ctx, []string{"."}, "ls-files", "--unmerged", "-z", "--")
	var list []Conflict
	for _, line := range lines { // mode hash stage TAB path
		head, path, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		if n := len(list); n == 0 || list[n-1].Path != path {
			list = append(list, Conflict{Path: path})
		}
		c := &list[len(list)-1]
		c.Ours = c.Ours || strings.HasSuffix(head, "2")
		c.Theirs = c.Theirs || strings.HasSuffix(head, "3")
	}
	return list, err
}

// Version is the text of the one side that has a file.
func (r *Repo) Version(ctx context.Context, c Conflict) ([]byte, error) {
	return r.at().git(ctx, "cat-file", "blob", c.side()+c.Path)
}

// Base is the text that both sides began with, nil if there was none.
func (r *Repo) Base(ctx context.Context, c Conflict) []byte {
	text, err := r.at().git(ctx, "cat-file", "blob", ":1:"+c.Path)
	if err != nil {
		return nil
	}
	return text
}

// side is how git calls the one side that has a file, before its path.
func (c Conflict) side() string {
	if c.Ours {
		return ":2:"
	}
	return ":3:"
}

// Resolve ends a conflict: the file stays as it is in the work tree, or goes.
func (r *Repo) Resolve(ctx context.Context, path string, stays bool) error {
	args := []string{"add", "--", path}
	if !stays {
		args = []string{"rm", "--quiet", "--force", "--ignore-unmatch", "--", path}
	}
	_, err := command{dir: r.top, env: literal}.git(ctx, args...)
	return err
}

// Edited says that somebody wrote in a file since git put it there.
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

// unasked has git take the messages it has, without an editor.
var unasked = []string{"GIT_EDITOR=true", "GIT_MERGE_AUTOEDIT=no"}

// Continue continues with a merge or rebase. What stops it again is an error.
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
		if _, err := r.at().git(ctx, "merge-base", "--is-ancestor", "MERGE_HEAD", "HEAD"); err == nil { // that git did commit, and could not tidy up
			call = []string{"merge", "--quit"}
		}
	default:
		return busy // what the user does commit by commit
	}
	_, err := command{dir: r.top, env: unasked}.git(ctx, call...)
	return err
}
