// Package geminicli reads the history that Gemini CLI keeps below its home, ~/.gemini: its chats, of one record a
// line or of one document, those of sub-agents, plans, memory and the lists of typed lines; and the transcripts and
// artifacts of its successor, Antigravity CLI (agy), which lie in the same home. Settings, credentials, the shadow
// repositories in history/ and the databases of agy are never opened.
package geminicli

import (
	"context"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

const (
	agentName   = "gemini-cli"      // the agent of sessions of Gemini CLI
	agyName     = "antigravity-cli" // the agent of sessions of agy, and its folder in the home
	desktopName = "antigravity"     // that of sessions of the program with windows
	tested      = "0.61.0"          // the newest version whose chats the tests read
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

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of Gemini CLI and of its successor.
type Source struct {
	homes.Reader

	mu    sync.Mutex
	lists map[sources.Part]list // by their paths and stamps, read when first asked in a pass
	names map[string]bool       // beginnings of the ids of the sessions that have a chat; nil: nobody looked yet
}

// New returns a reader; nothing is opened yet.
func New(c Config) *Source {
	return &Source{lists: map[sources.Part]list{}, Reader: homes.Reader{Config: c, Agent: agentName, Program: "Gemini CLI", Version: tested, Watched: []string{
		"tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json", partMemory,
		desktopName + "*/brain/*/.system_generated/logs/transcript*.jsonl", desktopName + "*/brain/*/*.md",
	}}}
}

// List finds the sessions and what lies beside them, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	all, names, err := s.listed(ctx)
	s.mu.Lock()
	s.names = names
	s.mu.Unlock()
	return homes.Listing(ctx, all, err)
}

type reading struct {
	files.Reading
	src *Source
}

// Read returns what the files of an item say.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: s.Begin(item)}
	_, isMemory := item.Part(partMemory)
	_, isLogs := item.Part(partLogs)
	read := r.subagent
	switch {
	case item.Session != "":
		read = r.conversation
	case item.Kind == sources.KindSession:
		read = r.session
	case isMemory:
		read = r.memory
	case isLogs:
		read = r.prompts
	}
	return r.Done(ctx, read(ctx))
}

// Close ends a pass: lists are looked at anew in the next one.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.lists)
	s.names = nil
	return nil
}

// known returns the beginnings of the ids of the sessions that have a chat.
func (s *Source) known(ctx context.Context) (names map[string]bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		_, s.names, err = s.listed(ctx)
	}
	return s.names, err
}

// Details tells of each home what is in it of other kinds than sessions of Gemini CLI.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	all, names, err := s.listed(ctx)
	if err != nil {
		return nil, err
	}
	return homes.Details(ctx, &s.Reader, all, func(h *home) (homes.Tally, error) {
		n := map[string]int{"conversation of Antigravity without a transcript": h.sealed}
		for _, it := range h.Out.Items {
			switch _, isLogs := it.Part(partLogs); {
			case it.Session != "":
				n["conversation of Antigravity"]++
			case strings.HasPrefix(it.Key, h.Tag+"/agent/"):
				n["chat of a sub-agent"]++
			case isLogs && it.Kind == sources.KindMemory:
				r := &reading{src: &Source{lists: map[sources.Part]list{}, names: names}, Reading: files.Reading{Item: it}}
				if err := r.prompts(ctx); err == nil { // else List and Read tell of it
					n["session with nothing but typed lines left"] += len(r.Out.RowsOnly)
				}
			}
		}
		return homes.Tally{Counts: n}, nil
	})
}
