package ingest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

func (g *ingestion) readSource(ctx context.Context, src sources.Source, l sources.Listing) error {
	print := printListing(l)
	then := g.state.Scan(src.Name())
	if bytes.Equal(then.Listing, print) && !g.o.Full {
		g.tellExpiring(l, delta{})
		g.found.Counts.Vanished += then.Vanished
		return nil
	}
	go func() { _, _ = g.o.Masker.Text("") }() // it makes its rules ready meanwhile
	d := g.delta(ctx, src, l, print, then)
	g.tellExpiring(l, d)
	all, err := g.readItems(ctx, src, d)
	if err != nil {
		return err
	}
	g.tellSilence(src)
	g.found.Counts.Vanished += d.vanished
	now := ledger.Scan{Shared: d.shared, Vanished: d.vanished}
	if all && !d.unasked && len(l.Problems) == 0 && !g.sharedTooRecent(l) {
		now.Listing = print
	}
	g.found.Scans[src.Name()] = now
	return nil
}

// readItems reads due items with a few readers and stores them in order of arrival; the result does not
// depend on it. It reports whether all are settled: none failed, and none is too young to be trusted.
func (g *ingestion) readItems(ctx context.Context, src sources.Source, d delta) (all bool, err error) {
	all = true
	g.o.Progress.Step("reading "+src.Name(), len(d.due))
	var mu sync.Mutex // a reader waits for it, so that no more readings are held than there are readers
	err = contain.Each(ctx, g.o.Jobs, d.due, func(ctx context.Context, item dueItem) error {
		out, unread := g.readItem(ctx, src, item)
		mu.Lock()
		defer mu.Unlock()
		g.o.Progress.Advance(1)
		row := ledger.ItemRow{Kind: item.Kind, Print: item.print, Records: out.reading.Records}
		known := true
		err := contain.Failure(ctx, g.state, func() error {
			if unread != nil {
				return unread
			}
			return g.store(out)
		}, func(err error) {
			row.Print, known = nil, item.known // an item that was read once is read again, whatever its stamps
			g.failedItem(item, err)
		})
		if err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		if slices.ContainsFunc(out.reading.Problems, func(q sources.Problem) bool { return q.Fatal }) {
			row.Print = nil
		}
		all = all && row.Print != nil
		if known {
			g.state.PutItem(src.Name(), item.Key, row)
		}
		return nil
	})
	return all, err
}

// readOutcome is one item after reading, masking and packing.
type readOutcome struct {
	item     dueItem
	reading  sources.Reading
	sessions []packedSession
	counts   map[string]int // masks by rule
}

// packedSession is one session of an item, packed.
type packedSession struct {
	sources.SessionLayers
	packed []ledger.Packed // packed Layers; zero if one failed
}

func (g *ingestion) readItem(ctx context.Context, src sources.Source, it dueItem) (out readOutcome, err error) {
	out = readOutcome{item: it, counts: map[string]int{}}
	err = contain.Panic(func() (err error) {
		if out.reading, err = src.Read(ctx, g.ids.asListed(it.Item)); err != nil {
			return err
		}
		g.ids.Reading(&out.reading)
		all := out.reading.Sessions
		if it.Kind == sources.KindSession && it.Session != "" {
			g.ids.Layers(it.Session, out.reading.Layers)
			all = append(all, sources.SessionLayers{ID: it.Session, Layers: out.reading.Layers})
		}
		for _, s := range all {
			packed, err := g.maskAndPack(s, it.Item, out.counts)
			if err != nil {
				return err
			}
			out.sessions = append(out.sessions, packed)
		}
		return nil
	})
	return out, err
}

