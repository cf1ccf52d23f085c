package ingest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

type delta struct {
	due      []dueItem
	vanished int
	shared   []byte // fingerprint of the parts that many items share; nil: they are to be compared again
	unasked  bool   // a shared part could not tell what it says of an item
}

// dueItem is an item to read, with the fingerprint to remember afterwards.
type dueItem struct {
	sources.Item
	print ledger.Fingerprint
	known bool // read before
	was   int  // how many records it had then; 0: not known
}

func (g *ingestion) delta(ctx context.Context, src sources.Source, l sources.Listing, shared []byte) delta {
	rows := g.state.Items(src.Name())
	digest := g.digests(ctx, src, l, shared)
	d := delta{shared: digest.shared}
	listed := make(map[string]bool, len(l.Items))
	told := map[string]bool{} // of a part that many items share, once is enough
	for _, it := range l.Items {
		row, known := rows[it.Key]
		listed[it.Key] = true
		own, shared, err := digest.print(it, row.Print)
		print := slices.Concat(own, shared)
		d.unasked = d.unasked || err != nil
		if err != nil && !told[err.Error()] {
			told[err.Error()] = true
			g.problem(sources.Problem{Source: it.Source, Item: it.Key, Path: it.Path, Err: err, Hint: "it is tried again next time", Fatal: true})
		}
		if it.Kind == sources.KindSession && g.o.Excluded(it.Session) {
			if !bytes.Equal(row.Print, print) { // it is forgotten, and taken for read
				g.state.PutItem(it.Source, it.Key, ledger.ItemRow{Kind: it.Kind, Print: print})
			}
			g.keepBare(it.Session)
			continue
		}
		if known && !g.o.Full && row.Print != nil && bytes.Equal(row.Print, print) {
			continue
		}
		if err != nil {
			print = own // read once more when the shared part tells again
		}
		d.due = append(d.due, dueItem{Item: it, print: g.trusted(it, print), known: known, was: row.Records})
	}
	for key, row := range rows {
		if row.Kind == sources.KindSession && !listed[key] {
			d.vanished++
		}
	}
	if d.unasked {
		d.shared = nil
	}
	slices.SortStableFunc(d.due, func(a, b dueItem) int { return byExpiry(a.Item, b.Item) })
	return d
}

// recent is how far behind the clock a file's time must lie to be trusted: a file
// written in the same tick as we read it may change once more unseen.
const recent = 20e6 // nanoseconds

// trusted returns the fingerprint, or nil if a part is as young as our read.
func (g *ingestion) trusted(it sources.Item, print ledger.Fingerprint) ledger.Fingerprint {
	if slices.ContainsFunc(it.Parts, func(part sources.Part) bool { return g.tooRecent(part.Stamp) }) {
		return nil
	}
	return print
}

// tooRecent reports whether a file may change once more with an equal stamp. The time of
// its last change of any kind counts as well: whoever writes can set the other one.
// Our clock may have been set back since we began.
func (g *ingestion) tooRecent(s sources.Stamp) bool {
	began, now := g.began.UnixNano(), g.o.Now().UnixNano()
	from, to := min(began, now)-recent, max(began, now)+recent
	return s.MTime >= from && s.MTime <= to || s.CTime >= from && s.CTime <= to
}

// digests reports what shared parts say of each item. While the shared part did
// not move, what was last known is taken without opening it.
type digests struct {
	ctx    context.Context
	ask    sources.Digester // nil: the shared parts did not move, or there are none
	raw    func(sources.Item) sources.Item
	moved  bool
	shared []byte // see delta
}

func (g *ingestion) digests(ctx context.Context, src sources.Source, l sources.Listing, then []byte) digests {
	d := digests{ctx: ctx, raw: g.ids.asListed, shared: printShared(l)}
	d.moved = !bytes.Equal(d.shared, then) || g.o.Full
	d.ask, _ = src.(sources.Digester)
	if g.sharedTooRecent(l) {
		d.shared = nil // else a change in this very moment stays unseen by the items that are not due
	}
	return d
}

