package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/go-json-experiment/json"
)

// searches is the number of questions.
const searches = 60

// search asks each question with a command of its own. It measures the slowest one and the largest memory,
// and fails if most find nothing.
func (s *stage) search(ctx context.Context) (outcome, error) {
	var worst outcome
	unanswered := 0
	for _, q := range questions(s.corpus.Seed) {
		var found struct{ Count int }
		o, err := s.run(ctx, func(stdout io.Reader) error {
			return json.UnmarshalRead(stdout, &found, json.MatchCaseInsensitiveNames(true))
		}, "search", "--json", q)
		if err != nil {
			return outcome{}, fmt.Errorf("search %q: %w", q, err)
		}
		if found.Count == 0 {
			unanswered++
		}
		worst.wall, worst.cpu, worst.peak = max(worst.wall, o.wall), max(worst.cpu, o.cpu), max(worst.peak, o.peak)
	}
	if unanswered > searches/2 {
		worst.exit = findings
	}
	return worst, nil
}

// questions returns questions of the corpus's own words, so that most occur in most sessions: the hardest
// case.
func questions(seed uint64) []string {
	w := words{newLexicon(seed), rand.New(rand.NewPCG(seed, 3))}
	kinds := []func() string{
		w.noun,
		func() string { return w.verb() + " " + w.noun() },
		func() string { return w.noun() + " " + w.noun() + " " + w.noun() },
		func() string { return w.noun() + " OR " + w.noun() },
		func() string { return w.verb() + " -" + w.noun() + "s" },
		func() string { return w.noun()[:3] + "*" },
		func() string { return w.verb()[:3] + "* " + w.noun() },
		func() string { return "file:" + w.noun() + ".go" },
		func() string { return w.verb() + " in:prompt" },
		func() string { return w.noun() + " since:2025-06-01" },
	}
	all := make([]string, searches)
	for i := range all {
		all[i] = kinds[i%len(kinds)]()
	}
	return all
}
