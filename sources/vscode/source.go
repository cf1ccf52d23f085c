package vscode

import (
	"context"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// Names that stand in notes and never change.
const (
	sourceName = "vscode"
	agentName  = "vscode-copilot"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config struct {
	UserDirs []string // user folders to read, as given by the user
	Exports  []string // files and folders made by "Chat: Export Chat…"
	Defaults bool     // also read the user folder of every edition

	Env  func(string) string // looks up environment variables; nil: none is set
	Home string              // the user's home folder
	GOOS string              // operating system the default places are those of

	TempDir string // for copies of databases; "" means the system's

	StoreOnly bool // yield sessions of which only rows of the store are left
	Images    bool // keep the bytes of images that were added to a prompt
}

// Source reads the history of Copilot Chat. It implements sources.Source,
// sources.Closer, sources.Watcher and sources.Detailer.
type Source struct {
	cfg Config

	mu         sync.Mutex
	listed     map[string]bool            // ids of the sessions of the last List
	workspaces map[sources.Part]workspace // what was read in this pass
}

var (
	_ sources.Source   = (*Source)(nil)
	_ sources.Closer   = (*Source)(nil)
	_ sources.Watcher  = (*Source)(nil)
	_ sources.Detailer = (*Source)(nil)
)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	return &Source{cfg: c, workspaces: map[sources.Part]workspace{}}
}

// Name is "vscode".
func (*Source) Name() string { return sourceName }

// Read returns the layers of an item. Most items are a session; the others name
// theirs only inside: an index, a store, an export, memory that is shared.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	if item.Session == "" {
		return s.readMultiSession(ctx, item)
	}
	return s.readSession(ctx, item)
}

// Close forgets what was remembered for the length of a pass.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.workspaces)
	return nil
}

// workspace is what a workspace.json says, or why it says nothing.
type workspace struct {
	place sources.Place
	err   error
}

// workspace reads the file that tells the folder of a storage, once a pass for
// all its sessions.
func (s *Source) workspace(p sources.Part) (sources.Place, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.workspaces[p]
	if !ok {
		read, err := places.ReadWorkspace(p.Path)
		w = workspace{place: read.Place(), err: err}
		s.workspaces[p] = w
	}
	return w.place, w.err
}

// listedSessions are the ids of the last List, which is made up for where there
// was none.
func (s *Source) listedSessions(ctx context.Context) (map[string]bool, error) {
	s.mu.Lock()
	listed := s.listed
	s.mu.Unlock()
	if listed != nil {
		return listed, nil
	}
	if _, err := s.List(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed, nil
}
