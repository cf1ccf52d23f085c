package watch

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// spot is a folder to be watched.
type spot struct {
	path  string
	level *level
	info  fs.FileInfo // to tell it from another folder that took its name
	// heat is when it was last at work, as far as the folder and those above
	// it tell: an old session that is resumed gets new files.
	heat  time.Time
	named bool // no wildcard led to it
}

// Limit bounds what is watched.
type Limit struct {
	Most  int  // folders
	Files bool // whatever lies in a watched folder counts too: the system opens it
}

// cost is what of the limit a folder takes.
func (l Limit) cost(s *spot) int {
	if !l.Files {
		return 1
	}
	entries, err := os.ReadDir(s.path)
	if err != nil {
		return 1 // it will not be watched
	}
	return 1 + len(entries)
}

// planner gathers the spots below roots.
type planner struct {
	spots map[string]*spot
}

// plan says which folders to watch within the limit, by calling stat on folders
// alone. Those that were named come first, then those that were at work last. In
// place of a root that is not there its parent is watched, for the root's name.
// left tells how many found no room.
func plan(roots []Root, limit Limit) (chosen []*spot, left int) {
	p := planner{spots: map[string]*spot{}}
	for _, r := range roots {
		at, want := real(r.Path), levelOf(r.Files)
		info, err := os.Stat(at)
		if err != nil || !info.IsDir() {
			want = &level{folders: map[string]*level{escape(filepath.Base(at)): {}}}
			at = real(filepath.Dir(at))
			if info, err = os.Stat(at); err != nil || !info.IsDir() {
				continue
			}
			p.add(&spot{path: at, level: want, info: info, heat: info.ModTime(), named: true})
			continue
		}
		p.enter(&spot{path: at, level: want, info: info, named: true})
	}
	spots := slices.Collect(maps.Values(p.spots))
	slices.SortFunc(spots, func(a, b *spot) int {
		switch {
		case a.named && !b.named:
			return -1
		case b.named && !a.named:
			return 1
		}
		return cmp.Or(b.heat.Compare(a.heat), strings.Compare(a.path, b.path))
	})
	for room, i := limit.Most, 0; i < len(spots); i++ {
		if cost := limit.cost(spots[i]); cost <= room {
			room -= cost
			chosen = append(chosen, spots[i])
		} else {
			left++
		}
	}
	return chosen, left
}

// enter adds a folder and those below it that matter.
func (p *planner) enter(s *spot) {
	p.add(s)
	if len(s.level.folders) == 0 {
		return
	}
	entries, err := os.ReadDir(s.path)
	if err != nil {
		return // the pass tells of it
	}
	for _, e := range entries {
		sub := s.level.below(e.Name())
		if sub == nil || !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		path := filepath.Join(s.path, e.Name())
		if !e.IsDir() {
			path = real(path)
		}
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			continue
		}
		_, plain := s.level.folders[e.Name()]
		next := &spot{path: path, level: sub, info: info, heat: info.ModTime(), named: s.named && plain}
		if s.heat.After(next.heat) {
			next.heat = s.heat
		}
		p.enter(next)
	}
}

// add keeps a spot; what two roots say of one folder counts together.
func (p *planner) add(s *spot) {
	have := p.spots[s.path]
	if have == nil {
		p.spots[s.path] = s
		return
	}
	have.level = have.level.with(s.level)
	have.named = have.named || s.named
}

// real is a path without links, by which some systems name events.
func real(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return filepath.Clean(path)
}

// escape makes a pattern that matches a name alone.
func escape(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
