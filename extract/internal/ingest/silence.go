package ingest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
)

// A format that moved is met as silence: records of kinds that nobody knows, files that grow and
// tell nothing more. That is a problem with a name, for nobody misses what was never shown.

// heard is what was read below one root, and what of it told something.
type heard struct {
	records, unknown int
	grown, changed   int // sessions with more records than before, and those of them that told more
	fresh, spoken    int // sessions that were not known, and those of them in which something was said
}

// How much must be silent before it is told.
const (
	fewRecords = 50 // of which a share says nothing
	fewGrown   = 3
	fewFresh   = 10
	longFresh  = 20 // records of a session, on the average, that is more than opened and left
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

// tellSilence names the roots that told too little of what was read of a source.
func (g *ingestion) tellSilence(src sources.Source) {
	for _, root := range slices.Sorted(maps.Keys(g.heard)) {
		what := g.heard[root].silence()
		if what == "" {
			continue
		}
		hint := "sessionloom sources --details lists the kinds; a newer sessionloom may know them"
		if t, ok := src.(sources.Tester); ok {
			hint = "this reader was tested up to version " + t.Tested() + "; " + hint
		}
		g.problem(sources.Problem{Source: src.Name(), Path: root, Err: fmt.Errorf("%s: its format may have changed", what), Hint: hint})
	}
	g.heard = nil
}

// silence says what is suspicious, nothing where all is well.
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
