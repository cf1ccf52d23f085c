package search

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Found is a hit: a session or memory, or a note by its id.
type Found struct {
	ledger.SearchHit
	Weight int     // among equal matches the heavier comes first
	near   bool    // all its words are close to each other somewhere
	inName bool    // a term is only within a name
	words  int     // number of found words, if not all
	share  float64 // their weight
}

func (q Query) strict(l *ledger.Ledger) []Found {
	const manyHits = 100 // from this many hits on, names are not searched
	var out []Found
	near, seen := map[string]bool{}, map[string]bool{}
	if close := q.near(); close != "" {
		for _, h := range l.SearchWords(close, nil) {
			near[h.Key] = true
		}
	}
	for _, h := range l.SearchWords(q.expression(), columnWeights()) {
		seen[h.Key] = true
		out = append(out, Found{SearchHit: h, near: near[h.Key]})
	}
	if len(out) < manyHits {
		for _, h := range q.within(l) {
			if !seen[h.Key] {
				out = append(out, Found{SearchHit: h, inName: true})
			}
		}
	}
	slices.SortFunc(out, Found.compare)
	return out
}

func (f Found) compare(o Found) int {
	rank := func(x Found) int {
		switch {
		case x.near:
			return 0
		case x.inName:
			return 2
		}
		return 1
	}
	const alike = 100
	return cmp.Or(cmp.Compare(rank(f), rank(o)), cmp.Compare(math.Round(f.Score*alike), math.Round(o.Score*alike)),
		cmp.Compare(o.Weight, f.Weight), strings.Compare(o.Updated, f.Updated), strings.Compare(f.Key, o.Key))
}

// Closer orders hits by their excerpts, too: words as typed are worth more than other forms.
func (f Found) Closer(at Excerpt, o Found, there Excerpt) int {
	f.Score *= at.tells()
	o.Score *= there.tells()
	return f.compare(o)
}

// within returns the hits that have each term as a word or within a name.
func (q Query) within(l *ledger.Ledger) []ledger.SearchHit {
	var have map[string]ledger.SearchHit
	named := false
	for _, c := range q.all {
		found := map[string]ledger.SearchHit{}
		for _, t := range c {
			for _, h := range q.hits(l, t, &named) {
				h.Score = 0
				found[h.Key] = h
			}
		}
		maps.DeleteFunc(have, func(key string, _ ledger.SearchHit) bool { return found[key].Key == "" })
		if have == nil {
			have = found
		}
	}
	for _, t := range q.not {
		for _, h := range q.hits(l, t, new(bool)) {
			delete(have, h.Key)
		}
	}
	if !named {
		return nil
	}
	return slices.Collect(maps.Values(have))
}

// hits returns the hits of a term. named is set if one has it within a name.
func (q Query) hits(l *ledger.Ledger, t term, named *bool) []ledger.SearchHit {
	out := l.SearchWords(q.term(t), nil)
	if q.asksNames(t) {
		more := l.SearchNames(folded(t.raw), len(q.in)+len(t.in) > 0)
		*named = *named || len(more) > 0
		out = append(out, more...)
	}
	return out
}

func columnWeights() []float64 {
	var out []float64
	for _, f := range ledger.SearchFields() {
		out = append(out, weights[Field(f)])
	}
	return out
}
