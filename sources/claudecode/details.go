package claudecode

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Details tells of each home which version wrote it, and what has no note of its own:
// sessions that programs began, those of which only the prompts are left, and sub-agents.
// Whose a session is, the beginning of its transcript tells.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	homes, err := s.cfg.found(ctx)
	if err != nil {
		return nil, err
	}
	names := namesIn(homes)
	for _, h := range homes {
		lines, err := h.details(ctx, names)
		if err != nil {
			return nil, err
		}
		if len(lines) > 0 {
			out[h.root.Path] = lines
		}
	}
	return out, nil
}

func (h *home) details(ctx context.Context, names map[string]bool) (lines []string, err error) {
	if version := headOf(h.newest(), `"version":`); version != "" {
		line := "written by version " + version
		if semver.Compare("v"+version, "v"+tested) > 0 {
			line += ", newer than " + tested + ", the newest that was tested"
		}
		lines = append(lines, line)
	}
	automatic := 0
	for _, c := range h.found.sessions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if isAutomatic(ctx, c) {
			automatic++
		}
	}
	count := func(n int, noun, rest string) {
		if n > 0 {
			lines = append(lines, words.Count(n, noun)+rest)
		}
	}
	count(automatic, "session", " in which nobody typed a prompt")
	count(len(h.found.agents), "transcript", " of sub-agents")
	if h.history == "" {
		return lines, nil
	}
	list, err := readPrompts(ctx, h.history, names)
	if err != nil {
		return append(lines, fmt.Sprintf("the list of prompts cannot be read: %v", err)), ctx.Err()
	}
	only := 0
	for _, s := range list.sessions {
		if len(s.Turns) > 0 {
			only++
		}
	}
	count(only, "session", " of which only the list of prompts is left")
	count(list.nameless, "line", " in the list of prompts without a session, of version 1")
	return lines, nil
}

// newest is the transcript that changed last, empty where there is none.
func (h *home) newest() (newest string) {
	var at time.Time
	for _, c := range h.found.sessions {
		if info, err := os.Lstat(c.path); err == nil && info.Mode().IsRegular() && !info.ModTime().Before(at) {
			newest, at = c.path, info.ModTime()
		}
	}
	return newest
}

// isAutomatic tells by the beginning of a transcript that nobody typed a prompt in it.
func isAutomatic(ctx context.Context, c candidate) bool {
	f, _, err := files.OpenText(c.path)
	if err != nil {
		return false
	}
	defer f.Close()
	p := newParser(c.id)
	t := transcript{take: p.take, root: p.root}
	if t.read(ctx, io.NewSectionReader(f, 0, 4*headSize), 0) != nil {
		return false
	}
	return p.finish().Class == sources.Automatic
}
