// Package geminicli reads the history that Gemini CLI keeps below its home, ~/.gemini: its
// chats, of one record a line or of one document, those of sub-agents, plans, memory and the
// lists of typed lines; and the transcripts and artifacts of its successor, Antigravity CLI
// (agy), which lie in the same home. Settings, credentials, the shadow repositories in history/
// and the databases of agy are never opened.
package geminicli

import (
	"io/fs"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

const (
	agentName   = "gemini-cli"      // the agent of sessions of Gemini CLI
	programName = "Gemini CLI"      // what people call the program
	agyName     = "antigravity-cli" // the agent of sessions of agy, and its folder in the home
	desktopName = "antigravity"     // that of sessions of the program with windows
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerChat       = agentName + "/chat"
	layerSubagents  = agentName + "/subagents"
	layerPlans      = agentName + "/plans"
	layerPrompts    = agentName + "/logs" // of sessions whose chats are gone
	layerMemory     = agentName + "/memory"
	layerTranscript = agentName + "/transcript" // of agy
	layerArtifacts  = agentName + "/artifacts"  // of agy
)

// Names of parts. A chat is named by its folder and file.
const (
	partRoot      = ".project_root"
	partProjects  = "projects.json"
	partLogs      = "logs.json"
	partMemory    = "GEMINI.md"
	foldPlans     = "plans/"
	partTyped     = "history.jsonl" // of agy
	partLast      = "cache/last_conversations.json"
	partFull      = "transcript_full.jsonl"
	partCut       = "transcript.jsonl"
	foldChunks    = "chunks/"
	foldArtifacts = "artifacts/"
)

// keptDays is after how many days Gemini CLI deletes a chat that is not used any more, unless
// its settings say otherwise. These are not read: keys stand in them.
const keptDays = 30

// Config says where to look and how much to take. The zero value looks nowhere.
type Config homes.Config

// home is one folder with the layout of ~/.gemini, and what was found in it.
type home struct {
	homes.Home
	tmp    string                    // real path of what lies there, empty where there is nothing or another home gave it
	chats  map[string][]chatFile     // by the beginnings of the ids of their sessions
	plans  map[string][]string       // folders of sessions, by the same
	places map[string][]sources.Part // what tells the folders of projects, by their names
	names  map[string]bool           // the beginnings of the ids of all sessions
	agents map[string]bool           // keys of the chats of sub-agents
	sealed int                       // conversations of agy without a transcript
}

// chatFile is a file with the chat of a session, or a part of it.
type chatFile struct {
	project, name string // of its folder and of itself
	path          string
	entry         fs.DirEntry
}

// lister begins a listing.
func lister() files.Lister { return files.Lister{Source: agentName, Program: programName} }

// homes finds the folders to read, in order of preference, each once.
func (c Config) homes() (all []*home) {
	seen := map[string]bool{}
	for path := range homes.Paths(homes.Config(c).Folders(agentName), seen) {
		h := &home{Home: homes.Home{Lister: lister()}, chats: map[string][]chatFile{}, plans: map[string][]string{}, names: map[string]bool{}, agents: map[string]bool{}, places: map[string][]sources.Part{}}
		h.Open(path, c.Home, seen, map[string]*string{"tmp": &h.tmp})
		all = append(all, h)
	}
	return all
}

// in is the path of something in the home.
func (h *home) in(name string) string { return files.Below(h.Root.Path, name) }

// shortID is the beginning of the id of a session by which the name of a chat tells it; ok says
// that it is a chat.
func shortID(name string) (short string, ok bool) {
	stem, ok := strings.CutSuffix(strings.TrimSuffix(name, "l"), ".json")
	at := len(stem) - shortSize
	if !ok || !strings.HasPrefix(stem, "session-") || at < len("session-") || stem[at-1] != '-' {
		return "", false
	}
	return stem[at:], true
}

const shortSize = 8

// short is that beginning of an id.
func short(id string) string { return id[:min(len(id), shortSize)] }
