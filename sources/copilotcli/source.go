package copilotcli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// Source reads the history of GitHub Copilot CLI. It implements sources.Source,
// sources.Digester, sources.Watcher and sources.Closer.
type Source struct {
	cfg Config

	mu     sync.Mutex
	stores map[string]*store // by path, opened when first asked in a pass
}

var (
	_ sources.Source   = (*Source)(nil)
	_ sources.Digester = (*Source)(nil)
	_ sources.Closer   = (*Source)(nil)
	_ sources.Watcher  = (*Source)(nil)
)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	return &Source{cfg: c, stores: map[string]*store{}}
}

// Name is "copilot-cli".
func (s *Source) Name() string { return agentName }

// List finds the sessions of every layout, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	homes, names := s.cfg.found()
	var out sources.Listing
	for _, h := range homes {
		if err := h.list(ctx, names); err != nil {
			return sources.Listing{}, err
		}
		out.Roots = append(out.Roots, h.root)
		out.Items = append(out.Items, h.items...)
		out.Problems = append(out.Problems, h.problems...)
	}
	slices.SortFunc(out.Items, func(a, b sources.Item) int { return strings.Compare(a.Key, b.Key) })
	return out, nil
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
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, st := range s.stores {
		err = errors.Join(err, st.Close())
	}
	clear(s.stores)
	return err
}

func (s *Source) store(path string) *store {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stores[path] == nil {
		s.stores[path] = &store{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.cfg.TempDir}}
	}
	return s.stores[path]
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
		roots = append(roots, sources.WatchRoot{Path: h.root.Path, Files: watched})
		if dir := filepath.Dir(h.store); h.store != "" && dir != h.root.Path { // a link leads to it
			roots = append(roots, sources.WatchRoot{Path: dir, Files: watched[:2]})
		}
	}
	return roots
}
