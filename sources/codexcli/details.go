package codexcli

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// tested is the newest version of Codex CLI whose rollouts the tests read.
const tested = "0.169.0"

// Tested tells it.
func (s *Source) Tested() string { return tested }

// Details tells of each home what only the first records of its rollouts tell.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	homes, _, err := s.cfg.found(ctx)
	if err != nil {
		return nil, err
	}
	for _, h := range homes {
		c := h.counts(ctx)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[h.Root.Path] = append(out[h.Root.Path], c.lines()...)
	}
	return out, nil
}

// counts are those of a home.
type counts struct {
	archived, packed, workers, automatic, headless int

	newest, version string // rollout begun last, and what wrote it
}

// counts looks at the beginning of each thread.
func (h *home) counts(ctx context.Context) (c counts) {
	for _, id := range slices.Sorted(maps.Keys(h.threads)) {
		all := slices.SortedFunc(slices.Values(h.threads[id].rollouts), rollout.compare)
		if ctx.Err() != nil || len(all) == 0 {
			return c
		}
		for _, r := range all {
			if r.packed {
				c.packed++
			}
		}
		last := all[len(all)-1]
		if last.archived {
			c.archived++
		}
		d := firstOf(ctx, all[0].path)
		class, headless := classOf(&d)
		switch {
		case workerOf(&d, id) != nil:
			c.workers++
		case class == sources.Automatic:
			c.automatic++
		case headless:
			c.headless++
		}
		if last.begun > c.newest && d.Version != "" {
			c.newest, c.version = last.begun, d.Version
		}
	}
	return c
}

func (c counts) lines() (out []string) {
	if c.version != "" && semver.IsValid("v"+c.version) {
		out = append(out, homes.WrittenBy(c.version, tested))
	}
	for what, n := range map[string]int{
		"of sub-agents, which stand in the note of the session that they worked for": c.workers,
		"automatic: begun by another program":                                        c.automatic,
		"begun by codex exec":                                                        c.headless,
		"archived":                                                                   c.archived,
	} {
		if n > 0 {
			out = append(out, words.Count(n, "thread")+" "+what)
		}
	}
	if c.packed > 0 {
		out = append(out, words.Count(c.packed, "file")+" packed as .jsonl.zst")
	}
	slices.Sort(out)
	return out
}
