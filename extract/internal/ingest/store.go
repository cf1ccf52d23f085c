package ingest

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// store puts a reading into the state.
func (g *ingestion) store(out readOutcome) error {
	it := out.item
	r := g.found.source(it.Source, it.Root)
	r.Read++
	r.BytesRead += out.reading.BytesRead
	for k, n := range out.reading.Unknown {
		r.Unknown[k] += n
	}
	for k, n := range out.counts {
		g.found.Redactions[k] += n
	}
	g.found.Problems = append(g.found.Problems, out.reading.Problems...)
	changed := false
	for _, ps := range out.sessions {
		some, err := g.storeSession(ps, it)
		if err != nil {
			return err
		}
		changed = changed || some
	}
	if it.Kind == sources.KindMemory {
		if err := g.state.SetRowsOnly(it.Source, it.Key, out.reading.RowsOnly); err != nil {
			return err
		}
	}
	g.countRead(it, changed)
	return nil
}

func (g *ingestion) countRead(it dueItem, changed bool) {
	if it.Kind != sources.KindSession || !changed {
		return
	}
	c := &g.found.Counts
	if it.Scaffold {
		c.Listed++
	}
	if it.known {
		c.Changed++
	} else {
		c.New++
	}
}

// storeSession stores what an item says of one session, and tells whether that
// changed anything.
func (g *ingestion) storeSession(ps packedSession, it dueItem) (bool, error) {
	if g.o.Excluded(ps.ID) || g.excludedUnder(ps) {
		return false, g.keepBare(ps.ID)
	}
	changed, err := g.rename(ps, it)
	if err != nil {
		return false, err
	}
	size := 0
	whole := true
	for i, la := range ps.Layers {
		if g.storedStays(ps.ID, it.Item, la) {
			whole = false
			continue
		}
		kept, err := g.keepBeginning(ps.ID, it.Item, la)
		if err != nil {
			return false, err
		}
		some, err := g.state.PutLayer(ps.ID, it.Item, la, ps.packed[i])
		if err != nil {
			return false, err
		}
		changed = changed || some || kept
		size += ps.packed[i].Size
	}
	if !changed {
		return false, nil
	}
	return true, g.tell(ps, size, whole)
}

// tell tells of a session that was stored. whole says that all its layers that were
// read were.
func (g *ingestion) tell(ps packedSession, size int, whole bool) error {
	g.found.Stored = true
	id := ledger.Got(g.state.CanonicalID(ps.ID))
	n := ledger.Got(g.state.LayerCount(id))
	layers := ps.Layers
	if !whole || n != len(layers) {
		layers = nil
	}
	return g.o.Sessions.LayersChanged(id, layers, size)
}

// rename has an item whose session is told only inside go by the id it tells now:
// one it told before was of the same session.
func (g *ingestion) rename(ps packedSession, it dueItem) (changed bool, err error) {
	if it.Kind != sources.KindSession || it.Session != "" {
		return false, nil
	}
	for _, was := range akaOf(ps.Layers) {
		moved, err := g.state.MoveLayers(it.Item, was, ps.ID)
		if err == nil && moved {
			changed, g.found.Stored = true, true
			err = g.o.Sessions.LayersMoved(was)
		}
		if err != nil {
			return false, err
		}
	}
	return changed, nil
}

// akaOf are the other ids that the layers of a session claim.
func akaOf(layers []sources.Layer) (ids []string) {
	for _, la := range layers {
		if la.Session != nil {
			ids = append(ids, la.Session.Aka...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// excludedUnder tells that a session whose id is no UUID was forgotten under
// another id of it.
func (g *ingestion) excludedUnder(ps packedSession) bool {
	return !sources.IsUUID(ps.ID) && slices.ContainsFunc(akaOf(ps.Layers), func(id string) bool { return !sources.IsUUID(id) && g.o.Excluded(id) })
}

// keepBare leaves a bare record of a session that is not stored.
func (g *ingestion) keepBare(id string) error {
	if _, known := ledger.Found(g.state.Session(id)); known {
		return nil
	}
	return g.state.PutSession(ledger.SessionRecord{ID: id}.Bare())
}
