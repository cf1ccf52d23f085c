package opencode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// tested is the newest version of opencode whose database the tests read.
const tested = "1.18.34"

// Source reads the history of opencode. It implements sources.Source, sources.Digester,
// sources.Watcher, sources.Detailer, sources.Tester and sources.Closer.
type Source struct {
	cfg       Config
	databases sqlite.Pass[*database]
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
func New(c Config) *Source { return &Source{cfg: c} }

// Name is "opencode".
func (s *Source) Name() string { return agentName }

// Tested is the newest version whose database the tests read.
func (s *Source) Tested() string { return tested }

// List finds the sessions of all databases, and those that only files hold.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	out := lister()
	for _, h := range s.cfg.homes() {
		h.list(ctx, s.cfg.TempDir)
		h.AddTo(&out)
	}
	if err := ctx.Err(); err != nil {
		return sources.Listing{}, err
	}
	return out.Finish(""), nil
}

// Read returns the layer of a session. That of a sub-agent's is one of the session it worked for.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	r := &reading{Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	if _, err := os.Stat(item.Path); err != nil { // a database may be open and gone
		return sources.Reading{}, fmt.Errorf("read %q: %w", item.Path, err)
	}
	var err error
	if p, ok := databaseOf(item); ok {
		err = s.database(p.Path).read(ctx, func(db *sqlite.DB) error { return r.read(ctx, &tables{DB: db}) })
	} else {
		err = r.read(ctx, jsonStore{folder: filepath.Join(item.Root, "storage")})
	}
	if err != nil {
		return sources.Reading{}, fmt.Errorf("read session %q in %q: %w", item.Session, item.Path, err)
	}
	return r.Out, ctx.Err()
}

// databaseOf is the part of an item that is a database.
func databaseOf(item sources.Item) (sources.Part, bool) {
	for _, p := range item.Parts {
		if p.Shared {
			return p, true
		}
	}
	return sources.Part{}, false
}

// Digest tells whether what a database says of a session changed.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	digests, err := s.database(p.Path).allDigests(ctx)
	if err != nil {
		return "", fmt.Errorf("look for changes in %q: %w", p.Path, err)
	}
	return digests[item.Session], nil
}

// Close ends a pass: databases are closed, and looked at anew in the next one.
func (s *Source) Close() error { return s.databases.Close() }

func (s *Source) database(path string) *database {
	return s.databases.At(path, func() *database { return &database{Snapshot: sqlite.Snapshot{Path: path, TempDir: s.cfg.TempDir}} })
}

// watched are the patterns of what is worth a look when it changes.
var watched = []string{"opencode.db", "opencode.db-wal", "opencode-*.db", "opencode-*.db-wal", "storage/session/*/*.json", "storage/message/*/*.json"}

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
