// Package claudecode reads the history that Claude Code keeps below its home, ~/.claude: the transcript of each session, in
// every form from version 1.0 on, its sub-agents, plans, lists of tasks and auto memory, and the list of typed prompts. The
// format is not documented and changes every few weeks: what is unknown is counted, what is damaged is told, the rest is read.
//
// Credentials, keys, caches and backups are never opened. Of settings.json the days are read that transcripts are kept.
package claudecode

import (
	"context"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

const (
	agentName = "claude-code" // of all sessions
	tested    = "2.1.332"     // the newest version whose files the tests read
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of Claude Code.
type Source struct{ homes.Reader }

// New returns a reader; nothing is opened yet. What sub-agents write comes with a line in the transcript.
func New(c Config) *Source {
	return &Source{homes.Reader{Config: c, Agent: agentName, Program: "Claude Code", Version: tested,
		Watched: []string{partHistory, "projects/*/*.jsonl", "projects/*/memory/*.md", "plans/*.md"}}}
}

// List finds the sessions and what lies beside them, by folder walks and stat alone, but for one number in settings.json.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	all, _, err := s.listed(ctx)
	for _, h := range all {
		h.TellOldest("transcript", "")
	}
	return homes.Listing(ctx, all, err)
}

// Read returns what the files of an item say.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{s.Begin(item)}
	read := r.memory
	for part, with := range map[string]func(context.Context) error{
		partTranscript: r.session, partAgent: r.agent, partPlan: r.plan,
		partHistory: func(ctx context.Context) error { return r.history(ctx, s) },
	} {
		if _, ok := item.Part(part); ok {
			read = with
		}
	}
	return r.Done(ctx, read(ctx))
}

// Details tells of each home which version wrote it, and what has no note of its own. Whose a session is, its beginning tells.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	all, names, err := s.listed(ctx)
	if err != nil {
		return nil, err
	}
	return homes.Details(ctx, &s.Reader, all, func(h *home) (t homes.Tally, err error) {
		newest, prompts := int64(0), newPromptList(names)
		t.Counts = map[string]int{}
		for _, item := range h.Out.Items {
			if _, ok := item.Part(partAgent); ok {
				t.Counts["transcript of sub-agents"]++
			}
			if p, ok := item.Part(partHistory); ok {
				err = prompts.ReadFile(ctx, item.File(p))
			}
			if p, ok := item.Part(partTranscript); ok && ctx.Err() == nil {
				begun := begin(ctx, item.File(p), item.Session)
				if p.Stamp.MTime >= newest && begun.version != "" {
					newest, t.Version = p.Stamp.MTime, begun.version
				}
				if begun.finish().Class == sources.Automatic {
					t.Counts["session in which nobody typed a prompt"]++
				}
			}
		}
		t.Counts["session of which only the list of prompts is left"] = len(prompts.all.Left())
		t.Counts["line in the list of prompts without a session, of version 1"] = prompts.nameless
		return t, err
	})
}
