package copilotcli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// Source reads the history of GitHub Copilot CLI. It implements sources.Source,
// sources.Digester, sources.Watcher, sources.Detailer and sources.Closer.
type Source struct {
	cfg    Config
	stores sqlite.Pass[*store]
}

var (
	_ sources.Source   = (*Source)(nil)
	_ sources.Digester = (*Source)(nil)
	_ sources.Closer   = (*Source)(nil)
	_ sources.Watcher  = (*Source)(nil)
	_ sources.Detailer = (*Source)(nil)
)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	return &Source{cfg: c}
}

// Name is "copilot-cli".
func (s *Source) Name() string { return agentName }

// List finds the sessions of every layout, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	homes, names := s.cfg.found()
	out := lister()
	for _, h := range homes {
		if err := h.list(ctx, names); err != nil {
			return sources.Listing{}, err
		}
		h.AddTo(&out)
	}
	return out.Finish(""), nil
}

// Read returns the layers of an item. The two kinds of items are a session and a
// store as a whole (memory of repositories and rows without a folder).
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	if item.Kind == sources.KindMemory {
		return s.readStore(ctx, item)
	}
	return s.readSession(ctx, item)
}

// Digest tells whether what the store says of an item changed.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	if item.Kind == sources.KindMemory {
		return fmt.Sprint(p.Stamp), nil // reading it is as much work as asking
	}
	return s.store(p.Path).digest(ctx, sessionName(item))
}

// Close ends a pass: databases are closed, and looked at anew in the next one.
func (s *Source) Close() error { return s.stores.Close() }

func (s *Source) store(path string) *store {
	return s.stores.At(path, func() *store { return &store{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.cfg.TempDir}} })
}

// watched are the patterns of what is worth a look when it changes. What an agent
// keeps in folders of a session comes with a line in its log.
var watched = []string{
	"session-store.db", "session-store.db-wal",
	"history-session-state/session_*.json",
	"session-state/*.jsonl", "session-state/*/" + partLog, "session-state/*/" + partPlan, "session-state/*/" + partSummary,
	"session-state/*/" + partWorkspace, "session-state/*/" + partTodos, "session-state/*/" + partTodos + "-wal",
}

// Watch names the homes.
func (s *Source) Watch(ctx context.Context) []sources.WatchRoot {
	var roots []sources.WatchRoot
	for _, h := range s.cfg.homes() {
		if ctx.Err() != nil {
			return nil
		}
		roots = append(roots, sources.WatchRoot{Path: h.Root.Path, Files: watched})
		if dir := filepath.Dir(h.store); h.store != "" && dir != h.Root.Path { // a link leads to it
			roots = append(roots, sources.WatchRoot{Path: dir, Files: watched[:2]})
		}
	}
	return roots
}

// reading is one Read of a session under way.
type reading struct {
	files.Reading
	cfg   Config
	store *store

	log   facts
	start string // of the log, see eventlog.Reading
	known []int  // checkpoints that log or files know
	// poorer says that the log, or a file beside it, tells less than it may have told
	// before: so does what is made in its light.
	poorer bool
}

// facts are what the log says that decides how the derived layers are read.
type facts struct {
	read    bool
	prompt  string // the first one
	whole   bool   // nothing needs to be filled in from derived layers
	rewound bool
	fork    bool
}

// readSession reads the layers in order of authority; a later one is told what
// the earlier ones know.
func (s *Source) readSession(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{cfg: s.cfg, Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	r.CountBytes("")
	if p, ok := item.Part(partStore); ok {
		r.store = s.store(p.Path)
	}
	for _, layer := range []func(context.Context) error{r.readEvents, r.readSidecars, r.readPlan, r.readTodos, r.readRows} {
		if err := layer(ctx); err != nil {
			return sources.Reading{}, err
		}
	}
	if item.Scaffold && !slices.ContainsFunc(r.Out.Layers, speaksRows) {
		r.Out.Layers = nil // a folder and nothing in it
	}
	r.identify()
	return r.Out, ctx.Err()
}

// speaksRows tells whether a layer holds what was said, as rows of the store.
func speaksRows(l sources.Layer) bool {
	return l.Name == layerStore && l.Session != nil && len(l.Session.Turns)+len(l.Session.Checkpoints) > 0
}

// readEvents reads the event log, or the one file of the oldest layout.
func (r *reading) readEvents(ctx context.Context) error {
	part, read := partLog, eventlog.Read
	if _, ok := r.Item.Part(partLog); !ok {
		part, read = partLegacy, eventlog.ReadLegacy
	}
	return r.Layer(ctx, sources.Layer{Name: layerEvents, Rank: sources.RankLog}, part, func(la *sources.Layer, path string) error {
		log, err := read(ctx, path, sources.FoldUUID(sessionName(r.Item)))
		if err != nil {
			r.poorer = true
			return err
		}
		s := log.Session
		r.Unknown(log.Unknown)
		r.Out.Records += log.Records
		r.start, r.poorer = log.Start, log.Empty
		r.log = facts{read: true, prompt: firstPrompt(s.Turns), whole: s.Complete && len(s.Damage) == 0, rewound: s.Rewound, fork: s.Parent != ""}
		for _, c := range s.Checkpoints {
			r.known = append(r.known, c.Number)
		}
		s.Parent = forkedFrom(s.Parent, log.Start)
		la.Session, la.Provisional = s, r.poorer
		return nil
	})
}

// firstPrompt is the first prompt of the session itself, where it is a fork.
func firstPrompt(turns []sources.Turn) (first string) {
	for _, t := range turns {
		if strings.TrimSpace(t.User) != "" && (first == "" || !t.Inherited) {
			first = t.User
		}
		if first != "" && !t.Inherited {
			break
		}
	}
	return first
}

// identify gives the layers of a session whose name is no UUID the id that the
// best of them tells. Under what others tell, and under its bare name, it may have
// been known before.
func (r *reading) identify() {
	if r.Item.Session != "" || len(r.Out.Layers) == 0 {
		return
	}
	name := sessionName(r.Item)
	var ids []string
	for _, l := range r.Out.Layers {
		began := ""
		switch {
		case l.Session == nil:
		case l.Name == layerEvents:
			began = r.start // none where it is cut at its start
		default:
			began = createdAt(l.Session.Created)
		}
		if began != "" {
			ids = append(ids, namedID(name, began))
		}
	}
	ids = append(ids, namedID(name, r.Item.Key), bareID(name)) // where nothing tells, it is the one in this folder
	for _, l := range r.Out.Layers {
		if l.Session != nil {
			l.Session.ID, l.Session.Aliases = ids[0], otherIDs(ids[1:], ids[0])
		}
	}
	r.Out.Sessions, r.Out.Layers = []sources.SessionLayers{{ID: ids[0], Layers: r.Out.Layers}}, nil
}
