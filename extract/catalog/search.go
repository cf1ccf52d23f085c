package catalog

import (
	"cmp"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/search"
	"github.com/sessionloom/sessionloom/sources"
)

// Hit is a session, or a note of which nothing else is stored, that answers a question.
type Hit struct {
	Entry
	Excerpt   search.Excerpt `json:"excerpt"`
	At        time.Time      `json:"at,omitzero"`     // time of the turn
	Block     string         `json:"block,omitempty"` // block of the turn in its note: ^ID
	inherited bool
	FixedBy   string `json:"fixed_by,omitempty"` // commit or command that fixed the found error
}

// Asked is a question with its options.
type Asked struct {
	Query  search.Query
	Filter Filter
	Limit  int            // most hits with their text; 0: only count them
	Zone   *time.Location // zone of the vault
	Read   func(path string) (string, error)
}

// Answered is the answer to a question: the best hits first, and the total number.
type Answered struct {
	Hits  []Hit `json:"hits"`
	Count int   `json:"count"` // number of all, also unlisted ones
	// Spelled are the words that were replaced, as nothing has them.
	Spelled []search.Spelling `json:"spelled,omitempty"`
	// Partly says that nothing has all words: the hits have most of them.
	Partly bool `json:"partly,omitempty"`
}

// Search answers a question. It leaves out forks that repeat a hit of their parent.
func (c *Catalog) Search(a Asked) (out Answered) {
	// leastRead is the number of hits that are read before sorting, if fewer are shown.
	const leastRead = 10
	ignored := map[string]bool{}
	for _, i := range c.ledger.IgnoredSessions() {
		ignored[i.Session] = true
	}
	answer := search.Find(c.ledger, a.Query, func(f search.Found) bool {
		return !f.Empty && !ignored[f.Key] && f.Kind != ledger.KindForgotten && a.Filter.holds(f.Project, timeOf(f.Updated)) && a.Filter.holdsSource(c, f.Key)
	})
	a.Query = answer.Query
	out = Answered{Hits: []Hit{}, Partly: answer.Partly}
	limit := min(a.Limit, 1) * max(a.Limit, leastRead)
	var read []readHit
	for _, f := range answer.Found {
		verifies := a.Query.Verifies() || f.Kind == string(sources.KindMemory) // not every note of the session answers
		if len(read) >= limit && !verifies {
			out.Count++
			continue
		}
		h, ok := c.hit(a, f)
		if ok || !verifies {
			out.Count++
		}
		if h.inherited {
			f.Score *= repeated
		}
		if h.matters {
			f.Weight = 1
		}
		if ok && len(read) < limit {
			read = append(read, readHit{f, h})
		}
	}
	slices.SortStableFunc(read, func(x, y readHit) int { return x.Closer(x.Excerpt, y.Found, y.Excerpt) })
	var excerpts []search.Excerpt
	for _, h := range read {
		if len(out.Hits) < a.Limit && !c.toldByParent(h.Hit, out.Hits) {
			out.Hits = append(out.Hits, h.Hit)
			excerpts = append(excerpts, h.Excerpt)
		} else if len(out.Hits) < a.Limit {
			out.Count-- // a greater limit would not show it
		}
	}
	out.Spelled = a.Query.Spellings(excerpts)
	return out
}

// repeated is the factor on the score of a fork that repeats its parent.
const repeated = 0.9

type readHit struct {
	search.Found
	Hit
}

// hit returns the place in a match that answers the question.
func (c *Catalog) hit(a Asked, f search.Found) (h Hit, ok bool) {
	if f.Kind == "" { // only its note is left
		row, known := c.ledger.Note(f.Key)
		if !known {
			return h, false
		}
		h.Entry = c.entry(row)
		text, err := a.Read(h.Path)
		if err != nil {
			return h, false
		}
		h.Excerpt, ok = a.Query.InText(h.Title, text)
		return h, ok
	}
	s := session.Merge(c.ledger.Layers(f.Key)).Session
	h.Excerpt, ok = a.Query.InSession(&s)
	if turn := h.Excerpt.Turn; turn >= 0 && turn < len(s.Turns) {
		h.At = s.Turns[turn].At
		h.Block = content.ShownBlocks(s.Turns, a.Zone)[turn]
		if s.Turns[turn].Inherited { // its parent's note shows it
			h.Block, h.inherited = "", true
		}
	}
	if h.Excerpt.Field == search.Errors {
		h.FixedBy = fixOf(&s, h.Excerpt.Turn)
	}
	h.Entry = c.entryOf(f.Key, &s, h.Excerpt)
	return h, ok && (!s.IsMemory || h.Excerpt.Name != "")
}

// fixOf returns what fixed the last fixed error of a turn.
func fixOf(s *sources.Session, turn int) (by string) {
	for _, f := range commands.Fixes(s) {
		if f.Turn == turn {
			by = f.By()
		}
	}
	return by
}

func (c *Catalog) entryOf(id string, s *sources.Session, e search.Excerpt) Entry {
	if row, known := c.ledger.Note(names.SessionID(id)); known && row.State != ledger.Planned && !s.IsMemory {
		return c.entry(row)
	}
	record, _ := c.ledger.Session(id)
	out := c.sessionEntry(record)
	out.Title, out.Agent = s.Title, s.Agent
	if !s.IsMemory {
		return out
	}
	project := record.Project
	if record.Scope == string(sources.ScopeUser) {
		project = ""
	}
	for _, a := range s.Artifacts {
		for _, suffix := range []string{"", names.CollectionSuffix(id)} {
			if row, known := c.ledger.Note(names.SharedMemoryID(project, a, suffix)); known && a.Name == e.Name && row.State != ledger.Planned {
				return c.entry(row)
			}
		}
	}
	out.Title, out.Type = cmp.Or(out.Title, e.Name), names.TypeMemory
	return out
}

// toldByParent reports whether a fork repeats a hit of its parent, or of another fork.
func (c *Catalog) toldByParent(h Hit, before []Hit) bool {
	return h.Excerpt.Turn >= 0 && slices.ContainsFunc(before, func(b Hit) bool {
		return b.Excerpt.Text == h.Excerpt.Text && b.At.Equal(h.At) && b.Project == h.Project && !h.At.IsZero()
	})
}
