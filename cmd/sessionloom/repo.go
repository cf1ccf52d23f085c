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

// committed tells which files, by path from the vault's root, the commit holds
// that is checked out.
func (l *loom) committed(paths []string) (map[string]bool, error) {
	top, err := l.repo.Rel(filepath.Join(l.config.vault, l.config.folder))
	if err != nil {
		return nil, err
	}
	inside := make(map[string]string, len(paths)) // path in the repository → as asked
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, l.config.folder+"/"); ok {
			inside[path.Join(top, rest)] = p
		} else if rel, err := l.repo.Rel(l.config.vault); err == nil {
			inside[path.Join(rel, p)] = p
		}
	}
	held, err := l.repo.Holds(context.Background(), slices.Sorted(maps.Keys(inside)))
	out := make(map[string]bool, len(held))
	for _, p := range held {
		out[inside[p]] = true
	}
	return out, err
}
