package contain

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Each does work on all items in turn, a few at a time, until one fails, and returns
// that failure; ctx is done for the others then. The same few goroutines do it all, for
// the stack of a new one would grow anew with each item.
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
