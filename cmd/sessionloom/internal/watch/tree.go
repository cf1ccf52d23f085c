package watch

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// breath is the pause before more errors, or meaningless events, are read.
const breath = 500 * time.Millisecond

// Notifier watches single folders; fsnotify.Watcher is one.
type Notifier interface {
	Add(path string) error
	Remove(path string) error
	WatchList() []string
}

// Coverage describes what is watched.
type Coverage struct {
	Folders int   // number watched
	Left    int   // number not watched: too many, or the system refuses more
	Err     error // why the system refuses more, or nil
}

// Tree watches the folders that matter.
type Tree struct {
	notifier Notifier // nil: the system has none left
	events   <-chan fsnotify.Event
	limit    int // limit of folders

	spots spots // watched folders

	lost chan struct{} // not empty once events may have been lost
}

// NewTree watches at most limit folders with n, none without n.
func NewTree(n Notifier, events <-chan fsnotify.Event, errs <-chan error, limit int) *Tree {
	t := &Tree{notifier: n, events: events, limit: limit, spots: spots{}, lost: make(chan struct{}, 1)}
	if errs != nil {
		go func() {
			for range errs { // after any error events may be missing
				t.lose()
				time.Sleep(breath)
			}
		}()
	}
	return t
}

func (t *Tree) lose() {
	select {
	case t.lost <- struct{}{}:
	default:
	}
}

func (t *Tree) wasLost() bool {
	select {
	case <-t.lost:
		return true
	default:
		return false
	}
}

// Refresh updates the watches. It repeats until nothing is new; if that takes too long, events count as lost.
func (t *Tree) Refresh(roots []Root) Coverage {
	if t.notifier == nil {
		return Coverage{}
	}
	want, left := plan(roots, t.limit)
	for range looks {
		err := t.watch(want)
		out := Coverage{Folders: len(t.spots), Left: left, Err: err}
		if err != nil {
			out.Left += len(want) - len(t.spots)
			return out
		}
		before := want
		if want, left = plan(roots, t.limit); slices.EqualFunc(before, want, (*spot).same) {
			return out
		}
	}
	t.lose()
	return Coverage{Folders: len(t.spots), Left: left}
}

const looks = 5

// watch watches exactly these folders, until the system refuses one more.
func (t *Tree) watch(want []*spot) error {
	wanted := make(spots, len(want))
	for _, s := range want {
		wanted[s.path] = s
	}
	now := make(spots, len(want))
	for _, path := range t.notifier.WatchList() {
		before, s := t.spots[path], wanted[path]
		if before == nil || s == nil || !before.same(s) {
			_ = t.notifier.Remove(path) // it may be gone by itself
			continue
		}
		now[path] = s
	}
	t.spots = now
	for _, s := range want {
		// A watched folder is added again: its watch may have ended with a folder whose inode this one took
		// over.
		err := t.notifier.Add(s.path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			delete(now, s.path) // gone again, or not ours to read: the pass reports it
			continue
		}
		if err != nil {
			return err
		}
		now[s.path] = s
	}
	return nil
}

// look reports whether an event requires a pass, and whether folders came or went.
func (t *Tree) look(e fsnotify.Event) (worth, moved bool) {
	const comings = fsnotify.Create | fsnotify.Remove | fsnotify.Rename
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	if t.spots[e.Name] != nil && gone {
		return true, true
	}
	in, name := t.spots[filepath.Dir(e.Name)], filepath.Base(e.Name)
	if in == nil || e.Op&^fsnotify.Chmod == 0 {
		return false, false
	}
	if e.Op&comings != 0 && len(within(in.files, name)) > 0 {
		return true, true
	}
	return slices.ContainsFunc(in.files, func(pattern string) bool { return !strings.Contains(pattern, "/") && matches(pattern, name) }), false
}

// Root is a folder below which changes matter. It need not exist.
type Root struct {
	Path string
	// Files are patterns of path.Match for files that require a pass when they change, relative to Path, with
	// slashes: "*/events.jsonl". Only folders on the way to them are watched.
	Files []string
}

type spot struct {
	path  string
	files []string    // patterns of files that require a pass, relative to this folder
	info  fs.FileInfo // distinguishes it from another folder of the same name
	// heat is the time of the last activity in the folder or its parents: a resumed old session gets new
	// files.
	heat  time.Time
	named bool // not found by a wildcard
}

func (s *spot) same(other *spot) bool {
	return s.path == other.path && os.SameFile(s.info, other.info)
}

type spots map[string]*spot

// plan returns which folders to watch: named ones first, then last active ones. For a missing root its parent
// is watched. left is the number without room.
func plan(roots []Root, limit int) (chosen []*spot, left int) {
	found := spots{}
	for _, r := range roots {
		at := real(r.Path)
		if info, ok := folder(at); ok {
			found.enter(&spot{path: at, files: r.Files, info: info, named: true})
		} else if info, ok := folder(real(filepath.Dir(at))); ok {
			name := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(filepath.Base(at)) // only matches itself
			found.add(&spot{path: real(filepath.Dir(at)), files: []string{name + "/"}, info: info, heat: info.ModTime(), named: true})
		}
	}
	all := slices.Collect(maps.Values(found))
	slices.SortFunc(all, func(a, b *spot) int {
		switch {
		case a.named && !b.named:
			return -1
		case b.named && !a.named:
			return 1
		}
		return cmp.Or(b.heat.Compare(a.heat), strings.Compare(a.path, b.path))
	})
	room := min(limit, len(all))
	return all[:room], len(all) - room
}

func folder(path string) (info fs.FileInfo, ok bool) {
	info, err := os.Stat(path)
	return info, err == nil && info.IsDir()
}

func (all spots) enter(s *spot) {
	all.add(s)
	if !slices.ContainsFunc(s.files, func(pattern string) bool { return strings.Contains(pattern, "/") }) {
		return
	}
	entries, err := os.ReadDir(s.path)
	if err != nil {
		return // the pass reports it
	}
	for _, e := range entries {
		files := within(s.files, e.Name())
		if len(files) == 0 || !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		path := filepath.Join(s.path, e.Name())
		if !e.IsDir() {
			path = real(path)
		}
		info, ok := folder(path)
		if !ok {
			continue
		}
		named := s.named && slices.ContainsFunc(s.files, func(pattern string) bool { return strings.HasPrefix(pattern, e.Name()+"/") })
		next := &spot{path: path, files: files, info: info, heat: info.ModTime(), named: named}
		if s.heat.After(next.heat) {
			next.heat = s.heat
		}
		all.enter(next)
	}
}

// add adds a folder; the patterns of two roots for one folder are combined.
func (all spots) add(s *spot) {
	if have := all[s.path]; have != nil {
		have.files, have.named = slices.Concat(have.files, s.files), have.named || s.named
		return
	}
	all[s.path] = s
}

func real(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return filepath.Clean(path)
}

// within returns the patterns that apply in a folder.
func within(patterns []string, name string) (rest []string) {
	for _, p := range patterns {
		if first, more, deeper := strings.Cut(p, "/"); deeper && matches(first, name) {
			rest = append(rest, more)
		}
	}
	return rest
}

// matches is path.Match without wildcards matching a leading dot.
func matches(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
		return false
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
