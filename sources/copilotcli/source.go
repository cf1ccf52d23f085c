// Package copilotcli reads the history that GitHub Copilot CLI keeps below its home, ~/.copilot: the
// event log of each session, the files beside it, and the store derived from the logs, in every layout.
// The format has no stability contract: unknown records are counted, damage is reported, and the rest
// is read.
//
// Settings, logs, credentials and backups are never opened.
package copilotcli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

const (
	agentName = "copilot-cli" // agent of all sessions
	tested    = "1.0.102"     // the newest version whose logs the tests read
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerEvents   = agentName + "/events"
	layerSidecars = agentName + "/sidecars"
	layerPlan     = agentName + "/plan"
	layerTodos    = agentName + "/todos"
	layerStore    = agentName + "/store"
	layerMemory   = agentName + "/memory"
)

// Names of parts. Files below a folder of the session are named by their path.
const (
	partLog       = "events.jsonl"
	partFlat      = "flat.jsonl" // an older log beside that
	partLegacy    = "legacy.json"
	partPlan      = "plan.md"
	partTodos     = "session.db"
	partWorkspace = "workspace.yaml"
	partSummary   = "index.md"
	partMetadata  = "vscode.metadata.json"
	partStore     = "store"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of GitHub Copilot CLI.
type Source struct {
	homes.Reader
	stores files.Pass[*store]
}

// New returns a reader; it opens nothing. A line in the log announces what an agent writes in folders of a session.
func New(c Config) *Source {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	return &Source{Reader: homes.Reader{
		Config: Config{Home: c.Home, TempDir: c.TempDir, StoreOnly: c.StoreOnly}, Agent: agentName, Program: "the CLI", Version: tested,
		Further: func() []string { return folders(c) },
		Watched: []string{
			"session-store.db", "session-store.db-wal",
			"history-session-state/session_*.json",
			"session-state/*.jsonl", "session-state/*/" + partLog, "session-state/*/" + partPlan, "session-state/*/" + partSummary,
			"session-state/*/" + partWorkspace, "session-state/*/" + partTodos, "session-state/*/" + partTodos + "-wal",
		},
	}}
}

// List finds the sessions of every layout. It only walks folders and calls stat.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	return homes.Listing(ctx, s.listed(ctx), nil)
}

func (s *Source) listed(ctx context.Context) []*home {
	all, names := s.found()
	for _, h := range all {
		h.list(ctx, names)
	}
	return all
}

// Read returns the layers of an item. The two kinds of items are a session and a
// store as a whole (memory of repositories and rows without a folder).
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if item.Kind == sources.KindMemory {
		return s.readStore(ctx, item)
	}
	return s.readSession(ctx, item)
}

// Digest returns a value that changes if the store's data about an item does.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	if item.Kind == sources.KindMemory {
		return fmt.Sprint(p.Stamp), nil // reading it is as much work as a digest
	}
	return s.store(p.Path).digest(ctx, sessionName(item))
}

// Close ends a pass: databases are closed, and opened again in the next one.
func (s *Source) Close() error { return s.stores.Close() }

func (s *Source) store(path string) *store {
	return s.stores.At(path, func() *store { return &store{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.TempDir}} })
}

// Details names for each home the version of the CLI that began its newest log.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	return homes.Details(ctx, &s.Reader, s.listed(ctx), func(h *home) (homes.Tally, error) {
		log, newest := "", int64(0)
		for _, item := range h.Out.Items {
			if p, ok := item.Part(partLog); ok && p.Stamp.MTime >= newest {
				log, newest = item.File(p), p.Stamp.MTime
			}
		}
		return homes.Tally{Version: versionIn(ctx, log)}, nil
	})
}

// versionIn returns the version in the first line of a log, or "".
func versionIn(ctx context.Context, log string) (version string) {
	type start struct {
		Data struct {
			Version string `json:"copilotVersion"`
		} `json:"data"`
	}
	l := jsonl.Log[start]{Most: 64 << 10}
	l.Take = func(s *start) (string, bool) {
		if l.Records == 0 {
			version = s.Data.Version
		}
		return "", true
	}
	_ = l.ReadFile(ctx, log) // lines before the error were read
	return version
}

// home is a folder with the layout of ~/.copilot, with its content.
type home struct {
	*homes.Home
	found []candidate
}

// Names of files and folders in a home.
const (
	inSessions = "session-state"
	inLegacy   = "history-session-state"
	inStore    = "session-store.db"
)

// candidate is a session id with its paths in each layout, or "".
type candidate struct {
	name, dir, flat, legacy string

	parts    []sources.Part
	problems []sources.Problem
}

// folders returns the folders to read, in order of preference: the named ones, the CLI's present one, and its
// state folders before version 1.0 under the XDG variables. The folder state/ in a home is a home as well.
func folders(c Config) (all []string) {
	bases := slices.Clone(c.Homes)
	if h := c.Env("COPILOT_HOME"); c.Defaults && h != "" {
		bases = append(bases, h)
	} else if c.Defaults && c.Home != "" {
		bases = append(bases, filepath.Join(c.Home, ".copilot"))
	}
	for _, v := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		if x := c.Env(v); c.Defaults && filepath.IsAbs(x) {
			bases = append(bases, filepath.Join(x, ".copilot"))
		}
	}
	if c.Defaults && c.GOOS != "windows" && c.Home != "" {
		bases = append(bases, filepath.Join(c.Home, ".local", "state", ".copilot"))
	}
	for _, base := range bases {
		all = append(all, base)
		for _, name := range []string{inSessions, inLegacy, inStore} {
			if _, err := os.Lstat(filepath.Join(base, "state", name)); err == nil || errors.Is(err, fs.ErrPermission) {
				all = append(all, filepath.Join(base, "state"))
				break
			}
		}
	}
	return all
}

