package extract

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// A conversation may be found under several ids: a transcript under that of the
// agent, an export under that of its first request. A layer or note of it that
// knows says so (sources.Session.Aka, the property `also`), and what was read
// under the other ids is part of it then. Who belongs to whom is a function of
// what is known, not of the order in which it was found.

// markKin is set while notes say other than the ledger which ids belong together.
const markKin = "kin"

// findKin works out anew which ids belong together, where that may have changed,
// and makes due the sessions that gain or lose something by it.
func (p *pass) findKin() error {
	flag, err := p.Ledger.Meta(markKin)
	if err != nil || len(flag) == 0 && !p.reread {
		return err
	}
	claims, err := p.Ledger.Claims()
	if err != nil {
		return err
	}
	before, err := p.Ledger.Aliases()
	if err != nil {
		return err
	}
	if len(claims) > 0 || len(before) > 0 {
		reads, err := p.Ledger.Reads()
		if err != nil {
			return err
		}
		if err := p.noteKnown(claims, reads); err != nil {
			return err
		}
		if err := p.takeKin(before, kinOf(claims, reads)); err != nil {
			return err
		}
	}
	return p.Ledger.SetMeta(markKin, nil)
}

// noteKnown counts as known an id of a source's own making under which nothing is
// read any more and a note stands, or was deleted: the source names the session
// anew, and its note goes with it.
func (p *pass) noteKnown(claims []ledger.Claim, reads map[string]ledger.Read) error {
	for _, c := range claims {
		if _, known := reads[c.Of]; known || sources.IsUUID(c.Of) {
			continue
		}
		_, stands, err := p.Ledger.Note(sessionID(c.Of))
		if err != nil {
			return err
		}
		if stands || p.Vault != nil && p.Vault.Buried(sessionID(c.Of)) {
			reads[c.Of] = ledger.Read{Rank: sources.RankIndex}
		}
	}
	return nil
}

// takeKin stores what changed and works out anew the cards of all concerned.
func (p *pass) takeKin(before, after map[string]string) error {
	concerned := map[string]bool{}
	for _, aliases := range []map[string]string{before, after} {
		for id := range aliases {
			was, is := cmp.Or(before[id], id), cmp.Or(after[id], id)
			if was == is {
				continue
			}
			if err := p.Ledger.PutAlias(id, is); err != nil {
				return err
			}
			concerned[id], concerned[was], concerned[is] = true, true, true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(concerned)) { // forks name their parent by any of its ids
		forks, err := p.Ledger.Forks(id)
		if err != nil {
			return err
		}
		for _, f := range forks {
			concerned[f.ID] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(concerned)) {
		if err := p.recard(id); err != nil {
			return err
		}
	}
	return nil
}

// recard works out the card of a session from its layers, and drops that of an
// id that belongs to another session now.
func (p *pass) recard(id string) error {
	p.cache.forget(id)
	home, err := p.Ledger.Home(id)
	if err != nil {
		return err
	}
	n, err := p.Ledger.LayerCount(id)
	if err != nil {
		return err
	}
	if home != id || n == 0 {
		delete(p.conflicts, id)
		delete(p.damage, id)
		return errors.Join(p.Ledger.DropSession(id), p.due.mark(ledger.DueSession, id))
	}
	m, err := p.mergedAlone(id)
	if err != nil {
		return err
	}
	return p.putCard(id, m)
}

// kinOf tells of each id that is not a session's own to which session it
// belongs. Of several that claim one id the older has it, then the one with the
// smaller id; a UUID goes before an id of a source's own making. What is claimed
// in a circle goes by the smallest id in it.
func kinOf(claims []ledger.Claim, reads map[string]ledger.Read) map[string]string {
	best := map[string]ledger.Claim{}
	for _, c := range claims {
		if r, known := reads[c.By]; known {
			c.Created = r.Created
		}
		if c, ok := usable(c, reads); ok {
			if have, taken := best[c.Of]; !taken || compareClaims(c, have) < 0 {
				best[c.Of] = c
			}
		}
	}
	out := map[string]string{}
	for id := range best {
		if home := followClaims(id, best); home != id {
			out[id] = home
		}
	}
	return out
}

// usable turns a claim round where the id claimed is the better name, and
// refuses one on an id that nothing is known under, or that has a log of its own:
// a fork repeats the ids of the session it began with.
func usable(c ledger.Claim, reads map[string]ledger.Read) (ledger.Claim, bool) {
	of, known := reads[c.Of]
	if c.By == c.Of || !known && !c.Note {
		return c, false
	}
	if known && sources.IsUUID(c.Of) && !sources.IsUUID(c.By) {
		c.By, c.Of, c.Created = c.Of, c.By, of.Created
	}
	of, known = reads[c.Of]
	itself := known && (of.Rank == sources.RankLog || of.Whole && sources.IsUUID(c.Of))
	return c, !itself
}

// compareClaims puts first who claims with more right.
func compareClaims(a, b ledger.Claim) int {
	return cmp.Or(compareForms(a.By, b.By), compareTimes(a.Created, b.Created), strings.Compare(a.By, b.By))
}

// compareForms puts a UUID before any other id.
func compareForms(a, b string) int {
	return boolCount(sources.IsUUID(b)) - boolCount(sources.IsUUID(a))
}

// compareTimes puts the earlier second first and an unknown time last.
func compareTimes(a, b string) int {
	const second = len("2006-01-02T15:04:05")
	a, b = texts.CutRunes(a, second), texts.CutRunes(b, second)
	if a == "" || b == "" {
		return strings.Compare(b, a)
	}
	return strings.Compare(a, b)
}

// followClaims goes from claim to claim up to who is claimed by nobody, or names
// the best id of a circle.
func followClaims(id string, best map[string]ledger.Claim) string {
	var path []string
	for {
		if i := slices.Index(path, id); i >= 0 {
			return slices.MinFunc(path[i:], func(a, b string) int { return cmp.Or(compareForms(a, b), strings.Compare(a, b)) })
		}
		c, claimed := best[id]
		if !claimed {
			return id
		}
		path = append(path, id)
		id = c.By
	}
}
