package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// bench holds what the cases share: the program, the corpora and what was made
// of them so far.
type bench struct {
	child child
	work  string // folder for homes, vaults and states, on the disk the corpora are on
	runs  int
	watch time.Duration // for which watch is watched
	std   params        // of the corpus most cases use
	big   params        // of the one large log
	many  params        // of the corpus with ten times the sessions
	wide  params        // of the corpus that makes ten thousand notes

	chats  params // of the chats of VS Code
	object params // of the one large chat

	// corpus gives a corpus of the cache, generated first where it is missing.
	corpus func(context.Context, params) (corpus, error)
	say    func(format string, args ...any) // progress

	homes  map[string]string
	stages map[string]*stage
	idle   time.Duration // median of a pass over std with nothing to do, 0 before it is known
	count  int           // folders given out
}

// fresh makes a stage with an empty vault. Homes are copied from the cache, once
// each, since some cases go on writing them; those of frozen corpora are not.
func (b *bench) fresh(ctx context.Context, p params, frozen bool) (*stage, error) {
	c, err := b.corpus(ctx, p)
	if err != nil {
		return nil, err
	}
	home := c.home
	if !frozen {
		if home, err = b.home(c); err != nil {
			return nil, err
		}
	}
	b.count++
	dir := filepath.Join(b.work, fmt.Sprintf("stage-%d", b.count))
	s := &stage{corpus: c, home: home, vault: filepath.Join(dir, "vault"), state: filepath.Join(dir, "state")}
	return s, os.MkdirAll(s.vault, 0o700)
}

func (b *bench) home(c corpus) (string, error) {
	name := c.Params.name()
	if home, ok := b.homes[name]; ok {
		return home, nil
	}
	home := filepath.Join(b.work, name)
	b.say("copying %s", name)
	if err := copyTree(home, c.home); err != nil {
		return "", fmt.Errorf("copy corpus: %w", err)
	}
	b.homes[name] = home
	return home, nil
}

// synced is the stage of a corpus after its first pass, made where no case has
// left one.
func (b *bench) synced(ctx context.Context, p params, frozen bool) (*stage, error) {
	if s, ok := b.stages[p.name()]; ok {
		return s, nil
	}
	s, err := b.fresh(ctx, p, frozen)
	if err != nil {
		return nil, err
	}
	b.say("first pass over %s", p.name())
	// Twice, for a file as young as the first pass is looked at once more.
	for range 2 {
		if _, err := b.child.sync(ctx, s); err != nil {
			return nil, err
		}
	}
	b.stages[p.name()] = s
	return s, nil
}

// keep leaves a stage to later cases and removes the one it replaces.
func (b *bench) keep(s *stage) error {
	name := s.corpus.Params.name()
	if old := b.stages[name]; old != nil {
		if err := os.RemoveAll(filepath.Dir(old.vault)); err != nil {
			return err
		}
	}
	b.stages[name] = s
	return nil
}

// growing picks the n-th session that may be changed, so that no two runs of the
// cases change the same one.
func (b *bench) growing(s *stage, n int) (string, error) {
	ids := s.corpus.Growing
	if len(ids) == 0 {
		return "", fmt.Errorf("corpus %s has no session to grow", s.corpus.Params.name())
	}
	return ids[n%len(ids)], nil
}

// medianOf is the median time of so many runs.
func medianOf(runs int, f func() (time.Duration, error)) (time.Duration, error) {
	all := make([]time.Duration, runs)
	for i := range all {
		var err error
		if all[i], err = f(); err != nil {
			return 0, err
		}
	}
	return median(all), nil
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
