// Package identity says what a session belongs to: the project of the place it
// worked in, the paths in that project, and the ids that are one session. It reads
// no file and no state: two machines come to one answer.
//
// A session that knows only a folder belongs to the project of the remote that another
// session knows for that folder, or for the repository it is in; the newest session's word
// counts. This never goes back: a note that is in the project of a repository keeps it,
// and teaches its folder to others, where nobody else is left who knows the remote.
//
// Layers stay under the id that they were read under. Which session an id belongs to is
// worked out from all candidates at once.
package identity

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// AliasCandidate says that the session By was found under the id Of, too.
type AliasCandidate struct {
	By, Of   string
	Created  string // when By began, a time whose order is that of its text; empty: unknown
	FromNote bool   // a note says so, nothing that was read
}

// KnownID is what is known of an id under which something was read.
type KnownID struct {
	Created  string       // earliest time that is known, RFC 3339 in UTC; empty: unknown
	Rank     sources.Rank // best of what was read
	Complete bool         // some of it, not derived, is a conversation from its start
}

// ResolveAliases maps each id that is not a session's own to the session it
// belongs. Of several that claim one id the older has it, then the one with the
// smaller id; a UUID goes before an id of a source's own making. What is claimed
// in a circle goes by the smallest id in it.
func ResolveAliases(candidates []AliasCandidate, known map[string]KnownID) map[string]string {
	best := map[string]AliasCandidate{}
	for _, c := range candidates {
		if r, ok := known[c.By]; ok {
			c.Created = r.Created
		}
		if c, ok := acceptCandidate(c, known); ok {
			have, taken := best[c.Of]
			if !taken || cmp.Or(compareForms(c.By, have.By), compareTimes(c.Created, have.Created), strings.Compare(c.By, have.By)) < 0 {
				best[c.Of] = c // with more right
			}
		}
	}
	out := map[string]string{}
	for id := range best {
		if session := followCandidates(id, best); session != id {
			out[id] = session
		}
	}
	return out
}

// acceptCandidate turns a candidate round where the id it names is the better name, and
// refuses one on an id that nothing is known under, or that has a log of its own:
// a fork repeats the ids of the session it began with.
func acceptCandidate(c AliasCandidate, all map[string]KnownID) (AliasCandidate, bool) {
	of, known := all[c.Of]
	if c.By == c.Of || !known && !c.FromNote {
		return c, false
	}
	if known && sources.IsUUID(c.Of) && !sources.IsUUID(c.By) {
		c.By, c.Of, c.Created = c.Of, c.By, of.Created
	}
	of, known = all[c.Of]
	itself := known && (of.Rank == sources.RankLog || of.Complete && sources.IsUUID(c.Of))
	return c, !itself
}

// compareForms orders UUIDs before other ids.
func compareForms(a, b string) int {
	switch first, second := sources.IsUUID(a), sources.IsUUID(b); {
	case first == second:
		return 0
	case first:
		return -1
	}
	return 1
}

// compareTimes orders times by the second, unknown ones last.
func compareTimes(a, b string) int {
	const second = len("2006-01-02T15:04:05")
	a, b = texts.CutRunes(a, second), texts.CutRunes(b, second)
	if a == "" || b == "" {
		return strings.Compare(b, a)
	}
	return strings.Compare(a, b)
}

// followCandidates follows claims to the id that nobody claims, or to the best id of a circle.
func followCandidates(id string, best map[string]AliasCandidate) string {
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
