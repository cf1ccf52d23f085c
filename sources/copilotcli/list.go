package copilotcli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// walkers read folders at the same time; more do not help on one disk.
const walkers = 2

// List finds the sessions of every layout, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	var out sources.Listing
	listed := map[string]bool{}
	homes := s.homes()
	for _, h := range homes {
		out.Problems = append(out.Problems, h.refused...)
		if !h.root.Found {
			continue
		}
		c := &collector{src: s, home: h}
		if err := c.sessions(ctx); err != nil {
			return sources.Listing{}, err
		}
		c.others()
		for _, i := range c.items {
			if i.Kind == sources.KindSession {
				listed[sources.FoldUUID(sessionName(i))] = true
			}
		}
		out.Items = slices.Concat(out.Items, c.items) // of the exact size: there are many
		out.Problems = append(out.Problems, c.problems...)
	}
	finish(&out, homes, listed)
	s.mu.Lock()
	s.listed = listed
	s.mu.Unlock()
	return out, nil
}

// finish stamps the stores with the names of all sessions, which decide what
// only a store knows, sums up the roots and sorts.
func finish(out *sources.Listing, homes []*home, listed map[string]bool) {
	names := files.StampNames(listed)
	byRoot := map[string]*sources.Root{}
	for _, h := range homes {
		byRoot[h.root.Path] = &h.root
	}
	for i := range out.Items {
		item := &out.Items[i]
		root := byRoot[item.Root]
		if !item.Scaffold {
			root.Items++
		}
		for j := range item.Parts {
			p := &item.Parts[j]
			if p.Name == partNames {
				p.Stamp = names
				continue
			}
			if !p.Shared || item.Kind == sources.KindMemory {
				root.Bytes += p.Stamp.Size
			}
			if t := time.Unix(0, p.Stamp.MTime).UTC(); p.Stamp.MTime != 0 && t.After(root.New) {
				root.New = t
			}
		}
	}
	for _, h := range homes {
		out.Roots = append(out.Roots, h.root)
	}
	slices.SortFunc(out.Items, func(a, b sources.Item) int { return strings.Compare(a.Key, b.Key) })
}

// collector gathers the items of one home.
type collector struct {
	src      *Source
	home     *home
	items    []sources.Item
	problems []sources.Problem
	empty    int            // scaffolds
	shared   []sources.Part // parts of every session: the store, the bulk metadata
}

// candidate is a session id and where each layout has it; empty where it has not.
type candidate struct{ name, dir, flat, legacy string }

// legacyName is a file of the oldest layout: session_<uuid>_<milliseconds>.json.
var legacyName = regexp.MustCompile(`^session_(.+)_(\d+)\.json$`)

// sessions lists session-state/ and history-session-state/.
func (c *collector) sessions(ctx context.Context) error {
	c.shared = c.sharedParts()
	found := c.candidates()
	items := make([]sources.Item, len(found)) // without a key: none
	var told [walkers]outcome
	var wg sync.WaitGroup
	for w := range walkers {
		wg.Go(func() {
			for i := w; i < len(found) && ctx.Err() == nil; i += walkers {
				items[i] = c.examine(found[i], &told[w])
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	c.items = slices.DeleteFunc(items, func(it sources.Item) bool { return it.Key == "" })
	for _, o := range told {
		c.problems = append(c.problems, o.problems...)
		c.empty += o.scaffolds
	}
	if c.empty > 0 {
		c.home.root.Notes = append(c.home.root.Notes, fmt.Sprintf("empty session folders: %d", c.empty))
	}
	return nil
}

// candidates joins the layouts by id; of several old files the newest counts.
func (c *collector) candidates() []candidate {
	byName := map[string]int{} // place in all
	var all []candidate
	at := func(name string) *candidate {
		key := sources.FoldUUID(name)
		i, known := byName[key]
		if !known {
			i = len(all)
			byName[key], all = i, append(all, candidate{name: name})
		}
		return &all[i]
	}
	for _, e := range c.readDir(c.home.legacy) {
		if m := legacyName.FindStringSubmatch(e.Name()); m != nil {
			to := at(m[1])
			to.legacy = later(to.legacy, filepath.Join(c.home.legacy, e.Name()))
		}
	}
	entries := c.readDir(c.home.sessions)
	all = slices.Grow(all, len(entries))
	for _, e := range entries {
		path := filepath.Join(c.home.sessions, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			at(path[len(path)-len(e.Name()):]).dir = path // one text for both: there are many
		case e.Type()&fs.ModeSymlink != 0:
			c.problem(path, fmt.Errorf("list %q: a symbolic link is not followed", path))
		default:
			if base, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && base != "" {
				at(base).flat = path
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return strings.Compare(a.name, b.name) })
	return all
}

// later picks the file with the greater time in its name.
func later(a, b string) string {
	if cmp.Compare(len(a), len(b)) < 0 || len(a) == len(b) && a < b {
		return b
	}
	return a
}

// others lists what is no session: the store as a whole.
func (c *collector) others() {
	h := c.home
	if i := slices.IndexFunc(c.shared, func(p sources.Part) bool { return p.Name == partStore }); i >= 0 {
		c.items = append(c.items, sources.Item{
			Source: agentName, Key: h.tag + "/store", Kind: sources.KindMemory, Root: h.root.Path, Path: h.store,
			Parts: []sources.Part{{Name: partNames, Path: h.sessions}, c.shared[i]},
		})
	}
}

// sharedParts stats what all sessions of the home share.
func (c *collector) sharedParts() []sources.Part {
	var parts []sources.Part
	if st, ok := c.database(c.home.store); ok {
		parts = append(parts, sources.Part{Name: partStore, Path: c.home.store, Stamp: st, Shared: true})
	}
	if c.home.cache != "" {
		if info, err := os.Lstat(c.home.cache); err == nil && info.Mode().IsRegular() {
			parts = append(parts, sources.Part{Name: partCache, Path: c.home.cache, Stamp: files.StampOf(info), Shared: true})
		}
	}
	return parts
}

// database stamps a database together with what holds its newest rows.
func (c *collector) database(path string) (sources.Stamp, bool) {
	if path == "" {
		return sources.Stamp{}, false
	}
	info, err := os.Lstat(path)
	if err != nil {
		c.problem(path, err)
		return sources.Stamp{}, false
	}
	return files.StampDatabase(path, info), true
}

func (c *collector) readDir(path string) []os.DirEntry {
	if path == "" {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		c.problem(path, err)
	}
	return entries
}

func (c *collector) problem(path string, err error) {
	c.problems = append(c.problems, newProblem(c.home.tag, path, err))
}
