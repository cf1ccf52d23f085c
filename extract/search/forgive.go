package search

import (
	"math"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Spelling is a typed word that occurs in no session, and the nearest one that occurs.
type Spelling struct {
	Typed string `json:"typed"`
	Meant string `json:"meant"`
}

// Finding is the result of a search.
type Finding struct {
	Found []Found
	// Query is the question as answered: with words spelled as in some session.
	Query Query
	// Partly says that no session has all words: these have most of them.
	Partly bool
}

// Find returns the hits of a question: first by closeness of the words, then by match, then the newest; hits
// with a term only within a name come last. If nothing has all words, unknown words are replaced by the
// nearest known ones; then hits with most of the words are returned. holds is a filter.
func Find(l *ledger.Ledger, q Query, holds func(Found) bool) Finding {
	if len(q.all) == 0 {
		return Finding{Query: q}
	}
	of := func(all []Found) []Found { return slices.DeleteFunc(all, func(f Found) bool { return !holds(f) }) }
	if all := of(q.strict(l)); len(all) > 0 {
		return Finding{Found: all, Query: q}
	}
	if q = q.spelled(l); slices.ContainsFunc(q.all, func(c choice) bool { return c[0].spelled }) {
		if all := of(q.strict(l)); len(all) > 0 {
			return Finding{Found: all, Query: q}
		}
	}
	all := of(q.partly(l))
	return Finding{Found: all, Query: q, Partly: len(all) > 0}
}

// Spellings returns the words that were replaced, as written in the excerpts.
func (q Query) Spellings(found []Excerpt) (all []Spelling) {
	for _, c := range q.all {
		if t := c[0]; t.spelled {
			all = append(all, Spelling{t.raw, t.writtenIn(found)})
		}
	}
	return all
}

// writtenIn returns a term as the first excerpt with it writes it, else its stems.
func (t term) writtenIn(found []Excerpt) string {
	for _, e := range found {
		for _, m := range e.Marks {
			text := e.Text[m.From:m.To]
			if words := wordsOf(text); len(t.inWords(words)) == 1 && len(words) == len(t.words) {
				return strings.ToLower(text)
			}
		}
	}
	return strings.Join(t.words, " ")
}

// loose reports whether a term may be replaced, or be missing: it is neither quoted nor searched in a named
// field.
func (t term) loose() bool { return !t.exact && len(t.in) == 0 }

func (q Query) spelled(l *ledger.Ledger) Query {
	if q.pasted {
		return q
	}
	q.all = slices.Clone(q.all)
	for i, c := range q.all {
		t := c[0]
		if len(c) > 1 || !t.loose() || t.prefix || len(q.hits(l, t, new(bool))) > 0 {
			continue
		}
		words, changed := slices.Clone(t.words), false
		for k, w := range words {
			if s := nearest(l, w); s != "" && len(l.SearchWords(q.term(term{words: []string{w}}), nil)) == 0 {
				words[k], changed = s, true
			}
		}
		if changed {
			t.words, t.spelled = words, true
			q.all[i] = choice{t}
		}
	}
	return q
}

// nearest returns the word whose stem has the fewest edits, then the one that most sessions have; "" if none
// is near. The first letter must match.
func nearest(l *ledger.Ledger, word string) (best string) {
	const (
		short = 4 // letters of the shortest word that is compared
		long  = 6 // letters from which on two edits are allowed
	)
	letters := []rune(stem(word))
	if len([]rune(word)) < short || isLetterwise(letters[0]) {
		return ""
	}
	most := 1
	if len([]rune(word)) >= long {
		most = 2
	}
	docs := 0
	known := l.Stems(string(letters[0]), string(letters[0]+1))
	forms := oneEdit(word)
	for _, s := range known {
		if form := forms[s.Text]; form != "" && s.Docs > docs {
			best, docs = form, s.Docs
		}
	}
	if best != "" {
		return best
	}
	edits := most + 1
	for _, s := range known {
		if d := Distance(letters, []rune(s.Text), most); d < edits || d == edits && d <= most && s.Docs > docs {
			best, edits, docs = s.Text, d, s.Docs
		}
	}
	return wordOf(best)
}

// wordOf returns a word with a given stem: the index stems every query, and the stem of a stem may differ
// (universe, univers, univer).
func wordOf(text string) string {
	for _, ending := range []string{"", "e", "s"} {
		if stem(text+ending) == text {
			return text + ending
		}
	}
	return text
}

// oneEdit returns the words one edit away from a word, by their stems: a misspelt ending would leave another
// stem. The first letter stays.
func oneEdit(word string) map[string]string {
	w, forms := []rune(word), map[string]string{}
	add := func(parts ...[]rune) {
		form := string(slices.Concat(parts...))
		forms[stem(form)] = form
	}
	for i := 1; i <= len(w); i++ {
		for c := 'a'; c <= 'z'; c++ {
			add(w[:i], []rune{c}, w[i:])
			if i < len(w) {
				add(w[:i], []rune{c}, w[i+1:])
			}
		}
		if i < len(w) {
			add(w[:i], w[i+1:])
		}
		if i+1 < len(w) {
			add(w[:i], []rune{w[i+1], w[i]}, w[i+2:])
		}
	}
	return forms
}

// Distance counts the letters to insert, delete, change or swap with their neighbour to make one word the
// other, up to most+1.
func Distance(a, b []rune, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		least := next[0]
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			next[j+1] = min(row[j]+change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
			least = min(least, next[j+1])
		}
		if least > most {
			return most + 1
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], most+1)
}

