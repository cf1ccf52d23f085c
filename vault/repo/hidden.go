package repo

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// HiddenByGit lists those of the paths whose file git itself took out of the work tree
// for the time being: by a sparse checkout, or into a stash where the commit that
// is checked out has no such file.
func (r *Repo) HiddenByGit(ctx context.Context, paths []string) ([]string, error) {
	saved, err := r.sparse(ctx, paths)
	if err != nil {
		return nil, err
	}
	trees, err := r.stashes(ctx)
	if err != nil || len(trees) == 0 {
		return saved, err
	}
	held, err := r.Holds(ctx, paths)
	if err != nil {
		return nil, err
	}
	fresh := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(held, p) })
	for _, tree := range trees {
		in, err := r.inTree(ctx, tree, fresh)
		if err != nil {
			return nil, err
		}
		saved = append(saved, in...)
	}
	return saved, nil
}

// sparse lists the paths that the index has and the work tree is not to have.
func (r *Repo) sparse(ctx context.Context, paths []string) (list []string, err error) {
	lines, err := r.ask(ctx, paths, "ls-files", "-t", "-z", "--")
	for _, line := range lines {
		if p, skipped := strings.CutPrefix(line, "S "); skipped {
			list = append(list, p)
		}
	}
	return list, err
}

// maxStashes bounds how many stashes are looked into, the youngest first.
const maxStashes = 10

// stashes gives the commits that hold what was put aside: of each stash the files
// git knew, and those it did not know, its third parent.
func (r *Repo) stashes(ctx context.Context) ([]string, error) {
	if !r.at().knows(ctx, "refs/stash") {
		return nil, nil
	}
	out, err := r.at().git(ctx, "log", "--walk-reflogs", "--format=%H %P", "refs/stash")
	var trees []string
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		ids := strings.Fields(line)
		if i == maxStashes || len(ids) == 0 {
			break
		}
		trees = append(trees, ids[0])
		if len(ids) > 3 {
			trees = append(trees, ids[3])
		}
	}
	return trees, err
}

// Recorded lists those of the paths whose file some commit of a branch had or has,
// or that is staged for the next one.
func (r *Repo) Recorded(ctx context.Context, paths []string) ([]string, error) {
	list, err := r.ask(ctx, paths, "ls-files", "-z", "--")
	if err == nil && r.Born(ctx) { // else there is no commit
		var committed []string
		committed, err = r.ask(ctx, paths, "log", "--branches", "--no-renames", "--format=", "--name-only", "-z", "HEAD", "--")
		list = append(list, committed...)
	}
	if err != nil {
		return nil, fmt.Errorf("ask which files were committed: %w", err)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
