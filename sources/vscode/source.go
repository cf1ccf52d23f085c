package vscode

import (
	"context"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
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
// sources.Watcher and sources.Detailer.
type Source struct {
	cfg Config

	mu     sync.Mutex
	listed map[string]bool // ids of the sessions of the last List
}

var (
	_ sources.Source   = (*Source)(nil)
	_ sources.Watcher  = (*Source)(nil)
	_ sources.Detailer = (*Source)(nil)
)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c} }

// Name is "vscode".
func (*Source) Name() string { return sourceName }

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
