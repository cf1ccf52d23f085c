// Package ingest updates the state from the sources: it lists them, compares the items with their stored
// stamps, reads changed ones, masks secrets, and stores the layers.
//
// An item is read as a whole if one of its parts changed. A reading whose layers have the hashes of the
// stored ones ends there. A reader's marks on a layer decide what a poorer reading means (store.go): a failed
// or missing layer stays; a log that lost its start leaves the old one beside it; in a complete and shorter
// log, the user took turns back.
package ingest

import (
	"context"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Options configure Run.
type Options struct {
	Masker   Masker
	Sessions Sessions
	Now      func() time.Time     // for stamps too recent to trust
	Excluded func(id string) bool // reports forgotten sessions, which are not stored
	Progress Progress
	Full     bool // read every item, whatever its fingerprint
	Jobs     int  // items read at a time
	Expiring bool // fill [Changes.Expiring]
}

// Sessions is called with each session as soon as its layers changed in the state, one at a time, so that
// they need not be held until all are read.
type Sessions interface {
	// LayersChanged reports that layers of a session were stored. layers are all its layers, or nil if the
	// state has others.
	LayersChanged(id string, layers []sources.Layer)
	// LayersMoved reports that the layers of a session moved to another id.
	LayersMoved(was string)
}

// Progress receives the progress of a run. Calls come from one goroutine at a time.
type Progress interface {
	// Step begins a stage of that many units; 0 if unknown.
	Step(stage string, total int)
	// Advance adds finished units to the stage.
	Advance(n int)
}

// Silent is a [Progress] that shows nothing.
type Silent struct{}

// Step implements [Progress].
func (Silent) Step(string, int) {}

// Advance implements [Progress].
func (Silent) Advance(int) {}

// Changes is the result of Run.
type Changes struct {
	Counts     Counts
	Sources    []SourceReport
	Redactions map[string]int // number of masks by rule
	Problems   []sources.Problem
	Expiring   []Expiring
	// Stored reports whether layers of a session changed in the state.
	Stored bool
	// Scans holds the scans of changed sources by name. Store them only after all consequences of the reading
	// are done.
	Scans map[string]ledger.Scan
}

// Counts are numbers of sessions.
type Counts struct{ Listed, New, Changed, Vanished, Failed int }

// SourceReport counts the items found and read below one root.
type SourceReport struct {
	Name      string         `json:"name"`
	Root      string         `json:"root"`
	Items     int            `json:"items"`
	Read      int            `json:"read"`
	BytesRead int64          `json:"bytes_read"`
	Unknown   map[string]int `json:"unknown"`
}

func (c *Changes) source(name, root string) *SourceReport {
	at := slices.IndexFunc(c.Sources, func(r SourceReport) bool { return r.Name == name && r.Root == root })
	if at < 0 {
		at = len(c.Sources)
		c.Sources = append(c.Sources, SourceReport{Name: name, Root: root, Unknown: map[string]int{}})
	}
	return &c.Sources[at]
}

type ingestion struct {
	o     Options
	state *ledger.Ledger
	began time.Time // start of the listing
	ids   plainIDs
	heard map[string]*heard // statistics by root of the current source
	found Changes
}

// Run reads changed items of the sources into the state. Sources with expiring items come first. A source
// that cannot be listed, or an item that cannot be read, is a problem among the changes; an error means that
// ctx is done or the state failed. The changes include what was stored before an error.
func Run(ctx context.Context, listings *Listings, state *ledger.Ledger, o Options) (Changes, error) {
	g := &ingestion{
		o: o, state: state, began: listings.began,
		ids:   plainIDs{PlainForm: names.PlainForm{Masker: o.Masker}, listed: map[string]sources.Item{}},
		found: Changes{Redactions: map[string]int{}, Scans: map[string]ledger.Scan{}},
	}
	err := g.run(ctx, listings)
	return g.found, err
}

func (g *ingestion) run(ctx context.Context, listings *Listings) error {
	all, err := g.gather(ctx, listings)
	if err != nil {
		return err
	}
	expiringFirst(all)
	for i, s := range all {
		all[i] = sourceListing{} // it may be large
		err := g.readSource(ctx, s.Source, s.Listing)
		if c, ok := s.Source.(sources.Closer); ok { // also after an error: it may hold copies of databases
			if closed := c.Close(); closed != nil {
				g.problem(sources.Problem{Source: s.Name(), Err: closed, Hint: "what was read of it is kept", Fatal: true})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// gather waits for the listings and returns the sources that could be listed.
func (g *ingestion) gather(ctx context.Context, listings *Listings) ([]sourceListing, error) {
	var all []sourceListing
	for _, src := range listings.sources {
		g.o.Progress.Step("looking at "+src.Name(), 0)
		one := <-listings.ready
		if one.err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if one.err != nil { // the other sources are still read
			g.problem(sources.Problem{Source: src.Name(), Err: one.err, Hint: "it is tried again next time", Fatal: true})
			continue
		}
		g.found.Problems = append(g.found.Problems, one.Problems...)
		g.count(src.Name(), one.Listing)
		all = append(all, one)
	}
	return all, nil
}

func (g *ingestion) count(name string, l sources.Listing) {
	for _, r := range l.Roots {
		if r.Found {
			g.found.source(name, r.Path).Items = r.Items
		}
	}
	for _, it := range l.Items {
		if it.Kind == sources.KindSession && !it.Scaffold {
			g.found.Counts.Listed++
		}
	}
}

func (g *ingestion) problem(p sources.Problem) { g.found.Problems = append(g.found.Problems, p) }

// Listings are the listings of sources, in order, as they arrive.
type Listings struct {
	sources []sources.Source
	ready   chan sourceListing
	began   time.Time
}

// sourceListing is a source with its listing or error.
type sourceListing struct {
	sources.Source
	sources.Listing
	err error
}

// List starts listing the sources in the background. now is the time.
func List(ctx context.Context, all []sources.Source, now time.Time) *Listings {
	l := &Listings{sources: all, ready: make(chan sourceListing, len(all)), began: now}
	go func() {
		for _, src := range all {
			listing, err := src.List(ctx)
			l.ready <- sourceListing{src, listing, err}
		}
	}()
	return l
}
