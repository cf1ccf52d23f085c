package extract

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// delta is what must be read of a source.
type delta struct {
	due      []dueItem
	known    map[string]ledger.ItemRow // by key, to be brought up to date
	vanished int
}

// dueItem is an item to read, with the fingerprint to remember afterwards.
type dueItem struct {
	sources.Item
	print  ledger.Fingerprint
	known  bool // read before
	afresh bool // what was kept of it is not to be trusted
}

// retry has an item that was read once be read again, whatever its stamps say.
func (d delta) retry(it dueItem) {
	if row, known := d.known[it.Key]; known {
		d.known[it.Key] = ledger.ItemRow{Kind: row.Kind}
	}
}

// delta compares a listing with what was last seen. Files are compared by their
// stamps, what is shared by many items by its digest.
func (p *pass) delta(ctx context.Context, src sources.Source, l sources.Listing) (delta, error) {
	rows, err := p.Ledger.Items(src.Name())
	if err != nil {
		return delta{}, err
	}
	digest, err := p.digests(ctx, src, l)
	if err != nil {
		return delta{}, err
	}
	d := delta{known: rows}
	listed := make(map[string]bool, len(l.Items))
	told := map[string]bool{} // of a part that many items share, once is enough
	for _, it := range l.Items {
		row, known := rows[it.Key]
		listed[it.Key] = true
		print, err := digest.print(it, row.Print)
		if err != nil && !told[err.Error()] {
			told[err.Error()] = true
			p.problem(Problem{Source: it.Source, Item: it.Key, Path: it.Path, Error: err.Error(), Hint: "it is tried again next time", Fatal: true})
		}
		if it.Kind == sources.KindSession && forgottenSession(p.Vault, it.Session) {
			rows[it.Key] = ledger.ItemRow{Kind: it.Kind, Print: print}
			if err := keepBareCard(p.Ledger, it.Session); err != nil {
				return delta{}, err
			}
			continue
		}
		if known && !p.full && row.Print != nil && bytes.Equal(row.Print, print) {
			continue
		}
		d.due = append(d.due, dueItem{Item: it, print: p.trusted(it, print), known: known, afresh: p.full})
	}
	for key, row := range rows {
		if row.Kind == sources.KindSession && !listed[key] {
			d.vanished++
		}
	}
	slices.SortStableFunc(d.due, func(a, b dueItem) int { return sooner(a.Item, b.Item) })
	return d, nil
}

// young is how far behind the clock a file's time must lie to be trusted: a file
// written in the same tick as we read it may change once more unseen.
const young = 20e6 // nanoseconds

// trusted returns the fingerprint, or nil where a part is as young as our read.
func (p *pass) trusted(it sources.Item, print ledger.Fingerprint) ledger.Fingerprint {
	for _, part := range it.Parts {
		if p.young(part.Stamp) {
			return nil
		}
	}
	return print
}

// young tells whether a file may change once more with an equal stamp. The time of
// its last change of any kind counts as well: whoever writes can set the other one.
// Our clock may have been set back since we began.
func (p *pass) young(s sources.Stamp) bool {
	began, now := p.started.UnixNano(), p.Now().UnixNano()
	from, to := min(began, now)-young, max(began, now)+young
	return s.MTime >= from && s.MTime <= to || s.CTime >= from && s.CTime <= to
}

// digests tells what shared parts say of each item. While the shared part did
// not move, what was last known is taken without opening it.
type digests struct {
	ctx   context.Context
	ask   sources.Digester // nil: the shared parts did not move, or there are none
	raw   func(sources.Item) sources.Item
	moved bool
}

func (p *pass) digests(ctx context.Context, src sources.Source, l sources.Listing) (digests, error) {
	print := printShared(l)
	then, err := p.Ledger.Meta(markShared + src.Name())
	if err != nil {
		return digests{}, err
	}
	d := digests{ctx: ctx, raw: p.listedAs, moved: !bytes.Equal(print, then) || p.full}
	d.ask, _ = src.(sources.Digester)
	if p.youngShared(l) {
		print = nil // else a change in this very moment stays unseen by the items that are not due
	}
	p.marks[markShared+src.Name()] = print
	return d, nil
}

func (p *pass) youngShared(l sources.Listing) bool {
	for _, it := range l.Items {
		for _, part := range it.Parts {
			if part.Shared && p.young(part.Stamp) {
				return true
			}
		}
	}
	return false
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

// print is the fingerprint of an item: a hash of its own parts, then the digests
// of shared ones. last is what it was.
func (d digests) print(it sources.Item, last ledger.Fingerprint) (ledger.Fingerprint, error) {
	own := it.Parts[:0:0]
	var shared []sources.Part
	for _, part := range it.Parts {
		if part.Shared {
			shared = append(shared, part)
		} else {
			own = append(own, part)
		}
	}
	print := ledger.FingerprintParts(own)
	if !d.moved && len(last) >= len(print) {
		return append(print, last[len(print):]...), nil
	}
	var words []string
	for _, part := range shared {
		if d.ask == nil {
			words = append(words, fmt.Sprint(part.Stamp))
			continue
		}
		w, err := d.ask.Digest(d.ctx, d.raw(it), part.Name)
		if err != nil {
			return nil, fmt.Errorf("compare %q: %w", part.Path, err)
		}
		words = append(words, w)
	}
	return append(print, strings.Join(words, "\x00")...), nil
}
