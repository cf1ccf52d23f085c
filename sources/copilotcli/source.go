package copilotcli

import (
	"context"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
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

// Config says where to look and how much to take. The zero value looks nowhere.
type Config struct {
	Homes    []string // homes to read, as given by the user
	Defaults bool     // also read the places the CLI uses by itself

	Env  func(string) string // looks up environment variables; nil: none is set
	Home string              // the user's home folder
	GOOS string              // operating system the default places are those of

	TempDir string // for copies of databases; "" means the system's

	StoreOnly    bool  // yield sessions of which only rows of the store are left
	MaxArtifact  int64 // bytes of a saved file that are read; 0 means 1 MiB
	MaxArtifacts int   // saved files of a session that are looked at; 0 means 200
}

// Source reads the history of GitHub Copilot CLI. It implements sources.Source,
// sources.Digester, sources.Watcher and sources.Closer.
type Source struct {
	cfg     Config
	windows files.Windows

	mu     sync.Mutex
	stores map[string]*store     // by path, opened when first asked in a pass
	caches map[string]*metaCache // bulk metadata of VS Code, by path
	listed map[string]bool       // session names of the last List, see nameOf
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
	if c.MaxArtifact <= 0 {
		c.MaxArtifact = 1 << 20
	}
	if c.MaxArtifacts <= 0 {
		c.MaxArtifacts = 200
	}
	return &Source{cfg: c, stores: map[string]*store{}, caches: map[string]*metaCache{}}
}

// Name is "copilot-cli".
func (s *Source) Name() string { return agentName }

// Read returns the layers of an item. The two kinds of items are a session and a
// store as a whole (memory of repositories and rows without a folder).
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	if item.Kind == sources.KindMemory {
		return s.readMultiSession(ctx, item)
	}
	return s.readSession(ctx, item)
}

// Digest tells whether what a shared part says of an item changed: the store,
// or the metadata VS Code keeps of all sessions in one file.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	switch {
	case part == partCache:
		return s.cache(p.Path).digest(item), nil
	case item.Kind == sources.KindMemory:
		return digestOf(p.Stamp), nil // reading it is as much work as asking
	default:
		return s.store(p.Path).digest(ctx, sessionName(item), hasLog(item))
	}
}

// Close ends a pass: databases are closed, and looked at anew in the next one.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, st := range s.stores {
		if cerr := st.close(); cerr != nil {
			err = cerr
		}
	}
	clear(s.stores)
	clear(s.caches)
	return err
}

func (s *Source) store(path string) *store {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stores[path]
	if st == nil {
		st = &store{path: path, tempDir: s.cfg.TempDir}
		s.stores[path] = st
	}
	return st
}
