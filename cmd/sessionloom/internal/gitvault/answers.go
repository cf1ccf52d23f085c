package gitvault

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// answers tells a run what it needs to know of the repository.
type answers struct{ of *Repo }

// Answers gives what a run asks the repository.
func (r *Repo) Answers() extract.Git { return answers{r} }

func (a answers) Head() string { return a.of.Head() }

func (a answers) Busy() string {
	var busy *repo.BusyError
	if !errors.As(a.of.Busy(), &busy) {
		return ""
	}
	return busy.What
}

func (a answers) Explain(paths []string) (map[string]extract.Absence, error) {
	held, err := a.of.asked(a.of.Holds, paths)
	if err != nil {
		return nil, err
	}
	hidden, err := a.of.asked(a.of.HiddenByGit, paths)
	if err != nil {
		return nil, err
	}
	known := make(map[string]extract.Absence, len(paths))
	for path := range held {
		known[path] = extract.InCommit
	}
	for path := range hidden {
		known[path] = extract.Hidden
	}
	return known, nil
}

func (a answers) Recorded(paths []string) (map[string]bool, error) {
	return a.of.asked(a.of.Recorded, paths)
}

// asked puts a question about files by their paths from the vault's root.
func (r *Repo) asked(question func(context.Context, []string) ([]string, error), paths []string) (map[string]bool, error) {
	inside, err := r.inside(paths)
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
