// Package opencode reads the history that opencode keeps below ~/.local/share/opencode: one
// database with the sessions of all projects, in the tables of version 1 and of version 2, and
// the store of JSON files that versions before 1.2 wrote. A session is read from one place,
// however many hold it.
//
// List has to open the databases: nothing but a table tells which sessions there are. It reads
// the ids, the times and whether there are messages. Of a database these tables are read and no
// others: session, session_v2, message, part, session_message, todo, event, event_sequence.
// Those of accounts, credentials and shared links are never touched, nor are auth.json,
// mcp-auth.json, logs and the snapshots of work trees opened.
package opencode

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

const (
	agentName   = "opencode" // the agent of all sessions
	programName = "opencode" // what people call the program
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerSession = agentName + "/session"
	layerAgents  = agentName + "/subagents"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config homes.Config

// home is one folder with the layout of ~/.local/share/opencode, and what was found in it.
type home struct {
	homes.Home
	found map[string]*place // by session
}

// lister begins a listing.
func lister() files.Lister { return files.Lister{Source: agentName, Program: programName} }

// homes finds the folders to read, in order of preference, each once.
func (c Config) homes() (all []*home) {
	for path := range homes.Distinct(homes.Config(c).Folders(agentName)) {
		h := &home{Home: homes.Home{Lister: lister()}, found: map[string]*place{}}
		h.Open(path, c.Home, nil, nil)
		all = append(all, h)
	}
	return all
}

// isDatabase tells the databases of all channels: opencode.db, opencode-beta.db.
func isDatabase(name string) bool {
	stem, ok := strings.CutSuffix(name, ".db")
	return ok && (stem == "opencode" || strings.HasPrefix(stem, "opencode-"))
}

// databases names those of a home, in the order of their names.
func (h *home) databases() (names []string) {
	if !h.Root.Found {
		return nil
	}
	for _, e := range h.ReadDir(h.Tag, h.Root.Path) {
		if isDatabase(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// place is where a session is read: a database, or the file of a session in the JSON store.
type place struct {
	database *sources.Part
	updated  int64 // as the database has it
	spoken   bool  // there are messages
	file     string
}

// betterThan prefers a database that has messages, then the one that was written last.
func (p *place) betterThan(o *place) bool {
	if o == nil || p.spoken != o.spoken {
		return o == nil || p.spoken
	}
	return p.updated > o.updated
}
