// Package claudecode reads the history that Claude Code keeps below its home, ~/.claude: the transcript of each session, in
// every form from version 1.0 on, its sub-agents, plans, lists of tasks and auto memory, and the list of typed prompts. The
// format is not documented and changes every few weeks: what is unknown is counted, what is damaged is told, the rest is read.
//
// Credentials, keys, caches and backups are never opened. Of settings.json the days are read that transcripts are kept.
package claudecode

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

const (
	agentName   = "claude-code" // of all sessions
	programName = "Claude Code" // what people call the program
	tested      = "2.1.332"     // the newest version whose files the tests read
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config homes.Config

// Source reads the history of Claude Code.
type Source struct{ cfg Config }

var _ interface {
	sources.Source
	sources.Watcher
	sources.Detailer
	sources.Tester
} = (*Source)(nil)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c} }

// Name is "claude-code".
func (s *Source) Name() string { return agentName }

// Tested is the newest version whose files the tests read.
func (s *Source) Tested() string { return tested }

// List finds the sessions and what lies beside them, by folder walks and stat alone, but for one number in settings.json.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	var out files.Lister
	homes, _, err := s.cfg.listed(ctx)
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
	r := &reading{files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	r.CountBytes("")
	read := r.memory
	for part, with := range map[string]func(context.Context) error{
		partTranscript: r.session, partAgent: r.agent, partPlan: r.plan,
		partHistory: func(ctx context.Context) error { return r.history(ctx, s.cfg) },
	} {
		if _, ok := item.Part(part); ok {
			read = with
		}
	}
	err := read(ctx)
	return r.Out, err
}

// Watch names what is worth a look when it changes. What sub-agents write comes with a line in the transcript.
func (s *Source) Watch(ctx context.Context) (roots []sources.WatchRoot) {
	for _, h := range s.cfg.homes() {
		roots = append(roots, sources.WatchRoot{Path: h.Root.Path, Files: []string{"history.jsonl", "projects/*/*.jsonl", "projects/*/memory/*.md", "plans/*.md"}})
	}
	return roots
}

// Details tells of each home which version wrote it, and what has no note of its own. Whose a session is, its beginning tells.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	all, names, err := s.cfg.listed(ctx)
	for _, h := range all {
		if lines := h.details(ctx, newPromptList(names)); len(lines) > 0 {
			out[h.Root.Path] = lines
		}
	}
	return out, cmp.Or(err, ctx.Err())
}

// details looks at the beginning of each transcript, and at the list of prompts.
func (h *home) details(ctx context.Context, prompts *promptList) (lines []string) {
	var automatic, agents int
	newest, version := int64(0), ""
	for _, item := range h.Out.Items {
		if _, ok := item.Part(partAgent); ok {
			agents++
		}
		if p, ok := item.Part(partHistory); ok {
			if err := prompts.ReadFile(ctx, item.File(p)); err != nil {
				lines = append(lines, fmt.Sprintf("the list of prompts cannot be read: %v", err))
			}
		}
		if p, ok := item.Part(partTranscript); ok && ctx.Err() == nil {
			begun := begin(ctx, item.File(p), item.Session)
			if p.Stamp.MTime >= newest && begun.version != "" {
				newest, version = p.Stamp.MTime, begun.version
			}
			if begun.finish().Class == sources.Automatic {
				automatic++
			}
		}
	}
	if version != "" {
		lines = append(lines, homes.WrittenBy(version, tested))
	}
	count := func(n int, noun, rest string) {
		if n > 0 {
			lines = append(lines, words.Count(n, noun)+rest)
		}
	}
	count(automatic, "session", " in which nobody typed a prompt")
	count(agents, "transcript", " of sub-agents")
	count(len(prompts.all.Left()), "session", " of which only the list of prompts is left")
	count(prompts.nameless, "line", " in the list of prompts without a session, of version 1")
	return lines
}
