package extract

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// listAll begins to list the sources, while the vault is looked at. What it
// returns gives the listings in the order of the sources.
func (p *pass) listAll(ctx context.Context) func() (sources.Listing, error) {
	type listed struct {
		listing sources.Listing
		err     error
	}
	ready := make(chan listed, len(p.Sources))
	go func() {
		for _, src := range p.Sources {
			l, err := src.List(ctx)
			ready <- listed{l, err}
		}
	}()
	return func() (sources.Listing, error) {
		l := <-ready
		return l.listing, l.err
	}
}

// readSources reads the items that moved and puts what they say into the ledger.
// A source of which something expires goes first.
func (p *pass) readSources(ctx context.Context, listings func() (sources.Listing, error)) error {
	all, err := p.gather(ctx, listings)
	if err != nil {
		return err
	}
	expiringFirst(all)
	for i, s := range all {
		all[i] = sourceListing{} // it may be large
		err := p.readSource(ctx, s.Source, s.Listing)
		if c, ok := s.Source.(sources.Closer); ok { // also after an error: it may hold copies of databases
			if closed := c.Close(); closed != nil {
				p.problem(Problem{Source: s.Name(), Error: closed.Error(), Hint: "what was read of it is kept", Fatal: true})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sourceListing is a source with what it found.
type sourceListing struct {
	sources.Source
	sources.Listing
}

// gather waits for the listings and gives the sources that could be listed.
func (p *pass) gather(ctx context.Context, listings func() (sources.Listing, error)) ([]sourceListing, error) {
	var all []sourceListing
	for _, src := range p.Sources {
		p.step("looking at "+src.Name(), 0)
		listing, err := listings()
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // the other sources are read all the same
			p.problem(Problem{Source: src.Name(), Error: err.Error(), Hint: "it is tried again next time", Fatal: true})
			continue
		}
		for _, q := range listing.Problems {
			p.problem(problemOf(q))
		}
		p.reportRoots(src.Name(), listing)
		p.countListed(listing)
		p.listed[src.Name()] = true
		all = append(all, sourceListing{src, listing})
	}
	return all, nil
}

func (p *pass) reportRoots(name string, l sources.Listing) {
	for _, r := range l.Roots {
		if r.Found {
			p.rootReport(name, r.Path).Items = r.Items
		}
	}
}

func (p *pass) countListed(l sources.Listing) {
	for _, it := range l.Items {
		if it.Kind == sources.KindSession && !it.Scaffold {
			p.report.Sessions.Listed++
		}
	}
}

func (p *pass) rootReport(name, root string) *SourceReport {
	key := name + "\x00" + root
	if p.sources[key] == nil {
		p.sources[key] = &SourceReport{Name: name, Root: root, Unknown: map[string]int{}}
	}
	return p.sources[key]
}

// readSource reads what is due of one source.
func (p *pass) readSource(ctx context.Context, src sources.Source, l sources.Listing) error {
	print := printListing(l)
	then, err := p.Ledger.Scan(src.Name())
	if err != nil {
		return err
	}
	if bytes.Equal(then.Listing, print) && !p.full {
		p.noteExpiring(l, delta{})
		p.report.Sessions.Vanished += then.Vanished
		return nil
	}
	p.plainItems(l.Items)
	p.recount = true
	d, err := p.delta(ctx, src, l, then.Shared)
	if err != nil {
		return err
	}
	p.noteExpiring(l, d)
	all, err := p.readItems(ctx, src, d)
	if err != nil {
		return err
	}
	p.report.Sessions.Vanished += d.vanished
	now := ledger.Scan{Listing: then.Listing, Shared: d.shared, Vanished: d.vanished}
	if all && !d.unasked && len(l.Problems) == 0 && !p.youngShared(l) {
		now.Listing = print
	}
	p.scans[src.Name()] = now
	return nil
}

// printListing sums up a listing.
func printListing(l sources.Listing) []byte {
	h := sha256.New()
	var b []byte
	for _, it := range l.Items {
		b = append(append(b[:0], it.Key...), 0)
		for _, part := range it.Parts {
			b = append(append(b, part.Name...), 0)
			b = ledger.AppendStamp(b, part.Stamp)
		}
		h.Write(b)
	}
	return h.Sum(nil)
}

// readItems reads due items with a few readers and stores what they gave, in
// order of arrival; the result does not depend on it. It tells whether all of
// them are read for good: none failed, and none is too young to be trusted.
func (p *pass) readItems(ctx context.Context, src sources.Source, d delta) (all bool, err error) {
	all = true
	p.step("reading "+src.Name(), len(d.due))
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(p.jobs())
	for _, item := range d.due {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			out := p.readItem(ctx, src, item)
			mu.Lock()
			defer mu.Unlock()
			p.advance(1)
			failed := func(err error) {
				all = false
				p.failedItem(item, err)
				out.err = err
			}
			if out.err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				failed(out.err)
				return p.retry(item)
			}
			if err := p.alone(ctx, func() error { return p.store(out) }, failed); err != nil {
				return err
			}
			if out.err != nil {
				return p.retry(item)
			}
			row := ledger.ItemRow{Kind: item.Kind, Print: item.print}
			if slices.ContainsFunc(out.reading.Problems, isFatal) {
				row.Print = nil
			}
			all = all && row.Print != nil
			return p.Ledger.PutItem(src.Name(), item.Key, row)
		})
	}
	return all, g.Wait()
}

