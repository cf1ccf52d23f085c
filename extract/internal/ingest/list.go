package ingest

import (
	"context"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Listings are those of sources, in their order, as they come in.
type Listings struct {
	sources []sources.Source
	ready   chan listed
	began   time.Time
}

type listed struct {
	listing sources.Listing
	err     error
}

// sourceListing is a source with what it listed.
type sourceListing struct {
	sources.Source
	sources.Listing
}

// List begins to list the sources, so that something else can be done meanwhile. now
// is the time.
func List(ctx context.Context, all []sources.Source, now time.Time) *Listings {
	l := &Listings{sources: all, ready: make(chan listed, len(all)), began: now}
	go func() {
		for _, src := range all {
			listing, err := src.List(ctx)
			l.ready <- listed{listing, err}
		}
	}()
	return l
}

// next waits for the listing of the next source.
func (l *Listings) next() (sources.Listing, error) {
	one := <-l.ready
	return one.listing, one.err
}
