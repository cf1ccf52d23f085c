package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// change is what a user did to one session between two passes.
type change func(ctx context.Context, a *author, id string) error

func grew(ctx context.Context, b *bench, r *result) error {
	return b.changed(ctx, r, 0, func(_ context.Context, a *author, id string) error {
		_, err := a.appendTurn(id, 2)
		return err
	})
}

func grewInStore(ctx context.Context, b *bench, r *result) error {
	return b.changed(ctx, r, 1, func(ctx context.Context, a *author, id string) error {
		turn, err := a.appendTurn(id, 2)
		if err != nil {
			return err
		}
		return a.tellStore(ctx, id, turn)
	})
}

// rewound has no target of its own: a log that was written anew is read whole.
func rewound(ctx context.Context, b *bench, r *result) error {
	r.NoTarget = true
	return b.changed(ctx, r, 2, func(_ context.Context, a *author, id string) error { return a.rewind(id) })
}

// changed measures the pass after one session changed. Each run changes another
// session; nth keeps the cases apart.
func (b *bench) changed(ctx context.Context, r *result, nth int, do change) error {
	s, err := b.synced(ctx, b.std, false)
	if err != nil {
		return err
	}
	idle := b.idle
	if idle == 0 {
		base := result{}
		if _, err := b.idleRuns(ctx, s, &base); err != nil {
			return err
		}
		idle = base.median()
	}
	r.Floor = "no change " + millis(idle)
	writer := newAuthor(s.home, s.corpus.Params)
	for i := range b.runs {
		id, err := b.growing(s, nth*b.runs+i)
		if err != nil {
			return err
		}
		if err := b.changeOnce(ctx, s, r, writer, id, do); err != nil {
			return err
		}
	}
	r.Measured = millis(r.median())
	if r.NoTarget {
		r.Target = "only that session's notes and the pages that list it"
		return nil
	}
	r.Target = fmt.Sprintf("≤ no change + %s, only that session's notes and the pages that list it", millis(slack))
	r.under(idle + slack)
	return nil
}

// changeOnce changes one session, runs one pass and looks at which notes moved,
// in the report and on the disk.
func (b *bench) changeOnce(ctx context.Context, s *stage, r *result, a *author, id string, do change) error {
	if err := do(ctx, a, id); err != nil {
		return err
	}
	before, err := sealed(s.vault)
	if err != nil {
		return err
	}
	o, err := b.pass(ctx, s, r)
	if err != nil {
		return err
	}
	touched, err := before.broken(s.vault)
	if err != nil {
		return err
	}
	if r.Written == 0 {
		r.miss("no note was written")
	}
	told := map[string]bool{}
	removed, linked := 0, false
	for _, c := range o.report.Changed {
		told[c.Note] = true
		if c.Outcome == "removed" || c.Outcome == "moved" {
			removed++
		}
		// A note that comes, goes or moves is linked from other sessions: a file's
		// from those that edited it, a session's from its neighbours.
		gone := c.Outcome == "removed" || c.Outcome == "moved"
		if strings.Contains(c.Note, "/files/") && (gone || c.Outcome == "created") || strings.Contains(c.Note, "/sessions/") && gone {
			linked = true
		}
	}
	told[goneFiles(removed)] = true
	var moved []string
	for _, path := range touched {
		if strings.Contains(path, "/.") || strings.HasPrefix(path, ".") {
			continue // the program's own folder
		}
		if moved = append(moved, path); !told[path] {
			r.miss("%s changed, the report does not say so", path)
		}
	}
	if others := foreign(moved, id); len(others) > 0 && !linked {
		r.miss("notes of other sessions changed")
		r.remark("%s changed with %s", some(others), id)
	}
	return nil
}

// bigLog reads one event log of a gigabyte.
func bigLog(ctx context.Context, b *bench, r *result) error {
	r.Target = fmt.Sprintf("≥ %d MB/s, RSS ≤ %d MB", bigRate, bigRSS)
	last, err := b.firstPasses(ctx, b.big, r)
	if err != nil {
		return err
	}
	r.faster(last.corpus.LogBytes, bigRate)
	r.within(bigRSS)
	read, err := medianOf(b.runs, func() (time.Duration, error) { return readAll(ctx, last.home) })
	r.Floor = "cat " + millis(read)
	return err
}

// bigLogGrew appends to the large log what one short exchange adds.
func bigLogGrew(ctx context.Context, b *bench, r *result) error {
	r.Target = fmt.Sprintf("reads < %s", megabytes(grownRead))
	s, err := b.synced(ctx, b.big, false)
	if err != nil {
		return err
	}
	find, err := medianOf(b.runs, func() (time.Duration, error) { return walk(ctx, s.home, s.vault) })
	if err != nil {
		return err
	}
	r.Floor = "find " + millis(find)
	writer := newAuthor(s.home, s.corpus.Params)
	id, err := b.growing(s, 0)
	if err != nil {
		return err
	}
	for range b.runs {
		err := b.changeOnce(ctx, s, r, writer, id, func(_ context.Context, a *author, id string) error { return a.appendWord(id) })
		if err != nil {
			return err
		}
		if r.Read >= grownRead {
			r.miss("%s read", megabytes(r.Read))
		}
	}
	r.Measured = fmt.Sprintf("%s read, %s", megabytes(r.Read), millis(r.median()))
	return nil
}
