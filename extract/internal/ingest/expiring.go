package ingest

import (
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

// expiringFirst puts the sources first of which something expires.
func expiringFirst(all []sourceListing) {
	lasts := func(s sourceListing) int {
		if slices.ContainsFunc(s.Items, func(it sources.Item) bool { return len(it.Expires) > 0 }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b sourceListing) int { return lasts(a) - lasts(b) })
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
