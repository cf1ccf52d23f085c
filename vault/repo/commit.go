package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// BusyError says that the repository is in the middle of something.
type BusyError struct{ What string } // such as "a rebase"

func (e *BusyError) Error() string { return "the repository is in the middle of " + e.What }

const (
	rebasing = "a rebase"
	merging  = "a merge"
)

var busy = []struct{ file, what string }{
	{"rebase-merge", rebasing}, {"rebase-apply/applying", "an am"}, {"rebase-apply", rebasing}, {"MERGE_HEAD", merging},
	{"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"},
}

// Busy reports what the repository is in the middle of, nil if it is in peace.
func (r *Repo) Busy() error {
	for _, b := range busy {
		if _, err := os.Lstat(filepath.Join(r.gitDir, b.file)); err == nil {
			return &BusyError{What: b.what}
		}
	}
	return nil
}

// Commit is to hold the files at some paths as they are, or their removal.
type Commit struct {
	Paths []string // from the top of the work tree, with slashes
	// Message is asked once it is known at which paths the commit changes a file.
	Message func([]string) string
}

// Done is the result of a commit.
type Done struct {
	ID      string   // empty: there was nothing to commit
	Files   []string // paths at which it changes one
	Ignored []string // paths that were left out, for the repository ignores them
	// Unstaged is why the user's index could not be told of what is committed, nil if it was.
	// The same commit made once more tells it.
	Unstaged error
}

// Ready explains why a commit could not be made. It changes nothing.
func (r *Repo) Ready(ctx context.Context) error {
	if err := r.Busy(); err != nil {
		return err
	}
	_, err := r.at().git(ctx, "rev-parse", "--git-dir") // is there a git, and does it trust the owner of the folder
	return err
}

// Commit commits the given paths alone, with the user's identity, hooks and signing.
func (r *Repo) Commit(ctx context.Context, c Commit) (Done, error) {
	if err := r.Busy(); err != nil {
		return Done{}, err
	}
	paths := slices.Compact(slices.Sorted(slices.Values(c.Paths)))
	ignored, err := r.ignored(ctx, paths)
	if err != nil {
		return Done{}, err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(ignored, p) })
	if len(paths) == 0 {
		return Done{Ignored: ignored}, nil
	}
	done, err := r.commitApart(ctx, paths, c.Message)
	done.Ignored = ignored
	return done, err
}

