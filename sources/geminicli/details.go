package geminicli

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Details tells of each home what is in it of other kinds. Gemini CLI writes no version
// anywhere.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	homes, names, err := s.cfg.listed(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, h := range homes {
		counts := map[string]int{"conversation of Antigravity without a transcript, in databases alone": h.sealed}
		for _, it := range h.Out.Items {
			what := kindOf(it)
			if counts[what]++; it.Kind == sources.KindSession && it.Session == "" && isOld(it) {
				counts["session in the format of versions to 0.38"]++
			}
			if what == "list" && ctx.Err() == nil {
				r := &reading{src: &Source{lists: map[string]*list{}, names: names}}
				if r.Item = it; r.prompts(ctx) == nil {
					counts["session of which only typed lines are left"] += len(r.Out.RowsOnly)
				}
			}
		}
		delete(counts, "")
		delete(counts, "list")
		var lines []string
		for what, n := range counts {
			noun, rest, _ := strings.Cut(what, " ")
			if n > 0 {
				lines = append(lines, words.Count(n, noun)+" "+rest)
			}
		}
		slices.Sort(lines)
		out[h.Root.Path] = append(out[h.Root.Path], lines...)
	}
	return out, ctx.Err()
}

// kindOf says what an item is, empty for a session of Gemini CLI.
func kindOf(it sources.Item) string {
	_, isLogs := it.Part(partLogs)
	_, isMemory := it.Part(partMemory)
	switch {
	case it.Session != "":
		return "conversation of Antigravity"
	case it.Kind == sources.KindSession || isMemory:
		return ""
	case isLogs:
		return "list"
	}
	return "chat of a sub-agent, which stands in the note of the session that it worked for"
}

// isOld tells whether all chats of a session are documents.
func isOld(it sources.Item) bool {
	return !slices.ContainsFunc(it.Parts, func(p sources.Part) bool {
		_, ok := shortID(path.Base(p.Name))
		return ok && strings.HasSuffix(p.Name, ".jsonl")
	})
}
