package ingest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Expiring is something that an agent is going to delete by itself.
type Expiring struct {
	Source  string    `json:"source"`
	Session string    `json:"session,omitempty"` // empty: only reading tells
	What    string    `json:"what"`              // "memory", "transcript"
	Path    string    `json:"path"`
	Used    time.Time `json:"used"`            // last change
	At      time.Time `json:"at,omitzero"`     // it may go from then on
	After   *int      `json:"after,omitempty"` // instead: it may go once so many newer ones came
	// Archived tells whether an earlier run read it as it is now.
	Archived bool `json:"archived"`
}

// oldest is when the part of an item that expires first was used last; false
// where none does.
func oldest(it sources.Item) (time.Time, bool) {
	if len(it.Expires) == 0 {
		return time.Time{}, false
	}
	first := slices.MinFunc(it.Expires, func(a, b sources.Expiry) int { return a.Used.Compare(b.Used) })
	return first.Used, true
}

// byExpiry orders items by what is lost first: what expires, the oldest before all,
// goes before the rest, which keeps its order.
func byExpiry(a, b sources.Item) int {
	used, expires := oldest(a)
	other, also := oldest(b)
	switch {
	case expires && also:
		return cmp.Or(used.Compare(other), strings.Compare(a.Key, b.Key))
	case expires:
		return -1
	case also:
		return 1
	}
	return 0
}

// expiringFirst puts the sources first of which something expires.
func expiringFirst(all []sourceListing) {
	lasting := func(s sourceListing) int {
		if slices.ContainsFunc(s.Items, func(it sources.Item) bool { return len(it.Expires) > 0 }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b sourceListing) int { return lasting(a) - lasting(b) })
}

// tellExpiring tells what expires of a source, and what of it d is still to read.
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