// commitApart commits through an index of our own: the user's keeps what is staged.
func (r *Repo) commitApart(ctx context.Context, paths []string, message func([]string) string) (done Done, err error) {
	r.clearFolders(time.Now())
	own, err := os.MkdirTemp(r.gitDir, ownFolders)
	if err != nil {
		return Done{}, fmt.Errorf("make a folder to commit in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(own)) }()
	at := command{dir: r.top, env: []string{"GIT_INDEX_FILE=" + filepath.Join(own, "index")}}
	if err := r.beginIndex(ctx, at, filepath.Join(own, "index")); err != nil {
		return Done{}, err
	}
	done, err = at.commit(ctx, paths, message)
	if err == nil { // also where there was nothing to commit: a run may have been killed in between
		done.Unstaged = r.unstage(ctx, paths)
	}
	return done, err
}

func (c command) commit(ctx context.Context, paths []string, message func([]string) string) (Done, error) {
	c.stdin = joined(paths)
	if _, err := c.git(ctx, "update-index", "--add", "--remove", "--replace", "-z", "--stdin"); err != nil {
		return Done{}, err
	}
	c.stdin = nil
	files, err := c.staged(ctx, "HEAD")
	if err != nil || len(files) == 0 {
		return Done{}, err
	}
	c.stdin = []byte(message(files))
	if _, err := c.git(ctx, "commit", "--quiet", "--cleanup=whitespace", "--file=-"); err != nil {
		return Done{}, fmt.Errorf("commit %d files: %w", len(files), err)
	}
	c.stdin = nil
	id, err := c.git(ctx, "rev-parse", "HEAD")
	return Done{ID: strings.TrimSpace(string(id)), Files: files}, err
}

// staged lists where the index differs from a commit; all, without one.
func (c command) staged(ctx context.Context, commit string) ([]string, error) {
	call := []string{"diff-index", "--cached", "--name-only", "--no-renames", "-z", commit}
	if !c.knows(ctx, commit) {
		call = []string{"ls-files", "-z"}
	}
	out, err := c.git(ctx, call...)
	return parted(out), err
}

// beginIndex begins our index as a copy of the user's, whose stamps spare git reading all files. The
// copy is as old: git looks into files as young as their index (its technical/racy-git.adoc).
func (r *Repo) beginIndex(ctx context.Context, at command, index string) error {
	theirs := filepath.Join(r.gitDir, "index")
	info, err := os.Stat(theirs)
	if err == nil {
		var text []byte
		if text, err = os.ReadFile(theirs); err == nil {
			err = errors.Join(os.WriteFile(index, text, 0o600), os.Chtimes(index, info.ModTime(), info.ModTime()))
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without one git begins a new one
		return fmt.Errorf("make an index: %w", err)
	}
	tree := []string{"read-tree", "--reset", "HEAD"}
	if !at.knows(ctx, "HEAD") {
		tree = []string{"read-tree", "--empty"}
	}
	_, err = at.git(ctx, tree...)
	return err
}

// literal has git take paths as they are, stars and brackets included.
var literal = []string{"GIT_LITERAL_PATHSPECS=1"}

// unstage brings the user's index up to date with the commit. What only the user staged stays.
func (r *Repo) unstage(ctx context.Context, paths []string) error {
	staged, err := r.stagedByUser(ctx)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return staged[p] })
	if len(paths) == 0 { // git would take all
		return nil
	}
	at := command{dir: r.top, env: literal, stdin: joined(paths)}
	for tries := 0; ; tries++ {
		_, err = at.git(ctx, "reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", "HEAD", "--")
		if _, locked := os.Lstat(filepath.Join(r.gitDir, "index.lock")); err == nil || locked != nil || tries == lockTries || ctx.Err() != nil {
			return err
		}
		time.Sleep(lockWait)
	}
}

// How often the index is asked for again that another git holds.
const (
	lockTries = 10
	lockWait  = 200 * time.Millisecond
)

// stagedByUser is where the user's index differs from the last commit and the one before.
func (r *Repo) stagedByUser(ctx context.Context) (map[string]bool, error) {
	at := r.at()
	now, err := at.staged(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	before, err := at.staged(ctx, "HEAD^")
	if err != nil {
		return nil, err
	}
	other := map[string]bool{}
	for _, p := range before {
		other[p] = true
	}
	paths := map[string]bool{}
	for _, p := range now {
		paths[p] = other[p]
	}
	return paths, nil
}

// ignored lists the paths that the repository ignores.
func (r *Repo) ignored(ctx context.Context, paths []string) ([]string, error) {
	at := r.at()
	at.stdin = joined(paths)
	out, err := at.git(ctx, "check-ignore", "-z", "--stdin")
	if err != nil && exitOf(err) != 1 { // 1: none
		return nil, err
	}
	return parted(out), nil
}

// Changed lists files that differ from the last commit, new ones too.
func (r *Repo) Changed(ctx context.Context, paths ...string) ([]string, error) {
	list, err := r.ask(ctx, paths, "status", "--porcelain", "--untracked-files=all", "--no-renames", "-z", "--")
	var changed []string
	for _, line := range list {
		if len(line) > 3 {
			changed = append(changed, line[3:])
		}
	}
	return changed, err
}

// Holds lists the paths at which the checked out commit has a file.
func (r *Repo) Holds(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 || !r.Born(ctx) {
		return nil, nil
	}
	return r.inTree(ctx, "HEAD", paths)
}

// pathsOfCall bounds the paths on one command line.
const pathsOfCall = 200

// inTree lists those of the paths at which a commit has a file.
func (r *Repo) inTree(ctx context.Context, commit string, paths []string) ([]string, error) {
	return r.ask(ctx, paths, "ls-tree", "-z", "--name-only", "--full-tree", commit, "--")
}

// ask asks git about literal paths, and returns what it lists.
func (r *Repo) ask(ctx context.Context, paths []string, args ...string) (list []string, err error) {
	at := command{dir: r.top, env: literal}
	for part := range slices.Chunk(paths, pathsOfCall) {
		out, err := at.git(ctx, slices.Concat(args, part)...)
		if err != nil {
			return nil, err
		}
		list = append(list, parted(out)...)
	}
	return list, nil
}

func joined(paths []string) []byte { return []byte(strings.Join(paths, "\x00")) }

func parted(b []byte) []string {
	return strings.FieldsFunc(string(b), func(r rune) bool { return r == 0 })
}

// ownFolders begins the names of the folders in that of git through which runs commit.
const ownFolders = "sessionloom-"

// restful is the age of folders that are cleared away: git takes a lost index for an empty one.
const restful = 24 * time.Hour

// clearFolders tidies up behind killed runs.
func (r *Repo) clearFolders(now time.Time) {
	entries, _ := os.ReadDir(r.gitDir)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), ownFolders) && now.Sub(info.ModTime()) > restful {
			_ = os.RemoveAll(filepath.Join(r.gitDir, e.Name()))
		}
	}
}
