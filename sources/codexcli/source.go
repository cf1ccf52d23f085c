package codexcli

import (
	"context"
	"fmt"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Source reads the history of Codex CLI. It implements sources.Source, sources.Digester,
// sources.Watcher, sources.Detailer, sources.Tester and sources.Closer.
type Source struct {
	cfg Config

	mu    sync.Mutex
	names map[string]*nameList // by path, read when first asked in a pass
}

var (
	_ sources.Source   = (*Source)(nil)
	_ sources.Digester = (*Source)(nil)
	_ sources.Closer   = (*Source)(nil)
	_ sources.Watcher  = (*Source)(nil)
	_ sources.Detailer = (*Source)(nil)
	_ sources.Tester   = (*Source)(nil)
)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source {
	return &Source{cfg: c, names: map[string]*nameList{}}
}

// Name is "codex-cli".
func (s *Source) Name() string { return agentName }

// List finds the threads and what lies beside them, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	homes, ids, err := s.cfg.found(ctx)
	if err != nil {
		return sources.Listing{}, err
	}
	out := lister()
	for _, h := range homes {
		h.list(ids)
		h.AddTo(&out)
	}
	return out.Finish(""), ctx.Err()
}

// Read returns the layers of an item: a thread, the list of prompts, memories or summaries.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	r := &reading{src: s, Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	r.CountBytes("")
	var err error
	if item.Kind == sources.KindMemory {
		err = r.readMemory(ctx)
	} else {
		err = r.readThread(ctx)
	}
	if err != nil {
		return sources.Reading{}, err
	}
	return r.Out, ctx.Err()
}

// reading is one Read of an item under way.
type reading struct {
	files.Reading
	src *Source
}

// Digest tells whether the name of a thread changed.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	list, err := s.nameList(ctx, item, p)
	if err != nil {
		return "", fmt.Errorf("look for names in %q: %w", p.Path, err)
	}
	return list.digest(item.Session), nil
}

// Close ends a pass: names are looked at anew in the next one.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.names)
	return nil
}

// nameList gives the names that a shared part has, read once for each of its stamps.
func (s *Source) nameList(ctx context.Context, item sources.Item, p sources.Part) (*nameList, error) {
	s.mu.Lock()
	list := s.names[p.Path]
	if list == nil || list.stamp != p.Stamp {
		list = &nameList{stamp: p.Stamp}
		s.names[p.Path] = list
	}
	s.mu.Unlock()
	return list, list.read(ctx, p.Name == partState, item.File(p), s.cfg.TempDir)
}

// watched are the patterns of what is worth a look when it changes. The database changes all
// the time, and a new name is written into the index too.
var watched = []string{
	"sessions/*/*/*/rollout-*.jsonl", "sessions/rollout-*.json", "archived_sessions/rollout-*.jsonl", partIndex,
	"memories/*.md", "memories/rollout_summaries/*.md",
}

// Watch names the homes.
func (s *Source) Watch(context.Context) (roots []sources.WatchRoot) {
	for _, h := range s.cfg.homes() {
		roots = append(roots, sources.WatchRoot{Path: h.Root.Path, Files: watched})
	}
	return roots
}
