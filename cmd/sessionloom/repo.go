package main

import (
	"errors"
	"path/filepath"

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
