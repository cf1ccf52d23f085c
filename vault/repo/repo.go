// Package repo works with the git repository a vault is in: it tells which
// commit is checked out, makes commits of named files alone, and sets up what
// merges the notes of several machines. All that changes anything is left to
// the user's own git program, with its identity, hooks and signing. The package
// knows files only, neither notes nor sessions.
package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrNone means that a folder is not in a git repository.
var ErrNone = errors.New("no git repository")

// Repo is the work tree of a repository.
type Repo struct {
	top    string // of the work tree, links resolved
	gitDir string // of this work tree: HEAD, index
	common string // what all work trees share: branches, configuration, hooks
}

// Find returns the repository a folder is in, or [ErrNone], by looking at files alone.
func Find(dir string) (*Repo, error) {
	at, err := filepath.Abs(dir)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return nil, fmt.Errorf("look for the git repository of %q: %w", dir, err)
	}
	for ; ; at = filepath.Dir(at) {
		r, err := openAt(at)
		switch {
		case err != nil:
			return nil, fmt.Errorf("look for the git repository of %q: %w", dir, err)
		case r != nil:
			return r, nil
		case at == filepath.Dir(at):
			return nil, fmt.Errorf("%q lies in %w", dir, ErrNone)
		}
	}
}

// openAt returns the repository of a work tree, nil if none begins there.
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

// readSmall returns the trimmed text of a file of git's; empty: unreadable.
func readSmall(path string) string {
	if !isFile(path) {
		return ""
	}
	text, _ := os.ReadFile(path)
	return strings.TrimSpace(string(text))
}

// Top is the folder of the work tree, with links resolved.
func (r *Repo) Top() string { return r.top }

// Rel returns the path of a folder from the top of the work tree.
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
	return slices.Compact([]string{r.gitDir, r.common})
}

// local are variables by which a hook's git points children to its own repository.
var local = strings.Fields("GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_OBJECT_DIRECTORY " +
	"GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_SHALLOW_FILE GIT_NAMESPACE " +
	"GIT_INTERNAL_SUPER_PREFIX GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS")

type command struct {
	dir   string
	env   []string // beside that of this process
	stdin []byte
}

// patience is how long an interrupted git may take to end.
const patience = 10 * time.Second

// git runs git and returns its standard output. An error has its standard error.
func (c command) git(ctx context.Context, args ...string) ([]byte, error) {
	// A commit that was reported is there after a power failure, the index too.
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsync=all"}, args...)...)
	cmd.Dir = c.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(local, name)
	})
	cmd.Env = append(cmd.Env, c.env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that git clears away its locks
	cmd.WaitDelay = patience
	cmd.Stdin = bytes.NewReader(c.stdin)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return out.Bytes(), &gitError{args: args, err: err, said: strings.TrimSpace(said.String() + out.String())}
	}
	return out.Bytes(), nil
}

type gitError struct {
	args []string
	err  error
	said string
}

func (e *gitError) Error() string {
	what := "git " + e.args[0]
	if e.said == "" {
		return fmt.Sprintf("%s: %v", what, e.err)
	}
	return fmt.Sprintf("%s: %s", what, e.said)
}

func (e *gitError) Unwrap() error { return e.err }

func exitOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

func (r *Repo) at() command { return command{dir: r.top} }

// Head names what is checked out: the branch, and by git's log of it the commit and the one before.
// Where no log is kept git is asked for the commit.
func (r *Repo) Head() string {
	head := readSmall(filepath.Join(r.gitDir, "HEAD")) + " "
	for _, line := range slices.Backward(strings.Split(readSmall(filepath.Join(r.gitDir, "logs", "HEAD")), "\n")) {
		from, rest, _ := strings.Cut(line, " ")
		if to, _, _ := strings.Cut(rest, " "); to != from { // a stash leaves it where it is
			return head + from + " " + to
		}
	}
	commit, _ := r.at().git(context.Background(), "rev-parse", "--verify", "--quiet", "HEAD") // none on a new branch
	return strings.TrimSpace(head + string(commit))
}

// Born reports whether the branch that is checked out has a commit.
func (r *Repo) Born(ctx context.Context) bool { return r.at().knows(ctx, "HEAD") }

func (c command) knows(ctx context.Context, name string) bool {
	_, err := c.git(ctx, "rev-parse", "--verify", "--quiet", name)
	return err == nil
}

// Init makes a repository whose work tree is a folder.
func Init(ctx context.Context, dir string) error {
	_, err := command{dir: dir}.git(ctx, "init", "--quiet")
	return err
}

// HiddenByGit lists paths whose file git removed for a time: a sparse checkout, or a stash of a
// file that is in no commit.
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

// stashes returns the commits of stashes: known files, and unknown ones (the third parent).
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

// Removed lists those of the paths that were removed last by a commit whose subject begins so.
func (r *Repo) Removed(ctx context.Context, subject string, paths []string) ([]string, error) {
	if len(paths) == 0 || !r.Born(ctx) {
		return nil, nil
	}
	list, err := r.ask(ctx, paths, "log", "--no-renames", "--diff-filter=D", "--name-only", "--format=%x01%s", "-z", "HEAD", "--")
	if err != nil {
		return nil, fmt.Errorf("ask who removed files: %w", err)
	}
	last, by := map[string]string{}, ""
	for _, line := range list { // the newest commit first: its subject, then what it removed
		line = strings.TrimPrefix(line, "\n")
		if said, ok := strings.CutPrefix(line, "\x01"); ok {
			by = said
		} else if _, later := last[line]; !later {
			last[line] = by
		}
	}
	maps.DeleteFunc(last, func(_, by string) bool { return !strings.HasPrefix(by, subject) })
	return slices.Collect(maps.Keys(last)), nil
}

// Recorded lists paths that some commit of a branch had, or that are staged.
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
