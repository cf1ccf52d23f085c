package vscode

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// programName is what people call the program.
const programName = "VS Code"

// List finds chats, memories and indexes in every storage of every edition, and
// the exports, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	l := &lister{}
	roots := places.Roots(s.places())
	for _, r := range roots {
		l.out.Roots = append(l.out.Roots, sources.Root{Path: r.Path, Found: r.Found, Why: r.Why})
		if r.Err != nil {
			l.problem("", r.Path, r.Err)
		}
	}
	for _, st := range places.Storages(roots, func(path string, err error) { l.problem("", path, err) }) {
		if err := ctx.Err(); err != nil {
			return sources.Listing{}, err
		}
		l.examine(st)
	}
	l.agentHosts(roots)
	l.exports(s.cfg.Exports, s.cfg.Home)
	listed := l.finish()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed = listed
	return l.out, ctx.Err()
}

// places are the settings of the discovery.
func (s *Source) places() places.Config {
	return places.Config{Users: s.cfg.UserDirs, Defaults: s.cfg.Defaults, Env: s.cfg.Env, Home: s.cfg.Home, GOOS: s.cfg.GOOS}
}

// lister gathers a listing.
type lister struct{ out sources.Listing }

// problem tells of something that was not looked at.
func (l *lister) problem(item, path string, err error) {
	l.out.Problems = append(l.out.Problems, files.Problem(sourceName, programName, item, path, err))
}

// parts gathers those of an item; name is what its problems are told of.
func (l *lister) parts(name string) files.Parts {
	return files.Parts{Problem: func(path string, err error) { l.problem(name, path, err) }}
}

// add lists an item, if it has any parts.
func (l *lister) add(it sources.Item, parts *files.Parts) {
	if len(parts.List) > 0 {
		it.Source, it.Parts = sourceName, parts.Sorted()
		l.out.Items = append(l.out.Items, it)
	}
}

// readDir lists a folder; one that is not there is empty.
func (l *lister) readDir(item, path string) []os.DirEntry {
	if path == "" {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problem(item, path, err)
	}
	return entries
}

// finish stamps what depends on the set of all sessions, which it returns, sums up
// the roots and sorts.
func (l *lister) finish() map[string]bool {
	listed := map[string]bool{}
	for _, it := range l.out.Items {
		if it.Kind == sources.KindSession && it.Session != "" {
			listed[it.Session] = true
		}
	}
	names := files.StampNames(listed)
	byPath := map[string]*sources.Root{}
	for i := range l.out.Roots {
		byPath[l.out.Roots[i].Path] = &l.out.Roots[i]
	}
	for _, it := range l.out.Items {
		root := byPath[it.Root]
		root.Items++
		for j := range it.Parts {
			p := &it.Parts[j]
			if p.Name == partNames {
				p.Stamp = names
				continue
			}
			if p.Name != partWorkspace {
				root.Bytes += p.Stamp.Size
			}
			if t := time.Unix(0, p.Stamp.MTime).UTC(); p.Stamp.MTime != 0 && t.After(root.New) {
				root.New = t
			}
		}
	}
	slices.SortFunc(l.out.Items, func(a, b sources.Item) int { return strings.Compare(a.Key, b.Key) })
	return listed
}