// partly returns hits with most of the words. The fewer sessions have a word, the more it counts.
func (q Query) partly(l *ledger.Ledger) []Found {
	loose, firm := q.apart()
	if len(loose) == 0 {
		return nil
	}
	all, whole, docs := map[string]*Found{}, 0.0, float64(l.SearchDocs())
	for _, t := range loose {
		hits := l.SearchWords(q.term(t), columnWeights())
		worth := math.Log(1 + docs/float64(max(1, len(hits))))
		whole += worth
		for _, h := range hits {
			f := all[h.Key]
			if f == nil {
				f = &Found{SearchHit: ledger.SearchHit{Key: h.Key, Kind: h.Kind, Updated: h.Updated, Project: h.Project, Empty: h.Empty}}
				all[h.Key] = f
			}
			f.Score += h.Score
			f.share += worth
			f.words++
		}
	}
	holds := firm.allows(l)
	out := make([]Found, 0, len(all))
	for key, f := range all {
		const least = 0.4 // least share of the weight of all words
		if 2*f.words >= len(loose) && f.share >= least*whole && holds(key) {
			f.Score *= f.share / whole * f.share / whole
			out = append(out, *f)
		}
	}
	slices.SortFunc(out, Found.compare)
	return out
}

// apart returns the words that may be missing, each by itself, and the rest of the question.
func (q Query) apart() (loose []term, firm Query) {
	firm = q
	firm.all = nil
	for _, c := range q.all {
		if len(c) > 1 || !c[0].loose() {
			firm.all = append(firm.all, c)
			continue
		}
		for _, w := range c[0].words {
			one := term{raw: w, words: []string{w}, prefix: c[0].prefix}
			if !slices.ContainsFunc(loose, func(t term) bool { return t.raw == w }) {
				loose = append(loose, one)
			}
		}
	}
	return loose, firm
}

// allows returns a filter for the sessions that the rest of a question allows.
func (q Query) allows(l *ledger.Ledger) func(key string) bool {
	keys := func(hits []ledger.SearchHit) map[string]bool {
		out := map[string]bool{}
		for _, h := range hits {
			out[h.Key] = true
		}
		return out
	}
	var must, not map[string]bool
	if len(q.all) > 0 {
		must = keys(l.SearchWords(Query{all: q.all, in: q.in}.expression(), nil))
	}
	if len(q.not) > 0 {
		not = keys(l.SearchWords(Query{all: []choice{q.not}, in: q.in}.expression(), nil))
	}
	return func(key string) bool { return (must == nil || must[key]) && !not[key] }
}
