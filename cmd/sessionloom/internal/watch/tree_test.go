package watch_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/watch"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// folders makes folders below base, each older than the one before.
func folders(t *testing.T, base string, names ...string) {
	t.Helper()
	for _, n := range names {
		must(t, os.MkdirAll(filepath.Join(base, filepath.FromSlash(n)), 0o700))
	}
	for i, n := range names {
		age(t, filepath.Join(base, filepath.FromSlash(n)), time.Duration(i)*time.Hour)
	}
}

func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	at := time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC).Add(-by)
	must(t, os.Chtimes(path, at, at))
}

// watched names what is watched, from base on.
func watched(t *testing.T, n watch.Notifier, base string) string {
	t.Helper()
	var out []string
	for _, p := range n.WatchList() {
		rel := expect.Value(filepath.Rel(base, p))(t)
		out = append(out, filepath.ToSlash(rel))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestFoldersOnTheWayToWhatMatters(t *testing.T) {
	base := t.TempDir()
	folders(t, base, "home", "home/state/a/files", "home/state/b", "home/state/.locks", "home/logs", "elsewhere/c")
	if err := os.Symlink(filepath.Join(base, "elsewhere", "c"), filepath.Join(base, "home", "state", "c")); err != nil {
		t.Skip("no links here")
	}
	n := &fakeNotifier{}
	tree := watch.NewTree(n, nil, nil, 100)
	roots := []watch.Root{
		{Path: filepath.Join(base, "home"), Files: []string{"store.db", "state/*/log", "state/*.jsonl"}},
		{Path: filepath.Join(base, "home", "state"), Files: []string{"*/plan.md"}},
		{Path: filepath.Join(base, "gone", "too"), Files: []string{"*"}},
	}
	if s := tree.Refresh(roots); s.Folders != 5 || s.Left != 0 || s.Err != nil {
		t.Errorf("%+v", s)
	}
	expect.Is(t, watched(t, n, base), "elsewhere/c home home/state home/state/a home/state/b", "watched")
	folders(t, base, "gone") // the parent of a root that is not there
	must(t, os.RemoveAll(filepath.Join(base, "home", "state", "a")))
	tree.Refresh(roots)
	expect.Is(t, watched(t, n, base), "elsewhere/c gone home home/state home/state/b", "watched")
}

// Where there are too many, those that were at work last are watched, and always
// those that were named.
func TestTheLatestAreWatched(t *testing.T) {
	base := t.TempDir()
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("home/state/%02d", i))
	}
	folders(t, base, names...)
	age(t, filepath.Join(base, "home"), 0)
	age(t, filepath.Join(base, "home", "state"), 10000*time.Hour)
	n := &fakeNotifier{}
	tree := watch.NewTree(n, nil, nil, 5)
	roots := []watch.Root{{Path: filepath.Join(base, "home"), Files: []string{"state/*/log"}}}
	if s := tree.Refresh(roots); s.Folders != 5 || s.Left != 27 || s.Err != nil {
		t.Errorf("%+v", s)
	}
	expect.Is(t, watched(t, n, base), "home home/state home/state/00 home/state/01 home/state/02", "watched")
	age(t, filepath.Join(base, "home", "state", "20"), -time.Hour)
	tree.Refresh(roots)
	expect.Is(t, watched(t, n, base), "home home/state home/state/00 home/state/01 home/state/20", "watched")
}

func TestTheSystemRefusesMore(t *testing.T) {
	base := t.TempDir()
	folders(t, base, "home/state/a", "home/state/b", "home/state/c")
	n := &fakeNotifier{room: 3, err: syscall.ENOSPC}
	tree := watch.NewTree(n, nil, nil, 100)
	roots := []watch.Root{{Path: filepath.Join(base, "home"), Files: []string{"state/*/log"}}}
	if s := tree.Refresh(roots); s.Folders != 3 || s.Left != 2 || !errors.Is(s.Err, syscall.ENOSPC) {
		t.Errorf("%+v", s)
	}
	n.room = 0
	if s := tree.Refresh(roots); s.Folders != 5 || s.Left != 0 || s.Err != nil {
		t.Errorf("once there is room: %+v", s)
	}
}

// Two roots in one folder, patterns that overlap, names with wildcards in them.
func TestPatternsOfSeveralRoots(t *testing.T) {
	base := t.TempDir()
	folders(t, base, "x[1]/User/ws/s1/chats", "x[1]/User/ws/s1/GitHub.copilot-chat/transcripts")
	n := &fakeNotifier{}
	tree := watch.NewTree(n, nil, nil, 100)
	tree.Refresh([]watch.Root{
		{Path: filepath.Join(base, "x[1]", "User"), Files: []string{"ws/*/chats/*.json", "ws/*/[Gg]it[Hh]ub.copilot-chat/transcripts/*.jsonl"}},
		{Path: filepath.Join(base, "x[1]", "Missing"), Files: []string{"*"}},
	})
	if got := watched(t, n, base); got != "x[1] x[1]/User x[1]/User/ws x[1]/User/ws/s1 x[1]/User/ws/s1/GitHub.copilot-chat x[1]/User/ws/s1/GitHub.copilot-chat/transcripts x[1]/User/ws/s1/chats" {
		t.Errorf("watched: %s", got)
	}
}

func TestWithoutANotifierNothingIsWatched(t *testing.T) {
	expect.Is(t, watch.NewTree(nil, nil, nil, 0).Refresh([]watch.Root{{Path: t.TempDir()}}), (watch.Coverage{}))
}

// A session's folder that is moved away leaves its watch on the old one.
func TestAnotherFolderOfThatName(t *testing.T) {
	base := t.TempDir()
	folders(t, base, "home/state/a")
	n := &countingNotifier{}
	tree := watch.NewTree(n, nil, nil, 100)
	roots := []watch.Root{{Path: filepath.Join(base, "home"), Files: []string{"state/*/log"}}}
	tree.Refresh(roots)
	tree.Refresh(roots)
	expect.Is(t, n.added, 3, "watches taken")
	must(t, os.Rename(filepath.Join(base, "home"), filepath.Join(base, "away")))
	folders(t, base, "home/state/a")
	tree.Refresh(roots)
	if n.added != 6 || len(n.paths) != 3 {
		t.Errorf("%d watches taken, %d held; want 6 and 3", n.added, len(n.paths))
	}
}

// countingNotifier counts how often a watch was taken.
type countingNotifier struct {
	fakeNotifier
	added int
}

func (c *countingNotifier) Add(path string) error {
	if !c.paths[path] {
		c.added++
	}
	return c.fakeNotifier.Add(path)
}

// A folder that comes while the one above it gets its watch is told by nothing: it is found
// all the same.
func TestAFolderComesWhileWatchesAreSet(t *testing.T) {
	base := t.TempDir()
	folders(t, base, "home")
	n := &lateNotifier{then: func() { folders(t, base, "home/state/a") }}
	tree := watch.NewTree(n, nil, nil, 100)
	tree.Refresh([]watch.Root{{Path: filepath.Join(base, "home"), Files: []string{"state/*/log"}}})
	expect.Is(t, watched(t, n, base), "home home/state home/state/a", "watched")
}

// lateNotifier is slow to set its first watch.
type lateNotifier struct {
	fakeNotifier
	then func()
}

func (l *lateNotifier) Add(path string) error {
	if l.then != nil {
		l.then()
		l.then = nil
	}
	return l.fakeNotifier.Add(path)
}

var must = expect.OK
