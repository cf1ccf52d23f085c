package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// breath is the pause after which more errors, or events that mean nothing, are
// taken in: a flood of them costs next to nothing.
const breath = 500 * time.Millisecond

// Notifier watches single folders; fsnotify.Watcher is one.
type Notifier interface {
	Add(path string) error
	Remove(path string) error
	WatchList() []string
}

// Coverage is what is watched.
type Coverage struct {
	Folders int   // watched
	Left    int   // worth it, but there are too many or the system refuses more
	Err     error // why the system refuses more; nil: it does not
}

// Tree keeps a watch on each folder that matters, and on no other.
type Tree struct {
	notifier Notifier // nil: the system has none left
	events   <-chan fsnotify.Event
	limit    Limit

	spots spots // what is watched

	lost chan struct{} // holds something once events were lost, or may have been
}

// NewTree watches with n, whose events and errors come through the channels,
// within the limit. A nil Notifier watches none. Errors are taken at once
// until that channel is closed; events wait until they are asked for.
func NewTree(n Notifier, events <-chan fsnotify.Event, errs <-chan error, limit Limit) *Tree {
	t := &Tree{notifier: n, events: events, limit: limit, spots: spots{}, lost: make(chan struct{}, 1)}
	if errs != nil {
		go func() {
			for range errs { // whatever it is, events may be missing
				select {
				case t.lost <- struct{}{}:
				default:
				}
				time.Sleep(breath)
			}
		}()
	}
	return t
}

// wasLost tells, once, that events are missing.
func (t *Tree) wasLost() bool {
	select {
	case <-t.lost:
		return true
	default:
		return false
	}
}

// Refresh watches what there is to watch below the roots now, and lets go of
// everything else. A folder that took the name of another one is watched in its
// place.
func (t *Tree) Refresh(roots []Root) Coverage {
	if t.notifier == nil {
		return Coverage{}
	}
	want, left := plan(roots, t.limit)
	wanted := make(spots, len(want))
	for _, s := range want {
		wanted[s.path] = s
	}
	held := map[string]bool{}
	for _, path := range t.notifier.WatchList() {
		before, now := t.spots[path], wanted[path]
		if before == nil || now == nil || !os.SameFile(before.info, now.info) {
			_ = t.notifier.Remove(path) // it may have gone by itself meanwhile
			continue
		}
		held[path] = true
	}
	out := Coverage{Left: left}
	now := make(spots, len(want))
	for i, s := range want {
		if !held[s.path] {
			err := t.notifier.Add(s.path)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
				continue // gone again, or not ours to look at: the pass tells of it
			}
			if err != nil {
				out.Left, out.Err = left+len(want)-i, err
				break
			}
		}
		now[s.path] = s
	}
	for path := range held { // those after a refusal
		now[path] = wanted[path]
	}
	t.spots, out.Folders = now, len(now)
	return out
}

// look judges an event: whether it is worth a pass, and whether folders came or
// went, so that the watches have to follow.
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
