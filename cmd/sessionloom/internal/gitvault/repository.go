// Package gitvault knows both the vault and the git repository it is in: what a run
// asks of it, commits of what runs wrote, and conflicts that no merge driver is asked
// about.
package gitvault

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// Repo is the git repository in which the managed folder of a vault lies.
type Repo struct {
	*repo.Repo
	vault  string // its folder on the disk
	folder string // the managed folder, from the root of the vault
}

// Find returns the repository of a vault, or nil if there is none.
func Find(vault, folder string) (*Repo, error) {
	dir := filepath.Join(vault, folder)
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	r, err := repo.Find(dir)
	switch {
	case errors.Is(err, repo.ErrNone):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &Repo{Repo: r, vault: vault, folder: folder}, nil
}

func (r *Repo) managed() (string, error) {
	return r.Rel(filepath.Join(r.vault, r.folder))
}

// inside gives paths from the vault's root by their paths in the repository.
func (r *Repo) inside(paths []string) (map[string]string, error) {
	managed, err := r.managed()
	if err != nil {
		return nil, err
	}
	root, outside := r.Rel(r.vault) // outside: the managed folder is a repository of its own
	inside := make(map[string]string, len(paths))
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, r.folder+"/"); ok {
			inside[path.Join(managed, rest)] = p
		} else if outside == nil {
			inside[path.Join(root, p)] = p
		}
	}
	return inside, nil
}

// Ready refuses what could not be committed.
func (r *Repo) Ready(ctx context.Context) error {
	return Explain(r.Repo.Ready(ctx), hintBusy, "")
}

// CommitPending commits what passes wrote since the last commit. What could not be committed stays pending.
func (r *Repo) CommitPending(ctx context.Context, s *extract.Engine) (present.Commit, error) {
	managed, err := r.managed()
	if err != nil {
		return present.Commit{}, err
	}
	pending, err := s.Pending()
	if err != nil {
		return present.Commit{}, err
	}
	const rest = "the notes are written; the next sync --commit commits them"
	// Files of the vault's own that others may have written too.
	records := path.Join(managed, ".sessionloom")
	paths, err := r.Changed(ctx, path.Join(records, "vault.yaml"), path.Join(records, "tombstones"))
	if err != nil {
		return present.Commit{}, Explain(err, hintBusy, rest)
	}
	root, outside := r.Rel(r.vault) // outside: the managed folder is a repository of its own
	for _, p := range pending.Paths {
		if rest, ok := strings.CutPrefix(p, vault.FromRoot("")); !ok {
			paths = append(paths, path.Join(managed, p))
		} else if outside == nil {
			paths = append(paths, path.Join(root, rest))
		}
	}
	done, err := r.Commit(ctx, repo.Commit{Paths: paths, Message: func(files []string) string {
		return present.CommitMessage(files, pending, managed)
	}})
	if err != nil {
		return present.Commit{}, Explain(err, hintBusy, rest)
	}
	made := present.Commit{ID: done.ID, Files: len(done.Files), Ignored: done.Ignored, Unstaged: done.Unstaged}
	if made.Unstaged != nil { // it stays pending
		return made, nil
	}
	if err := s.Committed(); err != nil {
		return made, err
	}
	made.Top, made.Folder = r.Top(), managed
	made.Left, err = r.ownChanges(ctx, managed)
	return made, Explain(err, hintBusy, "")
}

// ownChanges counts the files of the managed folder in which only its user changed something.
func (r *Repo) ownChanges(ctx context.Context, managed string) (n int, err error) {
	changed, err := r.Changed(ctx, managed)
	for _, p := range changed {
		if !strings.HasPrefix(p, path.Join(managed, ".sessionloom")+"/") {
			n++
		}
	}
	return n, err
}

// answers answers a run's questions about the repository.
type answers struct{ of *Repo }

// Answers returns answers to a run's questions about the repository.
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

func (a answers) Removed(paths []string) (map[string]bool, error) {
	return a.of.asked(func(ctx context.Context, paths []string) ([]string, error) {
		return a.of.Removed(ctx, present.CommitSubject, paths)
	}, paths)
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

// Hints to a repository in which git is in the middle of something.
const (
	// hintBusy is for what continues once git has come to its end.
	hintBusy = "sessionloom git settle goes on with a merge or rebase; or end or abort it as git status says"
	// HintStopped is for what meant to bring git to its end.
	HintStopped = "git goes on with it: see git status"
)

// Setup makes git call program to merge notes.
func (r *Repo) Setup(program string) (repo.Setup, error) {
	top, err := r.Rel(r.vault)
	folder := filepath.ToSlash(filepath.Join(top, r.folder))
	if err != nil { // the managed folder is a repository of its own
		if folder, err = r.managed(); err != nil {
			return repo.Setup{}, err
		}
	}
	return repo.Setup{Folder: folder, Driver: homepath.ShellQuote(filepath.ToSlash(program)) + " git merge"}, nil
}

// Explain adds a hint to errors of git: busy if an operation is unfinished, rest otherwise.
func Explain(err error, busy, rest string) error {
	var going *repo.BusyError
	var told *exit.Error
	switch {
	case err == nil || errors.As(err, &told):
		return err
	case errors.As(err, &going):
		return exit.Failed(busy, "%w", err)
	case errors.Is(err, exec.ErrNotFound):
		return exit.Failed("install git", "%w", err)
	case rest != "":
		return exit.Failed(rest, "%w", err)
	}
	return err
}

// DriverMissing reports whether a repository does not call program to merge notes.
func DriverMissing(ctx context.Context, vault, folder, program string) bool {
	r, err := Find(vault, folder)
	if err != nil || r == nil {
		return false
	}
	s, err := r.Setup(program)
	if err != nil {
		return false
	}
	parts, err := r.Installed(ctx, s)
	return err == nil && slices.ContainsFunc(parts, func(p repo.Part) bool { return !p.There })
}

// Prepare finds the git repository of a vault, or creates one if asked to.
func Prepare(ctx context.Context, vault, folder, shown string, wanted bool, say func(...string)) error {
	r, err := Find(vault, folder)
	switch {
	case err != nil || r == nil && !wanted:
		return err
	case r == nil:
		say("making a git repository in " + shown)
		return Explain(repo.Init(ctx, vault), "", "")
	}
	say("the vault lies in a git repository: sync --commit commits what it writes")
	return nil
}
