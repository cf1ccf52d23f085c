// Package copilotcli reads the history GitHub Copilot CLI keeps below its home,
// ~/.copilot: the event log of each session, what lies beside it, and the store
// derived from the logs, in every layout the CLI has used. The format has no
// stability contract, so it is read leniently: what is unknown is counted, what
// is damaged is told, and the rest is read.
//
// Settings, logs, credentials and backups are never opened.
package copilotcli

import (
	"context"
	"fmt"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

const (
	agentName = "copilot-cli" // of all sessions
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
type Config struct {
	Homes    []string // homes to read, as given by the user
	Defaults bool     // also read the places the CLI uses by itself

	Env  func(string) string // looks up environment variables; nil: none is set
	Home string              // the user's home folder
	GOOS string              // operating system the default places are those of

	TempDir string // for copies of databases; "" means the system's

	StoreOnly bool // yield sessions of which only rows of the store are left
}

// Source reads the history of GitHub Copilot CLI.
type Source struct {
	homes.Reader
	storeOnly bool
	stores    sqlite.Pass[*store]
}

// New returns a reader; nothing is opened yet. What an agent keeps in folders of a session comes with a line in its log.
func New(c Config) *Source {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	return &Source{storeOnly: c.StoreOnly, Reader: homes.Reader{
		Config: homes.Config{Home: c.Home, TempDir: c.TempDir}, Further: c.homes, Agent: agentName, Program: "the CLI", Version: tested,
		Watched: []string{
			"session-store.db", "session-store.db-wal",
			"history-session-state/session_*.json",
			"session-state/*.jsonl", "session-state/*/" + partLog, "session-state/*/" + partPlan, "session-state/*/" + partSummary,
			"session-state/*/" + partWorkspace, "session-state/*/" + partTodos, "session-state/*/" + partTodos + "-wal",
		},
	}}
}

// List finds the sessions of every layout, by folder walks and stat alone.
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

// Digest returns a value that changes when what the store says of an item does.
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
		return homes.Tally{Version: versionIn(log)}, nil
	})
}

// versionIn returns the version that the first line of a log names; empty: none. One that is
// embedded elsewhere says "unknown".
func versionIn(log string) string {
	f, _, err := files.OpenLog(log)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := files.NewLines(f, 64<<10)
	defer lines.Release()
	lines.Next()
	line, err := lines.Bytes()
	var start struct {
		Data struct {
			Version string `json:"copilotVersion"`
		} `json:"data"`
	}
	if err != nil || decode.Text(string(line), &start) != nil {
		return ""
	}
	return start.Data.Version
}
