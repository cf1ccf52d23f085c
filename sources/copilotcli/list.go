package copilotcli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// found are the homes with their sessions, and the names of these: they decide what only
// a store knows.
func (c Config) found() ([]*home, map[string]bool) {
	names := map[string]bool{}
	homes := c.homes()
	for _, h := range homes {
		h.find()
		for _, x := range h.found {
			names[sources.FoldUUID(x.name)] = true
		}
	}
	return homes, names
}

// candidate is a session id and where each layout has it; empty where it has not.
type candidate struct{ name, dir, flat, legacy string }

// legacyName is a file of the oldest layout: session_<uuid>_<milliseconds>.json.
var legacyName = pattern.Lazy(`^session_(.+)_\d+\.json$`)

// find joins the layouts by id; of several old files the newest counts.
func (h *home) find() {
	places := map[string]int{} // in h.found
	at := func(name string) *candidate {
		key := sources.FoldUUID(name)
		i, known := places[key]
		if !known {
			i = len(h.found)
			places[key], h.found = i, append(h.found, candidate{name: name})
		}
		return &h.found[i]
	}
	for _, e := range h.ReadDir(h.Tag, h.legacy) {
		if m := legacyName().FindStringSubmatch(e.Name()); m != nil {
			path, to := files.Below(h.legacy, e.Name()), at(m[1])
			if cmp.Or(cmp.Compare(len(path), len(to.legacy)), strings.Compare(path, to.legacy)) > 0 {
				to.legacy = path
			}
		}
	}
	for _, e := range h.ReadDir(h.Tag, h.sessions) {
		path := files.Below(h.sessions, e.Name())
		switch base, flat := strings.CutSuffix(e.Name(), ".jsonl"); {
		case strings.HasPrefix(base, ".") || base == "":
		case e.IsDir():
			at(e.Name()).dir = path
		case e.Type()&fs.ModeSymlink != 0:
			h.Problem(h.Tag, path, fmt.Errorf("list %q: a symbolic link is not followed", path))
		case flat:
			at(base).flat = path
		}
	}
}

// list makes the items of what was found, and the one of the store as a whole.
func (h *home) list(ctx context.Context, names map[string]bool) error {
	var shared []sources.Part
	if h.store != "" {
		store := h.Parts(h.Tag)
		store.Database(partStore, h.store)
		for _, p := range store.List {
			p.Shared = true
			shared = append(shared, p)
			h.Out.Items = append(h.Out.Items, sources.Item{
				Source: agentName, Key: h.Tag + "/store", Kind: sources.KindMemory, Root: h.Root.Path, Path: h.store,
				Parts: []sources.Part{{Name: files.Names, Path: h.sessions, Stamp: files.StampNames(names)}, p},
			})
		}
	}
	scaffolds := 0
	seen := h.look(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, x := range h.found {
		item, told := sources.Item{Parts: seen[i].parts}, seen[i].problems
		h.Out.Problems = append(h.Out.Problems, told...)
		if !worthReading(item.Parts) {
			if len(told) == 0 {
				scaffolds++
			}
			if item.Scaffold = x.dir != "" && len(shared) > 0 && (len(item.Parts) > 0 || len(told) == 0); !item.Scaffold {
				continue
			}
		}
		item.Source, item.Key, item.Kind, item.Session = agentName, h.key(x), sources.KindSession, sessionID(x.name)
		item.Root, item.Path = h.Root.Path, cmp.Or(x.dir, x.flat, x.legacy)
		item.Parts = append(item.Parts, shared...)
		slices.SortFunc(item.Parts, func(a, b sources.Part) int { return strings.Compare(a.Name, b.Name) })
		h.Out.Items = append(h.Out.Items, item)
	}
	if scaffolds > 0 {
		h.Root.Notes = append(h.Root.Notes, fmt.Sprintf("empty session folders: %d", scaffolds))
	}
	return nil
}

// walkers look into folders at the same time; more do not help on one disk.
const walkers = 2

// looked is what was seen of a candidate.
type looked struct {
	parts    []sources.Part
	problems []sources.Problem
}

// look finds the files of all candidates.
func (h *home) look(ctx context.Context) []looked {
	out := make([]looked, len(h.found))
	var wg sync.WaitGroup
	for w := range walkers {
		wg.Go(func() {
			for i := w; i < len(h.found) && ctx.Err() == nil; i += walkers {
				one := home{Home: homes.Home{Tag: h.Tag, Lister: lister()}} // with problems of its own
				out[i] = looked{one.parts(h.found[i]), one.Out.Problems}
			}
		})
	}
	wg.Wait()
	return out
}

// key is the key of a session: its name is what follows the last slash.
func (h *home) key(x candidate) string { return h.Tag + "/session/" + x.name }

// What is looked at below files/ and research/ of one session.
const (
	maxDepth = 4 // folders in each other
	maxSaved = 200
)

// parts are the files of a session. Its folder wins over the flat file and that over
// the oldest layout, but a folder without a log leaves the log to them. Locks, tracking
// files and whatever later versions add are no parts.
func (h *home) parts(x candidate) []sources.Part {
	key := h.key(x)
	parts := h.Parts(key)
	parts.Dir = x.dir
	log := false
	for _, entry := range h.ReadDir(key, x.dir) {
		base := entry.Name()
		path := files.Below(x.dir, base)
		switch base {
		case partLog:
			log = true
			parts.File(base, path, entry)
		case partPlan, partWorkspace, partSummary, partMetadata:
			parts.File(base, path, entry)
		case partTodos:
			parts.Database(base, path)
		case rewindFolder:
			parts.File(partRewind, files.Below(path, "index.json"), nil)
		case "checkpoints", "files", "research":
			if left := maxSaved; entry.IsDir() && base != "checkpoints" {
				parts.Tree(base, path, maxDepth, &left)
			} else if entry.IsDir() {
				h.checkpoints(&parts, key, path)
			}
		}
	}
	switch {
	case log:
	case x.flat != "":
		parts.File(partLog, x.flat, nil)
	case x.legacy != "":
		parts.File(partLegacy, x.legacy, nil)
	}
	return parts.List
}

// checkpoints adds the files of checkpoints/ that may be read.
func (h *home) checkpoints(parts *files.Parts, key, dir string) {
	for _, entry := range h.ReadDir(key, dir) {
		if ext := filepath.Ext(entry.Name()); ext == ".md" || ext == ".json" {
			parts.File("checkpoints/"+entry.Name(), files.Below(dir, entry.Name()), entry)
		}
	}
}

// worthReading says that a session is more than a scaffold. Of a folder with nothing in
// it the rows of the store may tell, for who deletes a session deletes its folder.
func worthReading(parts []sources.Part) bool {
	return slices.ContainsFunc(parts, func(p sources.Part) bool {
		folder, _, nested := strings.Cut(p.Name, "/")
		return nested && folder != rewindFolder && p.Name != "checkpoints/index.md" || slices.Contains([]string{partLog, partLegacy, partPlan, partTodos, partSummary}, folder)
	})
}
