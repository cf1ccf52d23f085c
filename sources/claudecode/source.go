// Package claudecode reads the history that Claude Code keeps below its home, ~/.claude:
// the transcript of each session, in every form from version 1.0 on, its sub-agents, plans,
// lists of tasks and auto memory, and the list of typed prompts. The format is not documented
// and changes every few weeks, so it is read leniently: what is unknown is counted, what is
// damaged is told, and the rest is read.
//
// Credentials, keys, caches and backups are never opened. Of settings.json one number is read:
// after how many days transcripts are deleted.
package claudecode

import (
	"context"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// tested is the newest version whose files the tests read.
const tested = "2.1.332"

// Source reads the history of Claude Code. It implements sources.Source, sources.Watcher,
// sources.Detailer and sources.Tester.
type Source struct{ cfg Config }

var (
	_ sources.Source   = (*Source)(nil)
	_ sources.Watcher  = (*Source)(nil)
	_ sources.Detailer = (*Source)(nil)
	_ sources.Tester   = (*Source)(nil)
)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c} }

// Name is "claude-code".
func (s *Source) Name() string { return agentName }

// Tested is the newest version whose files the tests read.
func (s *Source) Tested() string { return tested }

// List finds the sessions and what lies beside them, by folder walks and stat alone, but for
// the one number in settings.json.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	out := lister()
	homes, err := s.cfg.listed(ctx)
	if err != nil {
		return sources.Listing{}, err
	}
	for _, h := range homes {
		h.TellOldest("transcript", "")
		h.AddTo(&out)
	}
	return out.Finish(""), nil
}

// Read returns what the files of an item say.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	if err := ctx.Err(); err != nil {
		return sources.Reading{}, err
	}
	r := &reading{Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	r.CountBytes("")
	for part, read := range map[string]func(context.Context) error{
		partTranscript: r.session, partAgent: r.agent, partPlan: r.plan,
		partHistory: func(ctx context.Context) error { return r.history(ctx, s.cfg) },
	} {
		if _, ok := item.Part(part); ok {
			err := read(ctx)
			return r.Out, err
		}
	}
	err := r.memory(ctx)
	return r.Out, err
}

// watched are the patterns of what is worth a look when it changes. What sub-agents write
// comes with a line in the transcript.
var watched = []string{"history.jsonl", "projects/*/*.jsonl", "projects/*/memory/*.md", "plans/*.md"}

// Watch names the homes.
func (s *Source) Watch(ctx context.Context) (roots []sources.WatchRoot) {
	for _, h := range s.cfg.homes() {
		if ctx.Err() != nil {
			return nil
		}
		roots = append(roots, sources.WatchRoot{Path: h.Root.Path, Files: watched})
	}
	return roots
}
