package main

import (
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/repo"
)

// repo gives the git repository the managed folder lies in, nil where it lies in
// none or in no lasting place.
func (p *place) repo(c config) (*repo.Repo, error) {
	if p.scratch != "" {
		return nil, nil
	}
	r, err := repo.Find(filepath.Join(c.vault, c.folder))
	if errors.Is(err, repo.ErrNone) {
		return nil, nil
	}
	return r, err
}

// busy tells what the repository is in the middle of.
func busy(r *repo.Repo) func() string {
	return func() string {
		var busy *repo.BusyError
		if !errors.As(r.Busy(), &busy) {
			return ""
		}
		return busy.What
	}
}

// asking puts a question about files to the repository, by their paths from the
// vault's root.
func (l *loom) asking(question func(context.Context, []string) ([]string, error)) func([]string) (map[string]bool, error) {
	return func(paths []string) (map[string]bool, error) {
		inside, err := l.inRepo(paths)
		if err != nil {
			return nil, err
		}
		list, err := question(context.Background(), slices.Sorted(maps.Keys(inside)))
		out := make(map[string]bool, len(list))
		for _, p := range list {
			out[inside[p]] = true
		}
		return out, err
	}
}

// inRepo gives each path from the vault's root, by its path in the repository.
func (l *loom) inRepo(paths []string) (map[string]string, error) {
	top, err := l.repo.Rel(filepath.Join(l.config.vault, l.config.folder))
	if err != nil {
		return nil, err
	}
	inside := make(map[string]string, len(paths))
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, l.config.folder+"/"); ok {
			inside[path.Join(top, rest)] = p
		} else if rel, err := l.repo.Rel(l.config.vault); err == nil {
			inside[path.Join(rel, p)] = p
		}
	}
	return inside, nil
}
