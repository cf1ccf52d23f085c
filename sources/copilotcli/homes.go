// Package copilotcli reads the history GitHub Copilot CLI keeps below its home,
// ~/.copilot: the event log of each session, what lies beside it, and the store
// derived from the logs, in every layout the CLI has used. The format has no
// stability contract, so it is read leniently: what is unknown is counted, what
// is damaged is told, and the rest is read.
//
// Settings, logs, credentials and backups are never opened.
package copilotcli

import (
	"path/filepath"
	"slices"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

// home is one folder with the layout of ~/.copilot, and what was found in it.
type home struct {
	homes.Home
	// Paths, empty where there is nothing or another home gave it already.
	sessions string // session-state/
	legacy   string // history-session-state/
	store    string // session-store.db

	found []candidate
}

// lister begins a listing.
func lister() files.Lister { return files.Lister{Source: agentName, Program: programName} }

// homes finds the folders to read, in order of preference, each once. The folder state/
// in a home is a home as well, and not worth a word where it is not there.
func (c Config) homes() (all []*home) {
	bases := slices.Clone(c.Homes)
	if c.Defaults {
		bases = append(bases, c.defaults()...)
	}
	seen := map[string]bool{} // folders and what is in them, by real paths
	for path := range homes.Paths(bases, seen) {
		all = append(all, c.home(path, seen))
		if state := c.home(filepath.Join(path, "state"), seen); state.Root.Found && (state.holds() || len(state.Out.Problems) > 0) {
			all = append(all, state)
		}
	}
	return all
}

// home looks at a folder. What another home already gave, by its real path, is left empty.
func (c Config) home(path string, seen map[string]bool) *home {
	h := &home{Home: homes.Home{Lister: lister()}}
	h.Open(path, c.Home, seen, map[string]*string{"session-state": &h.sessions, "history-session-state": &h.legacy, "session-store.db": &h.store})
	return h
}

// holds tells whether there is anything in a home.
func (h *home) holds() bool { return h.sessions+h.legacy+h.store != "" }

// defaults are the homes of the CLI: the present one, and where its state lay
// before version 1.0 under the XDG variables.
func (c Config) defaults() (d []string) {
	if h := c.Env("COPILOT_HOME"); h != "" {
		d = append(d, h)
	} else if c.Home != "" {
		d = append(d, filepath.Join(c.Home, ".copilot"))
	}
	for _, v := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		if x := c.Env(v); filepath.IsAbs(x) {
			d = append(d, filepath.Join(x, ".copilot"))
		}
	}
	if c.GOOS != "windows" && c.Home != "" {
		d = append(d, filepath.Join(c.Home, ".local", "state", ".copilot"))
	}
	return d
}

const (
	agentName   = "copilot-cli" // the agent of all sessions
	programName = "the CLI"     // what people call the program
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
