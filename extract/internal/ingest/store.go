package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

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
		some, err := g.storeSession(ps, it, out.reading.Records < it.was)
		if err != nil {
			return err
		}
		changed = changed || some
	}
	if it.Kind == sources.KindMemory {
		g.state.SetRowsOnly(it.Source, it.Key, out.reading.RowsOnly)
	}
	g.countRead(it, changed)
	g.hear(it, &out.reading, changed)
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

// storeSession stores an item's layers of one session, and reports whether that changed anything. shorter
// says that the item has fewer records than before.
func (g *ingestion) storeSession(ps packedSession, it dueItem, shorter bool) (bool, error) {
	if g.o.Excluded(ps.ID) || g.excludedUnder(ps) {
		g.keepBare(ps.ID)
		return false, nil
	}
	if slices.ContainsFunc(ps.Layers, func(la sources.Layer) bool { return la.Session != nil && la.Session.AsksToDistil() }) {
		return false, nil
	}
	changed := g.rename(ps, it)
	whole := true
	for i, la := range ps.Layers {
		if g.storedStays(ps.ID, it.Item, la) {
			whole = false
			continue
		}
		keep := g.keepTruncatedLog
		if la.AppendOnly && shorter {
			keep = g.keepLost
		}
		kept, err := keep(ps.ID, it.Item, la)
		if err != nil {
			return false, err
		}
		changed = g.state.PutLayer(ps.ID, it.Item, la, ps.packed[i]) || changed || kept
	}
	if !changed {
		return false, nil
	}
	g.reportStored(ps, it, whole)
	return true, nil
}

// reportStored reports a stored session. whole is set if all read layers were stored.
func (g *ingestion) reportStored(ps packedSession, it dueItem, whole bool) {
	g.found.Stored = true
	id := g.state.CanonicalID(ps.ID)
	n := g.state.LayerCount(id)
	layers := ps.Layers
	if !whole || n != len(layers) || it.Kind == sources.KindWords {
		layers = nil
	}
	g.o.Sessions.LayersChanged(id, layers)
}

// rename gives an item, whose session is only named inside, its present id: an earlier id belonged to the
// same session.
func (g *ingestion) rename(ps packedSession, it dueItem) (changed bool) {
	if it.Kind != sources.KindSession || it.Session != "" {
		return false
	}
	for _, was := range aliasesOf(ps.Layers) {
		if g.state.MoveLayers(it.Item, was, ps.ID) {
			changed, g.found.Stored = true, true
			g.o.Sessions.LayersMoved(was)
		}
	}
	return changed
}

