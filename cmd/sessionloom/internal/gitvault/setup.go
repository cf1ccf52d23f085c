package gitvault

import (
	"errors"
	"os/exec"
	"path/filepath"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// Hints to a repository in which git is in the middle of something.
const (
	// hintBusy is for what goes on once git has come to its end.
	hintBusy = "sessionloom git settle goes on with a merge or rebase; or end or abort it as git status says"
	// HintStopped is for what meant to bring git to its end.
	HintStopped = "git goes on with it: see git status"
)

// Setup works out what is to stand in the repository so that git calls program to
// merge notes.
func (r *Repo) Setup(program string) (repo.Setup, error) {
	top, err := r.Rel(r.vault)
	folder := filepath.ToSlash(filepath.Join(top, r.folder))
	if err != nil { // the managed folder is a repository of its own
		if folder, err = r.managed(); err != nil {
			return repo.Setup{}, err
		}
	}
	return repo.Setup{Folder: folder, Driver: present.ShellQuote(filepath.ToSlash(program)) + " git merge"}, nil
}

// Explain gives errors of git the hint what to do about them: busy where git is
// in the middle of something, rest for what nothing else is known of.
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
	case errors.Is(err, repo.ErrNoCommit):
		return exit.Failed("make the first one with sync --commit, without --branch", "%w", err)
	case errors.Is(err, repo.ErrCheckedOut):
		return exit.Failed("leave --branch out to commit to what is checked out, or name another branch", "%w", err)
	case errors.Is(err, repo.ErrBranchName):
		return exit.Usage("name a branch as git would have it, such as review/notes", "%w", err)
	case rest != "":
		return exit.Failed(rest, "%w", err)
	}
	return err
}
