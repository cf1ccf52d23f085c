package claudecode

import (
	"cmp"
	"context"
	"fmt"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Details tells of each home which version wrote it, and what has no note of its own:
// sessions that programs began, those of which only the prompts are left, and sub-agents.
// Whose a session is, the beginning of its transcript tells.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	homes, err := s.cfg.listed(ctx)
	names := namesIn(homes)
	for _, h := range homes {
		if lines := h.details(ctx, names); len(lines) > 0 {
			out[h.root.Path] = lines
		}
	}
	return out, cmp.Or(err, ctx.Err())
}

func (h *home) details(ctx context.Context, names map[string]bool) (lines []string) {
	var automatic, agents, only int
	var newest int64
	var version string
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
			begun := beginning(ctx, item.File(p), item.Session)
			if p.Stamp.MTime >= newest && begun.version != "" {
				newest, version = p.Stamp.MTime, begun.version
			}
			if begun.finish().Class == sources.Automatic {
				automatic++
			}
		}
	}
	for _, s := range history.sessions {
		only += min(len(s.Turns), 1)
	}
	if version != "" && semver.Compare("v"+version, "v"+tested) > 0 {
		version += ", newer than " + tested + ", the newest that was tested"
	}
	if version != "" {
		lines = append(lines, "written by version "+version)
	}
	for _, c := range []struct {
		n          int
		noun, rest string
	}{
		{automatic, "session", " in which nobody typed a prompt"},
		{agents, "transcript", " of sub-agents"},
		{only, "session", " of which only the list of prompts is left"},
		{history.nameless, "line", " in the list of prompts without a session, of version 1"},
	} {
		if c.n > 0 {
			lines = append(lines, words.Count(c.n, c.noun)+c.rest)
		}
	}
	return lines
}
