package extract

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// pile is a source made of items that a test lays down as it likes.
type pile struct {
	name  string
	items []*thing
	reads atomic.Int64
	began func(key string) // told of each item that is read; may be nil
}

// thing is one item of a pile.
type thing struct {
	key     string
	kind    sources.ItemKind
	session string // empty: told only by reading
	layers  []sources.SessionLayers
	version int64
	mtime   int64 // nanoseconds; 0: long ago
	ctime   int64 // likewise
	fixed   bool  // its size does not tell one version from another
	expires []sources.Expiry
	fails   bool
}

func (it *thing) size() int64 {
	if it.fixed {
		return 1
	}
	return it.version
}

func (p *pile) Name() string { return p.name }

func (p *pile) List(context.Context) (sources.Listing, error) {
	l := sources.Listing{Roots: []sources.Root{{Path: p.name, Found: true}}}
	for _, it := range p.items {
		l.Items = append(l.Items, sources.Item{Source: p.name, Key: it.key, Kind: it.kind, Session: it.session, Root: p.name, Path: it.key, Expires: it.expires,
			Parts: []sources.Part{{Name: "file", Path: it.key, Stamp: sources.Stamp{Size: it.size(), MTime: max(1, it.mtime), CTime: it.ctime}}}})
	}
	return l, nil
}

func (p *pile) Read(_ context.Context, item sources.Item) (sources.Reading, error) {
	it := p.items[slices.IndexFunc(p.items, func(it *thing) bool { return it.key == item.Key })]
	if p.began != nil {
		p.began(it.key)
	}
	if it.fails {
		return sources.Reading{}, os.ErrDeadlineExceeded
	}
	p.reads.Add(1)
	var all []sources.SessionLayers
	for _, s := range it.layers {
		own := sources.SessionLayers{ID: s.ID}
		for _, la := range s.Layers {
			c := cloneFixture(*la.Session)
			c.Aliases = slices.Clone(c.Aliases)
			la.Session = &c
			own.Layers = append(own.Layers, la)
		}
		all = append(all, own)
	}
	if item.Session != "" {
		return sources.Reading{Layers: all[0].Layers}, nil
	}
	return sources.Reading{Sessions: all}, nil
}

// of makes an item that holds one layer of each session.
func of(key string, kind sources.ItemKind, named bool, layer string, rank sources.Rank, sessions ...sources.Session) *thing {
	it := &thing{key: key, kind: kind, version: 1}
	for _, s := range sessions {
		it.layers = append(it.layers, sources.SessionLayers{ID: s.ID, Layers: []sources.Layer{{Name: layer, Rank: rank, Session: &s}}})
	}
	if named {
		it.session = sessions[0].ID
	}
	return it
}

const (
	idA = "aaaaaaaa-0000-4000-8000-000000000001"
	idB = "bbbbbbbb-0000-4000-8000-000000000002"
	idC = "cccccccc-0000-4000-8000-000000000003"
)

var widget = sources.Place{Repository: "octo-org/widget", Host: "github.com", GitRoot: "/home/dev/src/widget"}

func at(minute int) time.Time {
	return time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC).Add(time.Duration(minute) * time.Minute)
}

func numbered(list ...sources.Turn) []sources.Turn {
	for i := range list {
		list[i].Index = i
	}
	return list
}

// chat is a short session that began at a minute.
func chat(id string, minute int, place sources.Place, aka ...string) sources.Session {
	return sources.Session{ID: id, Agent: "tale", Place: place, Created: at(minute), Updated: at(minute + 1), Complete: true, Aliases: aka,
		Turns: numbered(sources.Turn{ID: id[:4], User: "prompt of " + id[:4], Assistant: "Done.", At: at(minute), End: at(minute + 1), Status: sources.Complete})}
}

// ids lists the ids of the notes of a vault that begin so.
func (b *bench) ids(prefix string) []string {
	b.t.Helper()
	var out []string
	for _, text := range tree(b.t, b.vault) {
		_, rest, ok := strings.Cut(text, "\nid: \""+prefix)
		if id, _, found := strings.Cut(rest, "\""); ok && found {
			out = append(out, prefix+id)
		}
	}
	slices.Sort(out)
	return out
}

// text is that of the note with an id.
func (b *bench) text(id string) string {
	b.t.Helper()
	for _, text := range tree(b.t, b.vault) {
		if strings.Contains(text, "\nid: \""+id+"\"\n") {
			return text
		}
	}
	b.t.Fatalf("no note %q", id)
	return ""
}

