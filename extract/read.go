package extract

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	then, err := p.Ledger.Meta(markList + src.Name())
	if err != nil {
		return err
	}
	if bytes.Equal(then, print) && !p.full {
		p.noteExpiring(l, delta{})
		return p.nothingMoved(src.Name())
	}
	p.plainItems(l.Items)
	p.recount = true
	d, err := p.delta(ctx, src, l)
	if err != nil {
		return err
	}
	p.noteExpiring(l, d)
	all, err := p.readItems(ctx, src, d)
	if err != nil {
		return err
	}
	if all && len(l.Problems) == 0 && !p.youngShared(l) {
		p.marks[markList+src.Name()] = print
	}
	return nil
}

// nothingMoved repeats the counts of a source of which nothing changed.
func (p *pass) nothingMoved(source string) error {
	vanished, err := p.metaCount(markVanished + source)
	p.report.Sessions.Vanished += vanished
	return err
}

// metaCount returns a stored number, 0 where there is none.
func (p *pass) metaCount(key string) (int, error) {
	value, err := p.Ledger.Meta(key)
	n, _ := strconv.Atoi(string(value))
	return n, err
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
				d.retry(item)
				p.failedItem(item, err)
				out.err = err
			}
			if out.err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				failed(out.err)
				return nil
			}
			if err := p.alone(ctx, func() error { return p.store(out) }, failed); err != nil || out.err != nil {
				return err
			}
			row := ledger.ItemRow{Kind: item.Kind, Print: item.print}
			if slices.ContainsFunc(out.reading.Problems, isFatal) {
				row.Print = nil
			}
			d.known[item.Key] = row
			all = all && row.Print != nil
			return nil
		})
	}
	err = errors.Join(g.Wait(), p.Ledger.PutItems(src.Name(), d.known))
	if err != nil {
		return false, err
	}
	p.report.Sessions.Vanished += d.vanished
	p.marks[markVanished+src.Name()] = []byte(strconv.Itoa(d.vanished))
	return all, nil
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
	packed []ledger.Packed // of Layers; zero where Same
}

func (p *pass) readItem(ctx context.Context, src sources.Source, it dueItem) readOutcome {
	out := readOutcome{item: it, counts: map[string]int{}}
	prior, err := p.Ledger.Prior(it.Item)
	if err != nil {
		out.err = err
		return out
	}
	if it.afresh {
		prior = nothingBefore{}
	}
	listed := p.listedAs(it.Item)
	if listed.Session != it.Session {
		prior = namedAsListed{prior, listed.Session}
	}
	out.err = contained(func() (err error) {
		out.reading, err = src.Read(ctx, listed, prior)
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
			packed, err := p.maskAndPack(s, out.counts)
			out.sessions = append(out.sessions, packed)
			return err
		})
		if out.err != nil {
			return out
		}
	}
	return out
}

// maskAndPack takes the secrets out before anything is kept.
func (p *pass) maskAndPack(s sources.SessionLayers, counts map[string]int) (packedSession, error) {
	out := packedSession{SessionLayers: s, packed: make([]ledger.Packed, len(s.Layers))}
	for i, la := range s.Layers {
		if la.Same || la.Session == nil {
			continue
		}
		keepOnCalendar(la.Session)
		if forgottenSession(p.Vault, la.Session.Parent) {
			session.DropInherited(la.Session)
		}
		if err := maskSession(p.Masker, la.Session, counts); err != nil {
			return out, fmt.Errorf("look for secrets in %s: %w", la.Name, err)
		}
		var err error
		if out.packed[i], err = p.Ledger.Pack(la.Session); err != nil {
			return out, err
		}
	}
	return out, nil
}

// nothingBefore makes a source read an item whole.
type nothingBefore struct{}

func (nothingBefore) Cursor(string) []byte                   { return nil }
func (nothingBefore) Layer(string) (*sources.Session, error) { return nil, nil }

func (p *pass) failedItem(it dueItem, err error) {
	if it.Kind == sources.KindSession {
		p.report.Sessions.Failed++
		p.report.Sessions.Listed += boolCount(it.Scaffold)
	}
	p.problem(Problem{Source: it.Source, Item: it.Key, Path: it.Path, Error: err.Error(),
		Hint: "it is tried again next time", Fatal: true})
}

func isFatal(q sources.Problem) bool { return q.Fatal }
