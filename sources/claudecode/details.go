package claudecode

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/transcript"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Details tells of each home which version wrote it, and what has no note of its own:
// sessions that programs began, those of which only the prompts are left, and sub-agents.
// Whose a session is, the beginning of its transcript tells.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	all, err := s.cfg.listed(ctx)
	names := namesIn(all)
	for _, h := range all {
		if lines := h.details(ctx, names); len(lines) > 0 {
			out[h.Root.Path] = lines
		}
	}
	return out, cmp.Or(err, ctx.Err())
}

// details looks at the beginning of each transcript, and at the list of prompts.
func (h *home) details(ctx context.Context, names map[string]bool) (lines []string) {
	var automatic, agents, only int
	newest, version := int64(0), ""
	history := newPromptList(names)
	for _, item := range h.Out.Items {
		if _, ok := item.Part(partAgent); ok {
			agents++
		}
		if p, ok := item.Part(partHistory); ok {
			if err := history.ReadFile(ctx, item.File(p)); err != nil {
				lines = append(lines, fmt.Sprintf("the list of prompts cannot be read: %v", err))
			}
		}
		if p, ok := item.Part(partTranscript); ok && ctx.Err() == nil {
			begun := transcript.Begin(ctx, item.File(p), item.Session)
			if p.Stamp.MTime >= newest && begun.Version != "" {
				newest, version = p.Stamp.MTime, begun.Version
			}
			if begun.Session.Class == sources.Automatic {
				automatic++
			}
		}
	}
	for _, s := range history.sessions {
		only += min(len(s.Turns), 1)
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
	count(only, "session", " of which only the list of prompts is left")
	count(history.nameless, "line", " in the list of prompts without a session, of version 1")
	return lines
}
