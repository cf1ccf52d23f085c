package geminicli

import (
	"context"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Details tells of each home what is in it of other kinds than sessions of Gemini CLI.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	homes, names, err := s.cfg.listed(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, h := range homes {
		var agents, agy, only int
		for _, it := range h.Out.Items {
			switch _, isLogs := it.Part(partLogs); {
			case it.Session != "":
				agy++
			case strings.HasPrefix(it.Key, h.Tag+"/agent/"):
				agents++
			case isLogs && it.Kind == sources.KindMemory:
				r := &reading{src: &Source{lists: map[string]*list{}, names: names}}
				r.Item = it
				if err := r.prompts(ctx); err == nil { // List and Read tell of it
					only += len(r.Out.RowsOnly)
				}
			}
		}
		var lines []string
		for what, n := range map[string]int{
			"chat of a sub-agent": agents, "conversation of Antigravity": agy, "session with nothing but typed lines left": only,
			"conversation of Antigravity without a transcript": h.sealed,
		} {
			if noun, rest, _ := strings.Cut(what, " "); n > 0 {
				lines = append(lines, words.Count(n, noun)+" "+rest)
			}
		}
		slices.Sort(lines)
		out[h.Root.Path] = append(out[h.Root.Path], lines...)
	}
	return out, ctx.Err()
}
