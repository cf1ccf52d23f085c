package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A run that was killed leaves behind what it committed through: its index, or its
// work tree, whose branch would count as checked out from then on. The next run
// that commits clears that away.

// What a run commits through begins so.
const (
	ownIndexes = "sessionloom-index-"
	ownTrees   = "sessionloom-tree-"
)

// restful is how long ago an index that is cleared away was last written. A lock
// alone is not trusted with that: on a network folder it may count on one machine
// only, and git takes an index that is gone for an empty one.
const restful = time.Hour

// atWork says that a run of ours commits here, until the end is told, and clears
// elsewhere what others left that are not at work any more. It is no more than tidiness:
// where it fails, or no folder can be locked, the next run tries again.
func (r *Repo) atWork(ctx context.Context) (end func()) {
	// The folder itself is locked: a file beside git's own would be one more to
	// leave behind.
	lock := flock.New(r.common, flock.SetFlag(os.O_RDONLY))
	if alone, _ := lock.TryLock(); alone {
		r.clearIndexes(time.Now())
		r.clearTrees()
		_ = lock.Unlock()
	}
	_, _ = lock.TryRLockContext(ctx, 10*time.Millisecond)
	return func() { _ = lock.Unlock() }
}

// clearIndexes removes the indexes of dead runs, and git's locks of them.
func (r *Repo) clearIndexes(now time.Time) {
	entries, _ := os.ReadDir(r.gitDir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ownIndexes) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > restful {
			_ = os.Remove(filepath.Join(r.gitDir, e.Name()))
		}
	}
}

// clearTrees removes the work trees of dead runs and what git remembers of them. It asks git
// nothing: of a record that a full disk or a kill left half written git refuses to hear.
func (r *Repo) clearTrees() {
	records, _ := filepath.Glob(filepath.Join(r.common, "worktrees", "*", "gitdir"))
	for _, record := range records {
		text, _ := os.ReadFile(record)
		t := workTree{path: filepath.Dir(filepath.FromSlash(strings.TrimSpace(string(text))))}
		if !t.ours() {
			continue
		}
		_ = os.RemoveAll(filepath.Dir(t.path))
		_ = os.RemoveAll(filepath.Dir(record)) // last: without it nothing tells of the folder
	}
}

// workTree is one that the repository knows of, be it there or not.
type workTree struct {
	path string
	ref  string // that is checked out there, such as refs/heads/main; empty: a commit
}

// ours tells whether a run of ours made it.
func (t workTree) ours() bool {
	return filepath.Base(t.path) == "tree" && strings.HasPrefix(filepath.Base(filepath.Dir(t.path)), ownTrees)
}

func (r *Repo) workTrees(ctx context.Context) (trees []workTree, err error) {
	list, err := r.at().git(ctx, "worktree", "list", "--porcelain")
	for line := range strings.Lines(string(list)) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		switch {
		case key == "worktree":
			trees = append(trees, workTree{path: filepath.FromSlash(value)})
		case key == "branch" && len(trees) > 0:
			trees[len(trees)-1].ref = value
		}
	}
	return trees, err
}
