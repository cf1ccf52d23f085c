// Package codexcli reads the history OpenAI Codex CLI keeps below its home, ~/.codex: the rollouts of its threads in every
// format it has used, the names it gave them, what it summed up and remembers, and the list of typed prompts. The format changes
// every few weeks and has no contract: it is told by content, never by version, what is unknown is counted, what is damaged is
// told, and the rest is read.
//
// Settings, logs, credentials and shell snapshots are never opened.
package codexcli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

const (
	agentName = "codex-cli" // of all sessions
	tested    = "0.169.0"   // the newest version whose rollouts the tests read
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

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of Codex CLI.
type Source struct {
	homes.Reader
	names sqlite.Pass[*nameList]
}

// New returns a reader; nothing is opened yet. The database changes all the time, and a new name is written into the index too.
func New(c Config) *Source {
	return &Source{Reader: homes.Reader{Config: c, Agent: agentName, Program: "Codex", Version: tested, Watched: []string{
		"sessions/*/*/*/rollout-*.jsonl", "sessions/rollout-*.json", "archived_sessions/rollout-*.jsonl", partIndex,
		"memories/*.md", "memories/rollout_summaries/*.md",
	}}}
}

// List finds the threads and what lies beside them, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	all, ids := s.found(ctx)
	for _, h := range all {
		h.list(ids)
	}
	return homes.Listing(ctx, all, nil)
}

type reading struct {
	files.Reading
	src *Source
}

// Read returns the layers of an item: a thread, the list of prompts, memories or summaries.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: s.Begin(item)}
	read := r.readMemories
	switch {
	case item.Kind == sources.KindSession:
		read = r.readThread
	case strings.HasSuffix(item.Key, keyPrompts):
		read = r.readPrompts
	case strings.HasSuffix(item.Key, keySummaries):
		read = r.readSummaries
	}
	return r.Done(ctx, read(ctx))
}

// Digest tells whether the name of a thread changed.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	list := s.nameList(ctx, item, p)
	if list.err != nil {
		return "", fmt.Errorf("look for names in %q: %w", p.Path, list.err)
	}
	return list.digest(item.Session), ctx.Err()
}

// Close ends a pass: names are looked at anew in the next one.
func (s *Source) Close() error { return s.names.Close() }

// Details tells of each home what only the first records of its rollouts tell.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	all, _ := s.found(ctx)
	return homes.Details(ctx, &s.Reader, all, func(h *home) (homes.Tally, error) {
		t, newest := homes.Tally{Counts: map[string]int{}}, ""
		for id, all := range h.threads {
			slices.SortFunc(all, rollout.compare)
			last, d := all[len(all)-1], firstOf(all[0].path)
			class, headless := classOf(&d)
			switch {
			case rootOf(&d, id) != "":
				t.Counts["thread of sub-agents, which stand in the note of the session that they worked for"]++
			case class == sources.Automatic:
				t.Counts["thread automatic: begun by another program"]++
			case headless:
				t.Counts["thread begun by codex exec"]++
			}
			if last.archived {
				t.Counts["thread archived"]++
			}
			if last.begun > newest && d.Version != "" {
				newest, t.Version = last.begun, d.Version
			}
		}
		return t, nil
	})
}
