package assign

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// A conversation may be found under several ids: a transcript under that of the
// agent, an export under that of its first request. A layer or note of it that
// knows says so (sources.Session.Aka, the property `also`), and what was read
// under the other ids is part of it then. Who belongs to whom is a function of
// what is known, not of the order in which it was found.

// findAliases works out anew which ids belong together, where that may have changed:
// reread tells that what is kept of some sessions did. It makes due the sessions that
// gain or lose something by it, and tells whether it looked.
func (a *Assigner) findAliases(reread bool) (looked bool, err error) {
	if due := ledger.Got(a.ledger.Value(ledger.AliasesDue)); len(due) == 0 && !reread {
		return false, nil
	}
	claims := ledger.Got(a.ledger.Claims())
	before := ledger.Got(a.ledger.Aliases())
	if len(claims) > 0 || len(before) > 0 {
		reads := ledger.Got(a.ledger.Reads())
		a.noteKnown(claims, reads)
		if err := a.putAliases(before, identity.ResolveAliases(claims, reads)); err != nil {
			return false, err
		}
	}
	return true, a.ledger.SetValue(ledger.AliasesDue, nil)
}

// noteKnown counts as known an id of a source's own making under which nothing is
// read any more and a note stands, or was deleted: the source names the session
// anew, and its note goes with it.
func (a *Assigner) noteKnown(claims []identity.AliasClaim, reads map[string]identity.KnownID) {
	for _, c := range claims {
		if _, known := reads[c.Of]; known || sources.IsUUID(c.Of) {
			continue
		}
		_, stands := ledger.Found(a.ledger.Note(names.SessionID(c.Of)))
		if stands || a.vault != nil && a.vault.HasTombstone(names.SessionID(c.Of)) {
			reads[c.Of] = identity.KnownID{Rank: sources.RankIndex}
		}
	}
}

// putAliases stores what changed and works out anew the records of all concerned.
func (a *Assigner) putAliases(before, after map[string]string) error {
	concerned := map[string]bool{}
	for _, aliases := range []map[string]string{before, after} {
		for id := range aliases {
			was, is := cmp.Or(before[id], id), cmp.Or(after[id], id)
			if was == is {
				continue
			}
			if err := a.ledger.PutAlias(id, is); err != nil {
				return err
			}
			concerned[id], concerned[was], concerned[is] = true, true, true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(concerned)) { // forks name their parent by any of its ids
		for _, f := range ledger.Got(a.ledger.Forks(id)) {
			concerned[f.ID] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(concerned)) {
		if err := a.renewRecord(id); err != nil {
			return err
		}
	}
	return nil
}

// renewRecord works out the record of a session from its layers, and drops that of an
// id that belongs to another session now.
func (a *Assigner) renewRecord(id string) error {
	if ledger.Got(a.ledger.CanonicalID(id)) != id || ledger.Got(a.ledger.LayerCount(id)) == 0 {
		a.loader.Forget(id)
		delete(a.merges, id)
		if err := a.ledger.DropSession(id); err != nil {
			return err
		}
		return a.queue.Mark(ledger.DueSession, id)
	}
	return a.Redo(id)
}
