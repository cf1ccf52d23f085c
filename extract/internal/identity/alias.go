// Package identity determines the project of a session's place, the paths in that project, and the ids that
// are one session. It reads no file and no state: two machines get one answer.
//
// A session that knows only a folder belongs to the project of the remote that another session knows for that
// folder, or for its repository; the newest session counts. This is never undone: a note in the project of a
// repository stays there, and is evidence for its folder if no other session knows the remote.
//
// Layers stay under the ids they were read under. All candidates together decide which session an id belongs
// to.
package identity

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// AliasCandidate says that the session By was also found under the id Of.
type AliasCandidate struct {
	By, Of   string
	Created  string // when By began, a sortable text, or ""
	FromNote bool   // only a note says so
}

// KnownID is the data about an id under which something was read.
type KnownID struct {
	Created  string       // earliest known time, RFC 3339 in UTC, or ""
	Rank     sources.Rank // best layer that was read
	Complete bool         // a layer that is not derived is a conversation from its start
}

// ResolveAliases maps each id that is not a session's own to its session. If several claim one id, the older
// has it, then the one with the smaller id; a UUID takes precedence over an id made by a source. The smallest
// id in a circle of claims is the session.
func ResolveAliases(candidates []AliasCandidate, known map[string]KnownID) map[string]string {
	best := map[string]AliasCandidate{}
	for _, c := range candidates {
		if r, ok := known[c.By]; ok {
			c.Created = r.Created
		}
		if c, ok := acceptCandidate(c, known); ok {
			have, taken := best[c.Of]
			if !taken || cmp.Or(compareForms(c.By, have.By), compareTimes(c.Created, have.Created), strings.Compare(c.By, have.By)) < 0 {
				best[c.Of] = c // its session has the better claim
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

// acceptCandidate swaps a candidate if the id it names is better, and rejects one for an unknown id, or for
// an id with a log of its own: a fork repeats the ids of the session it began with.
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

// compareTimes orders times by second, unknown ones last.
func compareTimes(a, b string) int {
	const second = len("2006-01-02T15:04:05")
	a, b = texts.CutRunes(a, second), texts.CutRunes(b, second)
	if a == "" || b == "" {
		return strings.Compare(b, a)
	}
	return strings.Compare(a, b)
}

// followCandidates follows claims to an unclaimed id, or to the best id of a circle.
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
