// Package codexcli reads the history OpenAI Codex CLI keeps below its home, ~/.codex: the rollouts of its threads in every
// format it has used, the names it gave them, what it summed up and remembers, and the list of typed prompts. The format changes
// every few weeks and has no contract: it is told by content, never by version, what is unknown is counted, what is damaged is
// told, and the rest is read.
//
// Settings, logs, credentials and shell snapshots are never opened.
package codexcli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

const (
	agentName   = "codex-cli" // the agent of all sessions
	programName = "Codex"     // what people call the program
	tested      = "0.169.0"   // the newest version whose rollouts the tests read
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
type Config homes.Config

// Source reads the history of Codex CLI.
type Source struct {
	cfg   Config
	names sqlite.Pass[*nameList]
}

var _ interface {
	sources.Source
	sources.Digester
	sources.Closer
	sources.Watcher
	sources.Detailer
	sources.Tester
} = (*Source)(nil)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c} }

// Name is "codex-cli".
func (s *Source) Name() string { return agentName }

// Tested is the newest version whose rollouts the tests read.
func (s *Source) Tested() string { return tested }

// List finds the threads and what lies beside them, by folder walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	all, ids, err := s.cfg.found(ctx)
	if err != nil {
		return sources.Listing{}, err
	}
	var out files.Lister
	for _, h := range all {
		h.list(ids)
		h.AddTo(&out)
	}
	return out.Finish(""), ctx.Err()
}

// reading is one Read of an item under way.
type reading struct {
	files.Reading
	src *Source
}

// Read returns the layers of an item: a thread, the list of prompts, memories or summaries.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	r.CountBytes("")
	err := ctx.Err()
	switch {
	case err != nil:
	case item.Kind == sources.KindSession:
		err = r.readThread(ctx)
	case strings.HasSuffix(item.Key, keyPrompts):
		err = r.readPrompts(ctx)
	case strings.HasSuffix(item.Key, keySummaries):
		err = r.readSummaries(ctx)
	default:
		err = r.readMemories(ctx)
	}
	if err != nil {
		return sources.Reading{}, err
	}
	return r.Out, ctx.Err()
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

// watched are the patterns of what is worth a look when it changes. The database changes all the time, and a new name is written
// into the index too.
var watched = []string{
	"sessions/*/*/*/rollout-*.jsonl", "sessions/rollout-*.json", "archived_sessions/rollout-*.jsonl", partIndex,
	"memories/*.md", "memories/rollout_summaries/*.md",
}

// Watch names the homes.
func (s *Source) Watch(context.Context) (roots []sources.WatchRoot) {
	for _, h := range s.cfg.homes() {
		roots = append(roots, sources.WatchRoot{Path: h.Root.Path, Files: watched})
	}
	return roots
}

// Details tells of each home what only the first records of its rollouts tell.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	all, _, err := s.cfg.found(ctx)
	for _, h := range all {
		out[h.Root.Path] = h.details(ctx)
	}
	return out, cmp.Or(err, ctx.Err())
}

// details looks at the beginning of each thread.
func (h *home) details(ctx context.Context) (lines []string) {
	const packed = "packed as .jsonl.zst"
	counts := map[string]int{}
	newest, version := "", "" // rollout begun last, and what wrote it
	for _, id := range slices.Sorted(maps.Keys(h.threads)) {
		all := slices.SortedFunc(slices.Values(h.threads[id]), rollout.compare)
		for _, r := range all {
			if r.packed {
				counts[packed]++
			}
		}
		last := all[len(all)-1]
		if last.archived {
			counts["archived"]++
		}
		d := firstOf(ctx, all[0].path)
		class, headless := classOf(&d)
		switch {
		case rootOf(&d, id) != "":
			counts["of sub-agents, which stand in the note of the session that they worked for"]++
		case class == sources.Automatic:
			counts["automatic: begun by another program"]++
		case headless:
			counts["begun by codex exec"]++
		}
		if last.begun > newest && d.Version != "" {
			newest, version = last.begun, d.Version
		}
	}
	if semver.IsValid("v" + version) {
		lines = append(lines, homes.WrittenBy(version, tested))
	}
	for what, n := range counts {
		noun := "thread"
		if what == packed {
			noun = "file"
		}
		lines = append(lines, words.Count(n, noun)+" "+what)
	}
	slices.Sort(lines)
	return lines
}
