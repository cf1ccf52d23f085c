// Package contain keeps a failure of one item, page or note from stopping the others.
package contain

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// State is the state that all work depends on.
type State interface {
	// Failed returns the error that makes the whole state unusable.
	Failed() error
}

// Failure does the work on one item, page or note. It passes an error to fail and returns one only if it
// concerns all work: the state failed, or ctx is done.
func Failure(ctx context.Context, state State, work func() error, fail func(error)) error {
	err := Panic(work)
	if failed := state.Failed(); failed != nil {
		return failed
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	fail(err)
	return nil
}

// Panic does work and turns a panic in it into an error, so that one session does not stop the others.
func Panic(work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return work()
}

// Each does work on all items, a few at a time, until one fails, and returns that failure; ctx is then done
// for the others. A few goroutines do it all, as the stack of a new one would grow again with each item.
func Each[T any](ctx context.Context, atOnce int, items []T, work func(context.Context, T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(atOnce, len(items)) {
		g.Go(func() error {
			for {
				i := next.Add(1) - 1
				if i >= int64(len(items)) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(ctx, items[i]); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}