// steady sees that another pass, an empty ledger and, if it is to be so, an
// empty vault give what is there.
func (b *bench) steady(empty bool, srcs ...sources.Source) {
	b.t.Helper()
	now := tree(b.t, b.vault)
	if r := b.mustSync(srcs...); r.Notes.Created+r.Notes.Updated+r.Notes.Removed+r.Notes.Moved > 0 {
		b.t.Errorf("a second sync did something: %+v", r.Changed)
	}
	fresh := b.withoutLedger()
	fresh.mustSync(srcs...)
	expect.Is(b.t, differences(now, tree(b.t, fresh.vault)), "", "an empty ledger makes another vault")
	if !empty {
		return
	}
	anew := newBench(b.t)
	anew.settings, anew.onDisk = b.settings, b.onDisk
	anew.join(b.joins)
	anew.mustSync(srcs...)
	expect.Is(b.t, differences(now, tree(b.t, anew.vault)), "", "an empty vault becomes another")
}

// ofNoSession is an export: only reading it tells whose it is.
func TestItemThatNamesItsSessionOnlyInside(t *testing.T) {
	b := newBench(t)
	it := of("chat.json", sources.KindSession, false, "tale/export", sources.RankSidecar, chat(idA, 0, widget))
	src := &pile{name: "tale", items: []*thing{it}}
	if r := b.mustSync(src); r.Sessions.New != 1 || r.Sessions.Listed != 1 || len(b.ids("session:")) != 1 {
		t.Fatalf("%+v, notes %q", r.Sessions, b.ids("session:"))
	}
	b.steady(true, src)
	it.version++
	it.layers[0].Layers[0].Session.Turns[0].Assistant = "Done, and more."
	if r := b.mustSync(src); r.Sessions.Changed != 1 || !strings.Contains(b.text(names.SessionID(idA)), "and more") {
		t.Errorf("%+v", r.Sessions)
	}
	it.version++
	it.fails = true
	if r := b.mustSync(src); r.Sessions.Failed != 1 || !r.Part() {
		t.Errorf("%+v", r.Sessions)
	}
	it.fails = false
	b.mustSync(src)
	src.reads.Store(0)
	b.steady(true, src)
	if src.reads.Load() != 2 { // by the empty ledgers alone
		t.Errorf("read %d times", src.reads.Load())
	}
}

func TestOnlyWhatWasReadCountsAsEmpty(t *testing.T) {
	b := newBench(t)
	src := &pile{name: "tale", items: []*thing{
		of("a", sources.KindSession, true, "tale/log", sources.RankLog, sources.Session{ID: idA, Created: at(0)}),
		of("index", sources.KindMemory, false, "tale/index", sources.RankIndex, sources.Session{ID: idB, Title: "Elsewhere"}),
		of("c", sources.KindSession, true, "tale/index", sources.RankIndex, sources.Session{ID: idC, Title: "Gone"}),
	}}
	if r := b.mustSync(src); r.Sessions.Empty != 1 || len(b.ids("session:")) != 0 {
		t.Errorf("%d empty sessions, want 1; notes %q", r.Sessions.Empty, b.ids("session:"))
	}
}

// What a source lets expire was read once and stays part of its session.
func TestLayerWhoseFileExpiredStays(t *testing.T) {
	b := newBench(t)
	log := of("a", sources.KindSession, true, "tale/log", 0, chat(idA, 0, widget))
	plan := of("b", sources.KindSession, true, "tale/memory", sources.RankSidecar, sources.Session{ID: idA,
		Artifacts: []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", Text: "- [ ] write the docs\n"}}})
	src := &pile{name: "tale", items: []*thing{log, plan}}
	b.mustSync(src)
	src.items = []*thing{log}
	log.version++
	log.layers[0].Layers[0].Session.Turns[0].Assistant = "More."
	b.mustSync(src)
	if text := b.text(names.SessionID(idA)); !strings.Contains(text, "More.") || !strings.Contains(text, "|Plan: prompt of aaaa]]") {
		t.Errorf("note:\n%s", text)
	}
	b.steady(false, src)
}

func TestLongerCopyGoesFirst(t *testing.T) {
	long := chat(idA, 0, widget)
	long.Turns = numbered(append(long.Turns, sources.Turn{User: "and then"})...)
	for i := range long.Turns {
		long.Turns[i].At, long.Turns[i].End = time.Time{}, time.Time{}
	}
	long.Created, long.Updated = time.Time{}, time.Time{}
	short := long
	short.Turns = numbered(slices.Clone(long.Turns[:1])...)
	m := session.Merge([]sources.Layer{{Name: "a", Rank: 1, Session: &short}, {Name: "b", Rank: 1, Session: &long}})
	expect.Is(t, len(m.Session.Turns), 2, "turns of two copies without times, want those of the longer")
}