// maskAndPack masks secrets before anything is stored, and completes the layers from stored ones.
func (g *ingestion) maskAndPack(s sources.SessionLayers, it sources.Item, counts map[string]int) (packedSession, error) {
	out := packedSession{SessionLayers: s, packed: make([]ledger.Packed, len(s.Layers))}
	for i, la := range s.Layers {
		if la.Session == nil {
			continue
		}
		la.Session.Times(func(t *time.Time) { *t = sources.OnCalendar(*t) })
		if g.o.Excluded(la.Session.Parent) {
			session.DropInherited(la.Session)
		}
		if err := Mask(g.o.Masker, la.Session, counts); err != nil {
			return out, fmt.Errorf("look for secrets in %s: %w", la.Name, err)
		}
		g.completeByStored(s.ID, it, la)
		var err error
		if out.packed[i], err = g.state.Pack(la.Session); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (g *ingestion) failedItem(it dueItem, err error) {
	if it.Kind == sources.KindSession {
		g.found.Counts.Failed++
		if it.Scaffold {
			g.found.Counts.Listed++
		}
	}
	g.problem(sources.Problem{Source: it.Source, Item: it.Key, Path: it.Path, Err: err,
		Hint: "it is tried again next time", Fatal: true})
}

// Masker masks secrets in texts. After an error nothing of a text may be stored.
type Masker interface {
	Session(s *sources.Session, counts map[string]int) error
	Text(s string) (string, error)
}

// Mask masks the secrets in a session and counts them by rule. Fields of one line are shortened afterwards,
// so that no cut hides a part of a secret.
func Mask(m Masker, s *sources.Session, counts map[string]int) error {
	defer content.Bound(s)
	defer content.ShortCommands(s)()
	s.Place.Repository = withoutLogin(s.Place.Repository)
	return m.Session(s, counts)
}

// withoutLogin removes user and password from the URL of a remote. A user without a password stays if the
// protocol needs one to connect, as ssh does.
func withoutLogin(remote string) string {
	u, err := url.Parse(remote)
	if err != nil || u.User == nil {
		return remote
	}
	_, secret := u.User.Password()
	if !secret && u.Scheme != "https" && u.Scheme != "http" {
		return remote
	}
	u.User = nil
	return u.String()
}

// plainIDs converts ids of sources to the stored form.
type plainIDs struct {
	names.PlainForm
	listed map[string]sources.Item // items with ids in another form, as listed, by source and key
}

// plain converts the ids of a listed item, and returns it. The source still gets the original, which
// identifies its items.
func (p plainIDs) plain(it *sources.Item) sources.Item {
	was := *it
	if it.Key, it.Session = p.Pair(was.Key, was.Session); it.Key != was.Key || it.Session != was.Session {
		p.listed[it.Source+"\x00"+it.Key] = was
	}
	return *it
}

func (p plainIDs) asListed(it sources.Item) sources.Item {
	if raw, ok := p.listed[it.Source+"\x00"+it.Key]; ok {
		return raw
	}
	return it
}

// A changed format shows as silence: unknown records, files that grow without new content. It is reported as
// a problem, as nobody would miss what was never shown.

// heard counts what was read below one root, and how much of it was understood.
type heard struct {
	records, unknown int
	grown, changed   int // sessions with more records than before; with new content
	fresh, spoken    int // new sessions; new ones with words
}

// Limits of silence before it is reported.
const (
	fewRecords = 50 // records, of which a share is unknown
	fewGrown   = 3
	fewFresh   = 10
	longFresh  = 20 // average records of a session that was not just opened and left
)

func (g *ingestion) hear(it dueItem, r *sources.Reading, changed bool) {
	if g.heard == nil {
		g.heard = map[string]*heard{}
	}
	h := g.heard[it.Root]
	if h == nil {
		h = &heard{}
		g.heard[it.Root] = h
	}
	h.records += r.Records
	for _, n := range r.Unknown {
		h.unknown += n
	}
	switch {
	case it.Kind != sources.KindSession:
	case it.was > 0 && r.Records > it.was:
		h.grown++
		h.changed += count(changed)
	case !it.known:
		h.fresh++
		h.spoken += count(speaks(r))
	}
}

func speaks(r *sources.Reading) bool {
	said := func(l sources.Layer) bool {
		return l.Session != nil && (len(l.Session.Turns) > 0 || len(l.Session.Delegated) > 0)
	}
	return slices.ContainsFunc(r.Layers, said) || slices.ContainsFunc(r.Sessions, func(s sources.SessionLayers) bool { return slices.ContainsFunc(s.Layers, said) })
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// tellSilence reports the roots of a source in which too little was understood.
func (g *ingestion) tellSilence(src sources.Source) {
	for _, root := range slices.Sorted(maps.Keys(g.heard)) {
		what := g.heard[root].silence()
		if what == "" {
			continue
		}
		hint := "sessionloom sources lists the kinds; a newer sessionloom may know them"
		if t, ok := src.(sources.Tester); ok {
			hint = "this reader was tested up to version " + t.Tested() + "; " + hint
		}
		g.problem(sources.Problem{Source: src.Name(), Path: root, Err: fmt.Errorf("%s: its format may have changed", what), Hint: hint})
	}
	g.heard = nil
}

// silence says what is suspicious, or "".
func (h *heard) silence() string {
	switch {
	case h.records >= fewRecords && 3*h.unknown > h.records:
		return fmt.Sprintf("%d of %d records are of kinds that are not known", h.unknown, h.records)
	case h.grown >= fewGrown && h.changed == 0 && h.unknown > 0:
		return fmt.Sprintf("%d sessions grew and none tells more, with %d records of kinds that are not known", h.grown, h.unknown)
	case h.fresh >= fewFresh && h.spoken == 0 && h.records >= longFresh*h.fresh:
		return fmt.Sprintf("%d new sessions of %d records, and no prompt in any of them", h.fresh, h.records)
	}
	return ""
}
