// Package contain keeps what goes wrong with one item, page or note from ending the
// work on the others.
package contain

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// State is what all work depends on.
type State interface {
	// Failed is the error by which the state as a whole cannot be used any more.
	Failed() error
}

// Failure does the work of one item, page or note. An error in it is passed to fail and stops
// nothing else. Failure returns an error only where it concerns all of them: the state failed, or
// ctx is done.
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

// Panic does work and turns a panic in it into an error: what nobody foresaw in one
// session must not take the others with it.
func Panic(work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return work()
}

// Each does work on all items in turn, a few at a time, until one fails, and returns
// that failure; ctx is done for the others then. The same few goroutines do it all, for
// the stack of a new one would grow again with each item.
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
