// Package codexcli reads the history OpenAI Codex CLI keeps below its home, ~/.codex: the
// rollouts of its threads in every format it has used, the names it gave them, what it
// summed up and remembers, and the list of typed prompts. The format changes every few
// weeks and has no contract: it is told by content, never by version, what is unknown is
// counted, what is damaged is told, and the rest is read.
//
// Settings, logs, credentials and shell snapshots are never opened.
package codexcli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
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
type Config struct {
	Homes    []string // homes to read, as given by the user
	Defaults bool     // also read the place that Codex uses by itself

	Env  func(string) string // looks up environment variables; nil: none is set
	Home string              // the user's home folder
	GOOS string              // operating system the default place is that of

	TempDir string // for copies of databases; "" means the system's

	PromptOnly bool // yield sessions of which only the list of typed prompts is left
}

// home is one folder with the layout of ~/.codex, and what was found in it.
type home struct {
	root    sources.Root
	tag     string // stands for the folder in keys: the same on every machine where it can be
	threads map[string]*thread
	files.Lister
}

// lister begins a listing.
func lister() files.Lister { return files.Lister{Source: agentName, Program: programName} }

// homes finds the folders to read, in order of preference, each once.
func (c Config) homes() (all []*home) {
	bases := slices.Clone(c.Homes)
	if own := c.Env("CODEX_HOME"); c.Defaults && own != "" {
		bases = append(bases, own)
	} else if c.Defaults && c.Home != "" {
		bases = append(bases, filepath.Join(c.Home, ".codex"))
	}
	seen := map[string]bool{} // by real paths
	for _, base := range bases {
		path, err := filepath.Abs(base)
		if err != nil {
			continue
		}
		real := path
		if to, err := filepath.EvalSymlinks(path); err == nil {
			real = to
		}
		if !seen[real] {
			seen[real] = true
			all = append(all, c.home(path))
		}
	}
	return all
}

// home looks at a folder.
func (c Config) home(path string) *home {
	h := &home{root: sources.Root{Path: path}, Lister: lister(), threads: map[string]*thread{}}
	h.tag = words.PathTag(path, c.Home, strings.TrimPrefix(filepath.Base(path), "."))
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		h.root.Found = true
	case err == nil:
		h.root.Why = "not a folder"
	default:
		if h.root.Why = files.WhyMissing(err); !errors.Is(err, fs.ErrNotExist) {
			h.Problem(h.tag, path, err)
		}
	}
	return h
}

// in is the path of something in the home, empty where there is no home.
func (h *home) in(name string) string {
	if !h.root.Found || name == "" {
		return ""
	}
	return files.Below(h.root.Path, name)
}

// stateFile is a database of threads, whose name tells the version of its tables: 5 in 0.169.
var stateFile = regexp.MustCompile(`^state_(\d{1,6})\.sqlite$`)

// stateName is the database of the newest version, empty where there is none.
func (h *home) stateName() (newest string) {
	version := -1
	for _, e := range h.ReadDir(h.tag, h.in(".")) {
		if m := stateFile.FindStringSubmatch(e.Name()); m != nil {
			if n, _ := strconv.Atoi(m[1]); n > version {
				newest, version = e.Name(), n
			}
		}
	}
	return newest
}
