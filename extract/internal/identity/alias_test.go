package identity

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func TestWhoBelongsToWhom(t *testing.T) {
	const (
		one   = "aaaaaaaa-0000-4000-8000-000000000001"
		two   = "bbbbbbbb-0000-4000-8000-000000000002"
		three = "cccccccc-0000-4000-8000-000000000003"
	)
	reads := map[string]KnownID{}
	for i, id := range []string{one, two, three, "tale:1", "tale:2", "tale:3"} {
		reads[id] = KnownID{Created: fmt.Sprintf("2026-01-0%dT00:00:00Z", i+1), Rank: sources.RankStore}
	}
	log := maps.Clone(reads)
	log[two] = KnownID{Rank: sources.RankLog}
	whole := maps.Clone(reads)
	whole[two] = KnownID{Rank: sources.RankSidecar, Complete: true}
	whole["tale:1"] = whole[two]
	by := func(pairs ...string) (out []AliasCandidate) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, AliasCandidate{By: pairs[i], Of: pairs[i+1]})
		}
		return out
	}
	for name, c := range map[string]struct {
		claims []AliasCandidate
		reads  map[string]KnownID
		want   map[string]string
	}{
		"one":                          {by(one, two), reads, map[string]string{two: one}},
		"itself":                       {by(one, one), reads, map[string]string{}},
		"nothing known under it":       {by(one, "x"), reads, map[string]string{}},
		"a note knows":                 {[]AliasCandidate{{By: one, Of: "x", FromNote: true}}, reads, map[string]string{"x": one}},
		"a chain":                      {by(one, two, two, three), reads, map[string]string{two: one, three: one}},
		"two claim it, the older":      {by(two, three, one, three), reads, map[string]string{three: one}},
		"a circle":                     {by(two, one, one, two), reads, map[string]string{two: one}},
		"a circle with a UUID":         {by("tale:1", "tale:2", "tale:2", "tale:1"), reads, map[string]string{"tale:2": "tale:1"}},
		"the UUID is the better name":  {by("tale:1", three), reads, map[string]string{"tale:1": three}},
		"a UUID's claim goes first":    {by(three, "tale:2", "tale:1", "tale:2"), reads, map[string]string{"tale:2": three}},
		"a log is a session of itself": {by(one, two), log, map[string]string{}},
		"so is a whole conversation":   {by(one, two), whole, map[string]string{}},
		"but not that of an export":    {by(one, "tale:1"), whole, map[string]string{"tale:1": one}},
	} {
		if got := ResolveAliases(c.claims, c.reads); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		slices.Reverse(c.claims)
		if got := ResolveAliases(c.claims, c.reads); !maps.Equal(got, c.want) {
			t.Errorf("%s, the other way round: %v, want %v", name, got, c.want)
		}
	}
}