// found returns the homes with their sessions, and the names of all these.
func (s *Source) found() (all []*home, names map[string]bool) {
	names = map[string]bool{}
	for _, one := range s.Open(inSessions, inLegacy, inStore) {
		h := &home{Home: one}
		h.find()
		for _, x := range h.found {
			names[sources.FoldUUID(x.name)] = true
		}
		all = append(all, h)
	}
	return all, names
}

// legacyName matches a file of the oldest layout: session_<uuid>_<milliseconds>.json.
var legacyName = pattern.Lazy(`^session_(.+)_\d+\.json$`)

// find joins the layouts by id; the newest of several old files counts.
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
	for _, e := range h.ReadDir(h.Tag, h.Real[inLegacy]) {
		if m := legacyName().FindStringSubmatch(e.Name()); m != nil {
			path, to := files.Below(h.Real[inLegacy], e.Name()), at(m[1])
			if cmp.Or(cmp.Compare(len(path), len(to.legacy)), strings.Compare(path, to.legacy)) > 0 {
				to.legacy = path
			}
		}
	}
	for _, e := range h.ReadDir(h.Tag, h.Real[inSessions]) {
		path := files.Below(h.Real[inSessions], e.Name())
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

// list creates the items of the sessions, and one for the whole store.
func (h *home) list(ctx context.Context, names map[string]bool) {
	store := h.Parts(h.Tag)
	if path := h.Real[inStore]; path != "" {
		store.Database(partStore, path)
		for i := range store.List {
			store.List[i].Shared = true
		}
		h.Add(sources.Item{Key: h.Tag + "/store", Kind: sources.KindMemory, Path: path}, store, files.Known(h.Real[inSessions], names))
	}
	shared := store.List
	scaffolds := 0
	h.look(ctx)
	for i, x := range h.found {
		h.found[i] = candidate{} // there may be many
		item := sources.Item{
			Source: agentName, Key: h.key(&x), Kind: sources.KindSession, Session: sessionID(x.name),
			Root: h.Root.Path, Path: cmp.Or(x.dir, x.flat, x.legacy), Parts: append(x.parts, shared...),
		}
		h.Out.Problems = append(h.Out.Problems, x.problems...)
		if !slices.ContainsFunc(x.parts, isSaid) {
			if len(x.problems) == 0 {
				scaffolds++
			}
			// A folder may be empty while the store has rows: who deletes a session deletes its folder.
			if item.Scaffold = x.dir != "" && len(shared) > 0 && (len(x.parts) > 0 || len(x.problems) == 0); !item.Scaffold {
				continue
			}
		}
		slices.SortFunc(item.Parts, func(a, b sources.Part) int { return strings.Compare(a.Name, b.Name) })
		h.Out.Items = append(h.Out.Items, item)
	}
	if scaffolds > 0 {
		h.Root.Notes = append(h.Root.Notes, fmt.Sprintf("empty session folders: %d", scaffolds))
	}
}

// isSaid reports whether a part makes a session more than a scaffold.
func isSaid(p sources.Part) bool {
	folder, _, nested := strings.Cut(p.Name, "/")
	return nested && folder != rewindFolder && p.Name != "checkpoints/index.md" ||
		slices.Contains([]string{partLog, partLegacy, partPlan, partTodos, partSummary}, folder)
}

// key returns the key of a session, which ends in its name after the last slash.
func (h *home) key(x *candidate) string { return h.Tag + "/session/" + x.name }

// look finds the files of all candidates, two at a time: more do not help on one disk.
func (h *home) look(ctx context.Context) {
	var wg sync.WaitGroup
	for first := range 2 {
		wg.Go(func() {
			for i := first; i < len(h.found) && ctx.Err() == nil; i += 2 {
				x := &h.found[i]
				one := home{Home: &homes.Home{Tag: h.Tag, Lister: files.Lister{Source: h.Source, Program: h.Program}}} // collects its own problems
				x.parts = one.parts(x)
				x.problems = one.Out.Problems
			}
		})
	}
	wg.Wait()
}

// Limits below files/ and research/ of one session.
const (
	maxDepth = 4 // depth of nested folders
	maxSaved = 200
)

// parts returns the files of a session. Its folder takes precedence over the flat file, and that over the
// oldest layout. Locks, tracking files and unknown files do not count.
func (h *home) parts(x *candidate) []sources.Part {
	parts := h.Parts(h.key(x))
	parts.Dir = x.dir
	flat := partLog
	for _, entry := range h.ReadDir(h.key(x), x.dir) {
		base := entry.Name()
		path, left := files.Below(x.dir, base), maxSaved
		switch base {
		case partLog:
			flat = partFlat
			parts.File(base, path, entry)
		case partPlan, partWorkspace, partSummary, partMetadata:
			parts.File(base, path, entry)
		case partTodos:
			parts.Database(base, path)
		case rewindFolder:
			parts.File(partRewind, files.Below(path, "index.json"), nil)
		case "files", "research":
			if entry.IsDir() {
				parts.Tree(base, path, maxDepth, &left)
			}
		case "checkpoints":
			if entry.IsDir() {
				parts.Each("checkpoints/", path, h.ReadDir(h.key(x), path), ".md", ".json")
			}
		}
	}
	if x.flat != "" {
		parts.File(flat, x.flat, nil)
	}
	if x.legacy != "" {
		parts.File(partLegacy, x.legacy, nil)
	}
	return parts.List
}
