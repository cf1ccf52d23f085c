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
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

const (
	agentName   = "gemini-cli"      // the agent of sessions of Gemini CLI
	programName = "Gemini CLI"      // what people call the program
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
type Config homes.Config

// Source reads the history of Gemini CLI and of its successor. It implements sources.Source, sources.Digester,
// sources.Watcher, sources.Detailer, sources.Tester and sources.Closer.
type Source struct {
	cfg Config

	mu    sync.Mutex
	lists map[sources.Part]list // by their paths and stamps, read when first asked in a pass
	names map[string]bool       // beginnings of the ids of the sessions that have a chat; nil: nobody looked yet
}

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c, lists: map[sources.Part]list{}} }

// Name is "gemini-cli".
func (s *Source) Name() string { return agentName }

// Tested is the newest version whose files the tests read.
func (s *Source) Tested() string { return tested }

// List finds the sessions and what lies beside them, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	homes, names, err := s.cfg.listed(ctx)
	if err != nil {
		return sources.Listing{}, err
	}
	s.mu.Lock()
	s.names = names
	s.mu.Unlock()
	var out files.Lister
	for _, h := range homes {
		h.AddTo(&out)
	}
	return out.Finish(""), nil
}

// Read returns what the files of an item say.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	r := &reading{src: s, Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	r.CountBytes("")
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
	if err := read(ctx); err != nil {
		return sources.Reading{}, err
	}
	return r.Out, ctx.Err()
}

// reading is one Read of an item under way.
type reading struct {
	files.Reading
	src *Source
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
		_, s.names, err = s.cfg.listed(ctx)
	}
	return s.names, err
}

// Watch names the homes, and what in them is worth a look when it changes.
func (s *Source) Watch(context.Context) (roots []sources.WatchRoot) {
	for _, h := range s.cfg.homes() {
		roots = append(roots, sources.WatchRoot{Path: h.Root.Path, Files: []string{"tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json", partMemory,
			desktopName + "*/brain/*/.system_generated/logs/transcript*.jsonl", desktopName + "*/brain/*/*.md"}})
	}
	return roots
}

// Details tells of each home what is in it of other kinds than sessions of Gemini CLI.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	all, names, err := s.cfg.listed(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, h := range all {
		var agents, conversations, gone int
		for _, it := range h.Out.Items {
			switch _, isLogs := it.Part(partLogs); {
			case it.Session != "":
				conversations++
			case strings.HasPrefix(it.Key, h.Tag+"/agent/"):
				agents++
			case isLogs && it.Kind == sources.KindMemory:
				r := &reading{src: &Source{lists: map[sources.Part]list{}, names: names}, Reading: files.Reading{Item: it}}
				if err := r.prompts(ctx); err == nil { // else List and Read tell of it
					gone += len(r.Out.RowsOnly)
				}
			}
		}
		count := func(n int, noun, rest string) {
			if n > 0 {
				out[h.Root.Path] = append(out[h.Root.Path], words.Count(n, noun)+rest)
			}
		}
		count(agents, "chat", " of a sub-agent")
		count(conversations, "conversation", " of Antigravity")
		count(h.sealed, "conversation", " of Antigravity without a transcript")
		count(gone, "session", " with nothing but typed lines left")
	}
	return out, ctx.Err()
}