func aliasesOf(layers []sources.Layer) (ids []string) {
	for _, la := range layers {
		if la.Session != nil {
			ids = append(ids, la.Session.Aliases...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// excludedUnder reports whether a session without a UUID was forgotten under another of its ids.
func (g *ingestion) excludedUnder(ps packedSession) bool {
	return !sources.IsUUID(ps.ID) && slices.ContainsFunc(aliasesOf(ps.Layers), func(id string) bool { return !sources.IsUUID(id) && g.o.Excluded(id) })
}

// keepBare stores only a bare record of a session.
func (g *ingestion) keepBare(id string) {
	if _, known := g.state.Session(id); !known {
		g.state.PutSession(ledger.SessionRecord{ID: id}.Bare())
	}
}

// The meaning of a poorer reading, by the reader's marks on each layer. A layer that a reading leaves out
// stays.

// storedStays reports whether the stored layer stays in place of a read or failed one. A provisional layer
// replaces a provisional one with no more turns, and another one with fewer unless it is derived. Kept turns
// are reported.
func (g *ingestion) storedStays(session string, it sources.Item, la sources.Layer) bool {
	if la.Session == nil || !la.Provisional {
		return la.Session == nil
	}
	stored, provisional := g.state.Layer(keptLayer(session, it, la.Name))
	if stored == nil {
		return false
	}
	more := len(la.Session.Turns) - len(stored.Turns)
	if provisional && more >= 0 || more > 0 && la.Rank < sources.RankStore {
		return false
	}
	if len(stored.Turns) > 0 && la.Rank < sources.RankStore {
		why := cmp.Or(strings.Join(la.Session.Damage, ", "), "nothing is left in it")
		g.problem(sources.Problem{Source: it.Source, Item: it.Key, Path: it.Path, Err: fmt.Errorf("%s: %s, what was read before is kept", la.Name, why)})
	}
	return true
}

// completeByStored adds to a masked layer what only the stored one has: expired artifacts, and a known
// folder, to which its files are then made relative.
func (g *ingestion) completeByStored(session string, it sources.Item, la sources.Layer) {
	guessed := la.Session.Place.Guessed
	if !la.Accumulates && !guessed {
		return
	}
	stored, _ := g.state.Layer(keptLayer(session, it, la.Name))
	if stored == nil {
		stored = &sources.Session{}
	}
	if la.Accumulates {
		la.Session.Artifacts = withExpired(la.Session.Artifacts, stored.Artifacts)
	}
	if is, was := &la.Session.Place, stored.Place; is.Guessed && !was.Guessed && cmp.Or(was.Cwd, was.Workspace, was.Repository) != "" {
		is.Guessed, is.Cwd, is.Workspace, is.Folders = false, was.Cwd, was.Workspace, was.Folders
		if is.Repository == "" {
			is.Repository, is.Host, is.HostType = was.Repository, was.Host, was.HostType
		}
	}
	if guessed {
		la.Session.ShortenFiles()
	}
}

// withExpired adds the stored artifacts that no longer exist.
func withExpired(now, stored []sources.Artifact) []sources.Artifact {
	for _, old := range stored {
		there := slices.ContainsFunc(now, func(a sources.Artifact) bool { return a.Kind == old.Kind && a.Name == old.Name })
		if !there && old.Text != "" {
			now = append(now, old)
		}
	}
	slices.SortStableFunc(now, func(a, b sources.Artifact) int { return strings.Compare(a.Name, b.Name) })
	return now
}

// truncatedLog is the suffix of a layer, or of an item, that keeps a log from before it was cut by hand or by
// a tool. The source has no such layer: a note made with it is not rendered without it.
const truncatedLog = "/before-it-was-cut"

// keepTruncatedLog keeps a whole log beside one without its start: absence is not deletion. A rewind leaves
// the start and is not such a case.
func (g *ingestion) keepTruncatedLog(session string, it sources.Item, la sources.Layer) (bool, error) {
	if la.Rank != sources.RankLog || la.Session.Complete {
		return false, nil
	}
	old, _ := g.state.Layer(keptLayer(session, it, la.Name))
	if old == nil || !old.Complete {
		return false, nil
	}
	old.Complete = false
	packed, err := g.state.Pack(old)
	if err != nil {
		return false, err
	}
	before := sources.Layer{Name: la.Name + truncatedLog, Rank: sources.RankSidecar, Session: old}
	return g.state.PutLayer(session, it, before, packed), nil
}

// keepLost stores the lost part of a log beside its rest, like another log of the session, and reports it. If
// a note is built from several such parts, each stays.
func (g *ingestion) keepLost(session string, it sources.Item, la sources.Layer) (bool, error) {
	old, _ := g.state.Layer(keptLayer(session, it, la.Name))
	if old == nil || !lacks(la.Session, old) {
		return false, nil
	}
	packed, err := g.state.Pack(old)
	if err != nil {
		return false, err
	}
	was := it
	was.Key += truncatedLog
	for n := 2; ; n++ {
		if kept, _ := g.state.Layer(keptLayer(session, was, la.Name)); kept == nil || !lacks(old, kept) {
			break
		}
		was.Key = fmt.Sprint(it.Key, truncatedLog, "/", n)
	}
	g.problem(sources.Problem{Source: it.Source, Item: it.Key, Path: it.Path, Err: fmt.Errorf("%s: what it held is gone from it, what was read before is kept", la.Name)})
	return g.state.PutLayer(session, was, sources.Layer{Name: la.Name, Rank: la.Rank, Session: old}, packed), nil
}

// lacks reports whether a reading lacks turns of another one, by their ids or prompts.
func lacks(s, other *sources.Session) bool {
	ids, prompts := map[string]bool{"": true}, map[string]bool{}
	for _, t := range slices.Concat(s.Turns, s.TakenBack) {
		ids[t.ID], prompts[t.User] = true, true
	}
	return slices.ContainsFunc(other.Turns, func(t sources.Turn) bool { return !ids[t.ID] && !prompts[t.User] })
}

func keptLayer(session string, it sources.Item, name string) ledger.KeptLayer {
	return ledger.KeptLayer{Session: session, Source: it.Source, Item: it.Key, Name: name}
}
