package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// What a reading means that says less than what is stored, by what the reader says
// of each layer. A layer that a reading leaves out stays.

// storedStays tells whether a layer that was read, or could not be read, leaves
// the stored one as it is. A provisional one replaces what tells fewer turns, unless
// it is derived, and what is provisional too and tells no more. That turns are kept is
// named.
func (g *ingestion) storedStays(session string, it sources.Item, la sources.Layer) bool {
	if la.Session == nil || !la.Provisional {
		return la.Session == nil
	}
	stored, provisional := ledger.Found(g.state.Layer(keptLayer(session, it, la.Name)))
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

// completeByStored adds to a layer, which is masked, what the stored one has and it
// lacks: artifacts that expired, and a folder that was told. Its files are told from
// that.
func (g *ingestion) completeByStored(session string, it sources.Item, la sources.Layer) {
	guessed := la.Session.Place.Guessed
	if !la.Accumulates && !guessed {
		return
	}
	stored, _ := ledger.Found(g.state.Layer(keptLayer(session, it, la.Name)))
	if stored == nil {
		stored = &sources.Session{}
	}
	if la.Accumulates {
		la.Session.Artifacts = withExpired(la.Session.Artifacts, stored.Artifacts)
	}
	if is, was := &la.Session.Place, stored.Place; is.Guessed && !was.Guessed && tellsPlace(was) {
		is.Guessed, is.Cwd, is.Workspace, is.Folders = false, was.Cwd, was.Workspace, was.Folders
		if is.Repository == "" {
			is.Repository, is.Host, is.HostType = was.Repository, was.Host, was.HostType
		}
	}
	if guessed {
		la.Session.ShortenFiles()
	}
}

func tellsPlace(p sources.Place) bool { return cmp.Or(p.Cwd, p.Workspace, p.Repository) != "" }

// withExpired adds those of the stored artifacts that are no longer there.
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

// truncatedLog is the suffix of a layer that keeps what a log held before it was
// cut at its start, by hand or by a tool. It is no layer of the source: a note
// made with it is not made again without it.
const truncatedLog = "/before-it-was-cut"

// keepBeginning keeps a whole log beside one that no longer begins at its start:
// absence is not deletion. A rewind leaves the start and is no such case.
func (g *ingestion) keepBeginning(session string, it sources.Item, la sources.Layer) (bool, error) {
	if la.Rank != sources.RankLog || la.Session.Whole {
		return false, nil
	}
	old, _ := ledger.Found(g.state.Layer(keptLayer(session, it, la.Name)))
	if old == nil || !old.Whole {
		return false, nil
	}
	old.Whole = false
	packed, err := g.state.Pack(old)
	if err != nil {
		return false, err
	}
	before := sources.Layer{Name: la.Name + truncatedLog, Rank: sources.RankSidecar, Session: old}
	return g.state.PutLayer(session, it, before, packed)
}

func keptLayer(session string, it sources.Item, name string) ledger.KeptLayer {
	return ledger.KeptLayer{Session: session, Source: it.Source, Item: it.Key, Name: name}
}
