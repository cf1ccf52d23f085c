// Package repo works with the git repository a vault lies in: it tells which
// commit is checked out, makes commits of named files alone, and sets up what
// merges the notes of several machines. All that changes anything is left to
// the user's own git program, with its identity, hooks and signing. The package
// knows files only, neither notes nor sessions.
package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNone says that a folder lies in no git repository.
var ErrNone = errors.New("no git repository")

// Repo is the work tree of a repository.
type Repo struct {
	top    string // of the work tree, links resolved
	gitDir string // of this work tree: HEAD, index
	common string // what all work trees share: branches, configuration, hooks
}

// Find gives the repository a folder lies in, by looking at files alone. It
// returns [ErrNone] where there is none.
func Find(dir string) (*Repo, error) {
	at, err := filepath.Abs(dir)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return nil, fmt.Errorf("look for the git repository of %q: %w", dir, err)
	}
	for {
		r, err := openAt(at)
		if err != nil {
			return nil, fmt.Errorf("look for the git repository of %q: %w", dir, err)
		}
		if r != nil {
			return r, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return nil, fmt.Errorf("%q lies in %w", dir, ErrNone)
		}
		at = up
	}
}

// openAt gives the repository whose work tree begins at a folder, nil where
// none does.
func openAt(top string) (*Repo, error) {
	git := filepath.Join(top, ".git")
	info, err := os.Stat(git)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			err = nil
		}
		return nil, err
	}
	if !info.IsDir() { // a further work tree, or a submodule
		to, ok := strings.CutPrefix(readSmall(git), "gitdir: ")
		if !ok {
			return nil, nil
		}
		git = within(top, to)
	}
	if !isFile(filepath.Join(git, "HEAD")) {
		return nil, nil
	}
	r := &Repo{top: top, gitDir: git, common: git}
	if to := readSmall(filepath.Join(git, "commondir")); to != "" {
		r.common = within(git, to)
	}
	return r, nil
}

// within takes a path that may be relative to a folder.
func within(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && !info.IsDir()
}

// readSmall gives the text of a file of git's, without blanks around it; empty
// where it cannot be read.
func readSmall(path string) string {
	if !isFile(path) {
		return ""
	}
	text, _ := os.ReadFile(path)
	return strings.TrimSpace(string(text))
}

// Top is the folder of the work tree, with links resolved.
func (r *Repo) Top() string { return r.top }

// Rel gives the path of a folder from the top of the work tree, with slashes;
// "." for the top itself.
func (r *Repo) Rel(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return "", fmt.Errorf("find %q in the git repository: %w", dir, err)
	}
	rel, err := filepath.Rel(r.top, at)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%q does not lie in the git repository %q", dir, r.top)
	}
	return filepath.ToSlash(rel), nil
}

// Folders are those that git itself keeps for this work tree.
func (r *Repo) Folders() []string {
	if r.common == r.gitDir {
		return []string{r.gitDir}
	}
	return []string{r.gitDir, r.common}
}
