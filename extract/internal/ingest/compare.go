package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

type delta struct {
	due      []dueItem
	vanished int
	shared   []byte // fingerprint of the parts that many items share; nil: compare them again
	unasked  bool   // a shared part could not give the item's digest
}

// dueItem is an item to read, with the fingerprint to store afterwards.
type dueItem struct {
	sources.Item
	print ledger.Fingerprint
	known bool // read before
	was   int  // number of its records then; 0: unknown
}

// delta compares the items of a listing with the state: all of them, or only those in buckets of the listing
// that changed, if nothing else may have.
func (g *ingestion) delta(ctx context.Context, src sources.Source, l sources.Listing, print []byte, then ledger.Scan) delta {
	digest := g.digests(ctx, src, l, then.Shared)
	row := func(key string) (ledger.ItemRow, bool) { return g.state.Item(src.Name(), key) }
	all := digest.moved || len(then.Listing) != len(print)
	if all { // one query is faster
		rows := g.state.Items(src.Name())
		row = func(key string) (r ledger.ItemRow, known bool) { r, known = rows[key]; return r, known }
	}
	d := delta{shared: digest.shared, vanished: g.state.CountItems(src.Name(), sources.KindSession)}
	told := map[string]bool{} // a shared part is reported once
	for i := range l.Items {
		isSession := l.Items[i].Kind == sources.KindSession
		d.vanished -= count(isSession)
		if at := bucketOf(l.Items[i]) * bucketPrint; !all && bytes.Equal(print[at:at+bucketPrint], then.Listing[at:at+bucketPrint]) {
			continue
		}
		it := g.ids.plain(&l.Items[i])
		row, known := row(it.Key)
		d.vanished += count(isSession && !known)
		own, shared, err := digest.print(it, row.Print)
		print := slices.Concat(own, shared)
		d.unasked = d.unasked || err != nil
		if err != nil && !told[err.Error()] {
			told[err.Error()] = true
			g.problem(sources.Problem{Source: it.Source, Item: it.Key, Path: it.Path, Err: err, Hint: "it is tried again next time", Fatal: true})
		}
		if isSession && g.o.Excluded(it.Session) {
			if !bytes.Equal(row.Print, print) { // it is forgotten, and counts as read
				g.state.PutItem(it.Source, it.Key, ledger.ItemRow{Kind: it.Kind, Print: print})
			}
			g.keepBare(it.Session)
			continue
		}
		if known && !g.o.Full && row.Print != nil && bytes.Equal(row.Print, print) {
			continue
		}
		if err != nil {
			print = own // read again once the shared part gives a digest
		}
		d.due = append(d.due, dueItem{Item: it, print: g.trusted(it, print), known: known, was: row.Records})
	}
	if d.unasked {
		d.shared = nil
	}
	slices.SortStableFunc(d.due, func(a, b dueItem) int { return byExpiry(a.Item, b.Item) })
	return d
}

const (
	buckets     = 256 // parts of a listing that are compared, each with the items of equal digests
	bucketPrint = 16  // bytes of the fingerprint of a bucket
)

func bucketOf(it sources.Item) int { return int(crc32.ChecksumIEEE([]byte(it.Key)) % buckets) }

// printListing returns the fingerprints of the buckets of a listing, one after the other.
func printListing(l sources.Listing) (print []byte) {
	var sums [buckets]hash.Hash
	for i := range sums {
		sums[i] = sha256.New()
	}
	var b []byte
	for _, it := range l.Items {
		b = append(append(b[:0], it.Key...), 0)
		for _, part := range it.Parts {
			b = append(append(b, part.Name...), 0)
			b = ledger.AppendStamp(b, part.Stamp)
		}
		sums[bucketOf(it)].Write(b)
	}
	for _, h := range sums {
		print = append(print, h.Sum(b[:0])[:bucketPrint]...)
	}
	return print
}

// recent is how far a file's time must be behind the clock to be trusted: a file written in the same tick as
// it is read may change once more unseen.
const recent = 20e6 // nanoseconds

// trusted returns the fingerprint, or nil if a part is as young as the reading.
func (g *ingestion) trusted(it sources.Item, print ledger.Fingerprint) ledger.Fingerprint {
	if slices.ContainsFunc(it.Parts, func(part sources.Part) bool { return g.tooRecent(part.Stamp) }) {
		return nil
	}
	return print
}

// tooRecent reports whether a file may change once more with an equal stamp. Its change time counts too, as a
// writer can set the modification time. The clock may have been set back since the start.
func (g *ingestion) tooRecent(s sources.Stamp) bool {
	began, now := g.began.UnixNano(), g.o.Now().UnixNano()
	from, to := min(began, now)-recent, max(began, now)+recent
	return s.MTime >= from && s.MTime <= to || s.CTime >= from && s.CTime <= to
}

// digests returns the shared parts' data about each item. While a shared part is unchanged, the last digest
// is used without opening it.
type digests struct {
	ctx    context.Context
	ask    sources.Digester // nil: the shared parts did not change, or there are none
	raw    func(sources.Item) sources.Item
	moved  bool
	shared []byte // see delta
}

func (g *ingestion) digests(ctx context.Context, src sources.Source, l sources.Listing, then []byte) digests {
	d := digests{ctx: ctx, raw: g.ids.asListed, shared: printShared(l)}
	d.moved = !bytes.Equal(d.shared, then) || g.o.Full
	d.ask, _ = src.(sources.Digester)
	if g.sharedTooRecent(l) {
		d.shared = nil // else items that are not due miss a change at this moment
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

// print returns the fingerprint of an item: a hash of its own parts, and the digests of shared ones, or the
// last one if a shared part gives none now.
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

// Expiring is something that an agent is going to delete.
type Expiring struct {
	Source  string    `json:"source"`
	Session string    `json:"session,omitempty"` // empty: only known after reading
	What    string    `json:"what"`              // "memory", "transcript"
	Path    string    `json:"path"`
	Used    time.Time `json:"used"`            // last change
	At      time.Time `json:"at,omitzero"`     // it may go from then on
	After   *int      `json:"after,omitempty"` // instead: it may go after that many newer ones
	// Archived reports whether an earlier run read it in its present state.
	Archived bool `json:"archived"`
}

// lasting is the time for items that never expire.
var lasting = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// oldest returns the last use of the part of an item that expires first, or lasting.
func oldest(it sources.Item) time.Time {
	first := lasting
	for _, x := range it.Expires {
		if x.Used.Before(first) {
			first = x.Used
		}
	}
	return first
}

// byExpiry orders items by loss: expiring ones first, oldest before newer, then the rest in order.
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

// tellExpiring reports what a source will delete, and how much of that d still has to read, without forgotten
// sessions.
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