func (g *ingestion) sharedTooRecent(l sources.Listing) bool {
	return slices.ContainsFunc(l.Items, func(it sources.Item) bool {
		return slices.ContainsFunc(it.Parts, func(part sources.Part) bool { return part.Shared && g.tooRecent(part.Stamp) })
	})
}

func printShared(l sources.Listing) []byte {
	seen := map[string]bool{}
	var b []byte
	for _, it := range l.Items {
		for _, part := range it.Parts {
			if part.Shared && !seen[part.Path] {
				seen[part.Path] = true
				b = append(append(b, part.Path...), 0)
				b = ledger.AppendStamp(b, part.Stamp)
			}
		}
	}
	return b
}

// print is the fingerprint of an item: a hash of its own parts, and the digests of
// shared ones. Of those that do not tell now it is what it was last.
func (d digests) print(it sources.Item, last ledger.Fingerprint) (own, shared ledger.Fingerprint, err error) {
	var parts, common []sources.Part
	for _, part := range it.Parts {
		if part.Shared {
			common = append(common, part)
		} else {
			parts = append(parts, part)
		}
	}
	own = ledger.FingerprintParts(parts)
	if len(last) >= len(own) {
		shared = last[len(own):]
	}
	if !d.moved && last != nil {
		return own, shared, nil
	}
	var words []string
	for _, part := range common {
		if d.ask == nil {
			words = append(words, fmt.Sprint(part.Stamp))
			continue
		}
		w, err := d.ask.Digest(d.ctx, d.raw(it), part.Name)
		if err != nil {
			return own, shared, fmt.Errorf("compare %q: %w", part.Path, err)
		}
		words = append(words, w)
	}
	return own, ledger.Fingerprint(strings.Join(words, "\x00")), nil
}

// Expiring is something that an agent is going to delete by itself.
type Expiring struct {
	Source  string    `json:"source"`
	Session string    `json:"session,omitempty"` // empty: only reading tells
	What    string    `json:"what"`              // "memory", "transcript"
	Path    string    `json:"path"`
	Used    time.Time `json:"used"`            // last change
	At      time.Time `json:"at,omitzero"`     // it may go from then on
	After   *int      `json:"after,omitempty"` // instead: it may go once so many newer ones came
	// Archived reports whether an earlier run read it as it is now.
	Archived bool `json:"archived"`
}

// lasting is when what never expires was used last.
var lasting = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// oldest is when the part of an item that expires first was used last, lasting where none
// does.
func oldest(it sources.Item) time.Time {
	first := lasting
	for _, x := range it.Expires {
		if x.Used.Before(first) {
			first = x.Used
		}
	}
	return first
}

// byExpiry orders items by what is lost first: what expires, the oldest before all,
// goes before the rest, which keeps its order.
func byExpiry(a, b sources.Item) int {
	if used := oldest(a); used.Equal(oldest(b)) && used != lasting {
		return strings.Compare(a.Key, b.Key)
	}
	return oldest(a).Compare(oldest(b))
}

func expiringFirst(all []sourceListing) {
	lasts := func(s sourceListing) int {
		if slices.ContainsFunc(s.Items, func(it sources.Item) bool { return len(it.Expires) > 0 }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b sourceListing) int { return lasts(a) - lasts(b) })
}

// tellExpiring reports what a source lets expire, and what of it d has yet to read.
// Sessions that their user had us forget are left out.
func (g *ingestion) tellExpiring(l sources.Listing, d delta) {
	if !g.o.Expiring {
		return
	}
	due := map[string]bool{}
	for _, it := range d.due {
		due[it.Key] = true
	}
	for _, it := range l.Items {
		if len(it.Expires) == 0 {
			continue
		}
		id := g.ids.Ref(it.Session)
		if it.Kind == sources.KindSession && g.o.Excluded(id) {
			continue
		}
		for _, x := range it.Expires {
			e := Expiring{Source: it.Source, Session: id, What: x.What, Path: x.Path, Used: x.Used.UTC(), At: x.At.UTC(), Archived: !due[it.Key]}
			if x.At.IsZero() {
				e.At, e.After = time.Time{}, &x.After
			}
			g.found.Expiring = append(g.found.Expiring, e)
		}
	}
}
