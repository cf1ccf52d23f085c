// Package codexcli reads the history OpenAI Codex CLI keeps below its home, ~/.codex: the
// rollouts of its threads in every format it has used, the names it gave them, what it
// summed up and remembers, and the list of typed prompts. The format changes every few
// weeks and has no contract: it is told by content, never by version, what is unknown is
// counted, what is damaged is told, and the rest is read.
//
// Settings, logs, credentials and shell snapshots are never opened.
package codexcli

import (
	"strconv"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

const (
	agentName   = "codex-cli" // the agent of all sessions
	programName = "Codex"     // what people call the program
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerRollout   = agentName + "/rollout"
	layerNames     = agentName + "/names"
	layerAgents    = agentName + "/subagents"
	layerSummaries = agentName + "/summaries"
	layerMemories  = agentName + "/memories"
	layerPrompts   = agentName + "/history"
)

// Names of parts. A rollout is named by its file, without the suffix of an archive.
const (
	partState   = "state"
	partIndex   = "session_index.jsonl"
	partPrompts = "history.jsonl"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config homes.Config

// home is one folder with the layout of ~/.codex, and what was found in it.
type home struct {
	homes.Home
	threads map[string]*thread
}

// lister begins a listing.
func lister() files.Lister { return files.Lister{Source: agentName, Program: programName} }

// homes finds the folders to read, in order of preference, each once.
func (c Config) homes() (all []*home) {
	for path := range homes.Distinct(homes.Config(c).Folders(agentName)) {
		h := &home{Home: homes.Home{Lister: lister()}, threads: map[string]*thread{}}
		h.Open(path, c.Home, nil, nil)
		all = append(all, h)
	}
	return all
}

// in is the path of something in the home, empty where there is no home.
func (h *home) in(name string) string {
	if !h.Root.Found || name == "" {
		return ""
	}
	return files.Below(h.Root.Path, name)
}

// stateFile is a database of threads, whose name tells the version of its tables: 5 in 0.169.
var stateFile = pattern.Lazy(`^state_(\d{1,6})\.sqlite$`)

// stateName is the database of the newest version, empty where there is none.
func (h *home) stateName() (newest string) {
	version := -1
	for _, e := range h.ReadDir(h.Tag, h.in(".")) {
		if m := stateFile().FindStringSubmatch(e.Name()); m != nil {
			if n, _ := strconv.Atoi(m[1]); n > version {
				newest, version = e.Name(), n
			}
		}
	}
	return newest
}