// readOutcome is one item as it was read, masked and packed.
type readOutcome struct {
	item     dueItem
	reading  sources.Reading
	sessions []packedSession
	counts   map[string]int // masks by rule
	err      error
}

// packedSession is what an item says of one session.
type packedSession struct {
	sources.SessionLayers
	packed []ledger.Packed // of Layers; zero where one failed
}

func (p *pass) readItem(ctx context.Context, src sources.Source, it dueItem) readOutcome {
	out := readOutcome{item: it, counts: map[string]int{}}
	out.err = contained(func() (err error) {
		out.reading, err = src.Read(ctx, p.listedAs(it.Item))
		return err
	})
	if out.err != nil {
		return out
	}
	plainForm(p.Masker).Reading(&out.reading)
	all := out.reading.Sessions
	if it.Kind == sources.KindSession && it.Session != "" {
		plainForm(p.Masker).Layers(it.Session, out.reading.Layers)
		all = append(all, sources.SessionLayers{ID: it.Session, Layers: out.reading.Layers})
	}
	for _, s := range all {
		out.err = contained(func() error {
			if err := p.keepID(&s, it.Item); err != nil {
				return err
			}
			packed, err := p.maskAndPack(s, it.Item, out.counts)
			out.sessions = append(out.sessions, packed)
			return err
		})
		if out.err != nil {
			return out
		}
	}
	return out
}

// maskAndPack takes the secrets out before anything is kept, and completes what
// is left by what is stored.
func (p *pass) maskAndPack(s sources.SessionLayers, it sources.Item, counts map[string]int) (packedSession, error) {
	out := packedSession{SessionLayers: s, packed: make([]ledger.Packed, len(s.Layers))}
	for i, la := range s.Layers {
		if la.Session == nil {
			continue
		}
		keepOnCalendar(la.Session)
		if forgottenSession(p.Vault, la.Session.Parent) {
			session.DropInherited(la.Session)
		}
		if err := maskSession(p.Masker, la.Session, counts); err != nil {
			return out, fmt.Errorf("look for secrets in %s: %w", la.Name, err)
		}
		if err := p.completeByStored(s.ID, it, la); err != nil {
			return out, err
		}
		var err error
		if out.packed[i], err = p.Ledger.Pack(la.Session); err != nil {
			return out, err
		}
	}
	return out, nil
}

// retry has an item that was read once be read again, whatever its stamps say.
func (p *pass) retry(it dueItem) error {
	if !it.known {
		return nil
	}
	return p.Ledger.PutItem(it.Source, it.Key, ledger.ItemRow{Kind: it.Kind})
}

func (p *pass) failedItem(it dueItem, err error) {
	if it.Kind == sources.KindSession {
		p.report.Sessions.Failed++
		p.report.Sessions.Listed += boolCount(it.Scaffold)
	}
	p.problem(Problem{Source: it.Source, Item: it.Key, Path: it.Path, Error: err.Error(),
		Hint: "it is tried again next time", Fatal: true})
}

func isFatal(q sources.Problem) bool { return q.Fatal }
