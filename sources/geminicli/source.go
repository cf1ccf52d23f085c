package geminicli

import (
	"context"
	"fmt"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// tested is the newest version of Gemini CLI whose chats the tests read.
const tested = "0.61.0"

// Source reads the history of Gemini CLI and of its successor. It implements sources.Source,
// sources.Digester, sources.Watcher, sources.Detailer, sources.Tester and sources.Closer.
type Source struct {
	cfg Config

	mu    sync.Mutex
	lists map[string]*list // by path, read when first asked in a pass
	names map[string]bool  // beginnings of the ids of sessions, as List found them; nil: it did not yet
}

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c, lists: map[string]*list{}} }

// Name is "gemini-cli".
func (s *Source) Name() string { return agentName }

// Tested is the newest version whose files the tests read.
func (s *Source) Tested() string { return tested }

// List finds the sessions and what lies beside them, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	out := lister()
	homes, names, err := s.cfg.listed(ctx)
	if err != nil {
		return sources.Listing{}, err
	}
	s.mu.Lock()
	s.names = names
	s.mu.Unlock()
	for _, h := range homes {
		h.AddTo(&out)
	}
	return out.Finish(""), nil
}

// Read returns what the files of an item say.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	r := &reading{src: s, Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	r.CountBytes("")
	_, isMemory := item.Part(partMemory)
	_, isLogs := item.Part(partLogs)
	var err error
	switch {
	case item.Session != "":
		r.conversation(ctx)
	case item.Kind == sources.KindSession:
		err = r.session(ctx)
	case isMemory:
		err = r.memory()
	case isLogs:
		err = r.prompts(ctx)
	default:
		err = r.subagent(ctx)
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

// give adds layers of a session that the item does not name.
func (r *reading) give(id string, layers ...sources.Layer) {
	for _, la := range layers {
		la.Session.ID, la.Session.Agent = id, agentName
		files.SetUpdated(la.Session)
	}
	r.Out.Sessions = append(r.Out.Sessions, sources.SessionLayers{ID: id, Layers: layers})
}

// Digest tells whether what a shared part says of an item changed.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	l, err := s.list(ctx, item, p)
	if err != nil {
		return "", fmt.Errorf("look into %q: %w", p.Path, err)
	}
	return l.digest(keyIn(item, part)), nil
}

// Close ends a pass: lists are looked at anew in the next one.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.lists)
	s.names = nil
	return nil
}

// known are the beginnings of the ids of the sessions that have a chat.
func (s *Source) known(ctx context.Context) (map[string]bool, error) {
	s.mu.Lock()
	names := s.names
	s.mu.Unlock()
	if names != nil {
		return names, nil
	}
	_, names, err := s.cfg.listed(ctx)
	return names, err
}

// watched are the patterns of what is worth a look when it changes.
var watched = []string{
	"tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json", partMemory,
	desktopName + "*/brain/*/.system_generated/logs/transcript*.jsonl", desktopName + "*/brain/*/*.md",
}

// Watch names the homes.
func (s *Source) Watch(ctx context.Context) (roots []sources.WatchRoot) {
	for _, h := range s.cfg.homes() {
		if ctx.Err() != nil {
			return nil
		}
		roots = append(roots, sources.WatchRoot{Path: h.Root.Path, Files: watched})
	}
	return roots
}
