package main

import (
	"context"
	"fmt"
	"time"
)

// Targets of the cases with chats, on two cores.
const (
	chatRate  = 150 // MB/s of chats, those of the large one too
	chatRSS   = 150 // MB
	keptTimes = 3   // bytes of memory for each byte that is kept …
	keptSlack = 100 // … and so many MB
)

// firstChats weaves the chats into an empty vault.
func firstChats(ctx context.Context, b *bench, r *result) error {
	r.Target = fmt.Sprintf("≥ %d MB/s of chats, RSS ≤ %d MB", chatRate, chatRSS)
	last, err := b.firstPasses(ctx, b.chats, r)
	if err != nil {
		return err
	}
	r.faster(last.corpus.LogBytes, chatRate)
	r.within(chatRSS)
	return b.firstFloors(ctx, last, r)
}

// idleChats runs again over what did not move.
func idleChats(ctx context.Context, b *bench, r *result) error { return b.idleOn(ctx, b.chats, r) }

// largeChat reads one object of hundreds of megabytes, most of which nobody is
// ever shown.
func largeChat(ctx context.Context, b *bench, r *result) error {
	last, err := b.firstPasses(ctx, b.object, r)
	if err != nil {
		return err
	}
	kept, err := b.child.kept(ctx, last)
	if err != nil {
		return err
	}
	limit := keptTimes*kept/1e6 + keptSlack
	r.Target = fmt.Sprintf("≥ %d MB/s, RSS ≤ %d × the %s that are kept + %d MB = %d MB", chatRate, keptTimes, megabytes(kept), keptSlack, limit)
	r.faster(last.corpus.LogBytes, chatRate)
	r.within(limit)
	if r.Read < last.corpus.LogBytes {
		r.miss("%s of %s read", megabytes(r.Read), megabytes(last.corpus.LogBytes))
	}
	read, err := medianOf(b.runs, func() (time.Duration, error) { return readAll(ctx, last.home) })
	r.Floor = "cat " + millis(read)
	return err
}

// firstPasses weaves a corpus into an empty vault, once for each run, and
// returns the last stage.
func (b *bench) firstPasses(ctx context.Context, p params, r *result) (last *stage, err error) {
	for range b.runs {
		s, err := b.fresh(ctx, p, false)
		if err != nil {
			return nil, err
		}
		o, err := b.pass(ctx, s, r)
		if err != nil {
			return nil, err
		}
		r.sawAll(s, o)
		if r.Written == 0 {
			r.miss("no note was written")
		}
		if err := b.keep(s); err != nil {
			return nil, err
		}
		last = s
	}
	return last, nil
}
