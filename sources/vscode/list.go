package vscode

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// walkers read folders at the same time; more do not help on one disk.
const walkers = 2

// List finds chats, memories and indexes in every storage of every edition, and
// the exports, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	roots := places.Roots(s.places())
	storages, problems := places.Storages(roots)
	found := make([]storageScan, len(storages))
	var wg sync.WaitGroup
	for w := range walkers {
		wg.Go(func() {
			for i := w; i < len(storages) && ctx.Err() == nil; i += walkers {
				found[i] = s.examine(storages[i])
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return sources.Listing{}, err
	}
	var out sources.Listing
	for _, r := range roots {
		out.Roots = append(out.Roots, sources.Root{Path: r.Path, Found: r.Found, Why: r.Why})
		if r.Err != nil {
			out.Problems = append(out.Problems, newProblem("", r.Path, r.Err))
		}
	}
	for _, p := range problems {
		out.Problems = append(out.Problems, newProblem("", p.Path, p.Err))
	}
	for _, f := range found {
		out.Items = append(out.Items, f.items...)
		out.Problems = append(out.Problems, f.problems...)
	}
	s.agentHosts(roots, &out)
	s.exports(&out)
	s.finish(&out)
	return out, nil
}

// places are the settings of the discovery.
func (s *Source) places() places.Config {
	return places.Config{Users: s.cfg.UserDirs, Defaults: s.cfg.Defaults, Env: s.cfg.Env, Home: s.cfg.Home, GOOS: s.cfg.GOOS}
}

// finish stamps what depends on the set of all sessions, sums up the roots and
// sorts.
func (s *Source) finish(out *sources.Listing) {
	listed := map[string]bool{}
	for _, it := range out.Items {
		if it.Kind == sources.KindSession && it.Session != "" {
			listed[it.Session] = true
		}
	}
	names := files.StampNames(listed)
	byPath := map[string]*sources.Root{}
	for i := range out.Roots {
		byPath[out.Roots[i].Path] = &out.Roots[i]
	}
	for i := range out.Items {
		root := byPath[out.Items[i].Root]
		root.Items++
		for j := range out.Items[i].Parts {
			p := &out.Items[i].Parts[j]
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
	slices.SortFunc(out.Items, func(a, b sources.Item) int { return strings.Compare(a.Key, b.Key) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed = listed
}
