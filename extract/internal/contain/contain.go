// Package contain keeps what goes wrong with one item, page or note from ending the
// work on the others.
package contain

import (
	"cmp"
	"context"
	"fmt"
)

// State is what all work depends on.
type State interface {
	// Failed is the error by which the state as a whole cannot be used any more.
	Failed() error
}

// Failure does the work of one item, page or note. What goes wrong in it is told by
// fail and ends nothing else. Failure returns an error only where it concerns all of
// them: the state failed, or ctx is done.
func Failure(ctx context.Context, state State, work func() error, fail func(error)) error {
	err := Panic(work)
	if failed := state.Failed(); failed != nil {
		return cmp.Or(err, failed)
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
