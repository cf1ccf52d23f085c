package extract

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// script is a source of one session that reads as a test says, one reading a pass.
type script struct {
	now    []sources.Layer
	size   int64
	inside bool // only reading tells whose item it is
}

func (*script) Name() string { return "tale" }

func (s *script) List(context.Context) (sources.Listing, error) {
	id := idA
	if s.inside {
		id = ""
	}
	return sources.Listing{Roots: []sources.Root{{Path: "tale", Found: true}}, Items: []sources.Item{{
		Source: "tale", Key: "a", Kind: sources.KindSession, Session: id, Root: "tale", Path: "a",
		Parts: []sources.Part{{Name: "log", Path: "a", Stamp: sources.Stamp{Size: s.size, MTime: 1}}},
	}}}, nil
}

func (s *script) Read(context.Context, sources.Item) (sources.Reading, error) {
	var out sources.Reading
	for _, la := range s.now {
		if la.Session != nil {
			own := cloneFixture(*la.Session)
			la.Session = &own
		}
		if la.Failed {
			out.Problems = append(out.Problems, sources.Problem{Source: "tale", Item: "a", Err: errors.New("locked"), Fatal: true})
		}
		out.Layers = append(out.Layers, la)
	}
	if s.inside {
		out.Sessions, out.Layers = []sources.SessionLayers{{ID: idA, Layers: out.Layers}}, nil
	}
	return out, nil
}

// says makes a log of turns that are told by their prompts.
func says(whole bool, prompts ...string) sources.Layer {
	s := sources.Session{ID: idA, Agent: "tale", Place: widget, Created: at(0), Complete: whole}
	for i, prompt := range prompts {
		s.Turns = append(s.Turns, sources.Turn{Index: i, ID: "turn " + prompt, User: prompt, Assistant: "Done: " + prompt,
			At: at(i), End: at(i + 1), Status: sources.Complete})
		s.Updated = at(i + 1)
	}
	return sources.Layer{Name: "tale/log", Rank: sources.RankLog, Session: &s}
}

// recalls makes a layer of memories, by name and text.
func recalls(texts ...string) sources.Layer {
	s := sources.Session{ID: idA}
	for i := 0; i+1 < len(texts); i += 2 {
		s.Artifacts = append(s.Artifacts, sources.Artifact{Kind: sources.Plan, Name: texts[i], Text: texts[i+1], At: at(0)})
	}
	return sources.Layer{Name: "tale/memory", Rank: sources.RankSidecar, Session: &s, Accumulates: true}
}

func provisional(la sources.Layer) sources.Layer {
	la.Provisional = true
	return la
}

func failed(la sources.Layer) sources.Layer {
	la.Session, la.Failed = nil, true
	return la
}

func in(la sources.Layer, p sources.Place) sources.Layer {
	la.Session.Place = p
	return la
}

// TestPoorerReading holds the engine to what a reader says of each layer that
// reads poorer than before.
func TestPoorerReading(t *testing.T) {
	const secret = "heliotrope-77"
	told, guessed := sources.Place{Cwd: "/home/dev/lab/latency"}, sources.Place{Cwd: "/home/dev/lab/latency/cmd", Guessed: true}
	type readings [][]sources.Layer
	for name, c := range map[string]struct {
		readings readings // one a pass
		same     bool     // the last one changes nothing in the vault
		shows    []string
		hides    []string
	}{
		"failed: the stored one stays": {
			readings: readings{{says(true, "one", "two")}, {failed(says(true))}}, same: true, shows: []string{"one", "two"}},
		"failed, then read": {
			readings: readings{{says(true, "one")}, {failed(says(true))}, {says(true, "one", "two")}}, shows: []string{"one", "two"}},
		"one fails, the other goes on": {
			readings: readings{{says(true, "one"), recalls("plan.md", "- [ ] alpha\n")}, {says(true, "one", "two"), failed(recalls())}}, shows: []string{"two", "alpha"}},
		"provisional: the stored one stays": {
			readings: readings{{says(true, "one", "two")}, {provisional(says(true, "one"))}}, same: true, shows: []string{"one", "two"}},
		"emptied: the stored one stays": {
			readings: readings{{says(true, "one", "two")}, {provisional(says(false))}}, same: true, shows: []string{"one", "two"}},
		"provisional and nothing better: kept": {
			readings: readings{{provisional(says(true, "one"))}}, shows: []string{"one"}},
		"provisional and nothing better: follows the file": {
			readings: readings{{provisional(says(true, "one"))}, {provisional(says(true, "one", "two"))}}, shows: []string{"one", "two"}},
		"provisional and emptied: the stored one stays": {
			readings: readings{{provisional(says(true, "one"))}, {provisional(says(false))}}, same: true, shows: []string{"one"}},
		"provisional, but tells more": {
			readings: readings{{says(true, "one")}, {provisional(says(true, "one", "two"))}, {provisional(says(true, "one"))}}, same: true, shows: []string{"two"}},
		"provisional, then written": {
			readings: readings{{provisional(says(true, "one", "odd"))}, {says(true, "one")}}, shows: []string{"one"}, hides: []string{"odd"}},
		"written as it was, then provisional": {
			readings: readings{{provisional(says(true, "one", "two"))}, {says(true, "one", "two")}, {provisional(says(true, "one"))}}, same: true, shows: []string{"two"}},
		"a memory expired: it stays": {
			readings: readings{{says(true, "one"), recalls("a.md", "- [ ] alpha\n", "b.md", "- [ ] beta\n")}, {says(true, "one"), recalls("b.md", "- [ ] beta\n")}},
			same:     true, shows: []string{"alpha", "beta"}},
		"all memories expired: they stay": {
			readings: readings{{says(true, "one"), recalls("a.md", "- [ ] alpha\n")}, {says(true, "one")}, {says(true, "one"), recalls()}}, same: true, shows: []string{"alpha"}},
		"a memory was written anew": {
			readings: readings{{says(true, "one"), recalls("a.md", "- [ ] alpha\n")}, {says(true, "one"), recalls("a.md", "- [ ] gamma\n")}}, shows: []string{"gamma"}, hides: []string{"alpha"}},
		"a memory with a secret expired: it stays masked": {
			readings: readings{{says(true, "one"), recalls("a.md", "alpha "+secret+"\n")}, {says(true, "one"), recalls()}, {says(true, "one"), recalls("b.md", "beta\n")}},
			shows:    []string{"alpha", "beta"}, hides: []string{secret}},
		"a transcript expired: it stays": {
			readings: readings{{says(true, "one"), {Name: "tale/transcript", Rank: sources.RankStore, Session: says(false, "one").Session}}, {says(true, "one")}}, same: true, shows: []string{"one"}},
		"the log is gone, a derived layer is left": {
			readings: readings{{says(true, "one", "two")}, {{Name: "tale/transcript", Rank: sources.RankStore, Session: says(false, "one").Session}}}, same: true, shows: []string{"one", "two"}},
		"a log lost its start: it stays beside": {
			readings: readings{{says(true, "one", "two")}, {says(false, "three")}}, shows: []string{"one", "two", "three", "tale/log/before-it-was-cut"}},
		"a log lost its start and goes on": {
			readings: readings{{says(true, "one", "two")}, {says(false, "three")}, {says(false, "three", "four")}}, shows: []string{"one", "two", "three", "four"}},
		"a log was taken back: that counts": {
			readings: readings{{says(true, "one", "two")}, {says(true, "one")}}, shows: []string{"one"}, hides: []string{"two"}},
		"a place that was told is not guessed": {
			readings: readings{{in(says(true, "one"), told)}, {in(says(true, "one", "two"), guessed)}}, shows: []string{"two", "projects/latency"}, hides: []string{"cmd"}},
		"a guessed place is guessed again": {
			readings: readings{{in(says(true, "one"), sources.Place{Cwd: "/home/dev/attic", Guessed: true})}, {in(says(true, "one"), guessed)}}, hides: []string{"attic"}},
		"a guessed place is told": {
			readings: readings{{in(says(true, "one"), guessed)}, {in(says(true, "one"), told)}}, hides: []string{"cmd"}},
	} {
		for who, inside := range map[string]bool{name: false, name + ", of a session told inside": true} {
			if inside && len(name)%3 > 0 {
				continue // some will do: it is read alike
			}
			t.Run(who, func(t *testing.T) {
				t.Parallel()
				b, src := newBench(t), &script{inside: inside}
				b.rules.Own = []redact.OwnRule{{Name: "flower", Pattern: secret}}
				var before map[string]string
				for _, now := range c.readings {
					before = tree(t, b.vault)
					src.now = now
					b.readsAs(src)
				}
				after := tree(t, b.vault)
				if d := differences(before, after); c.same && d != "" {
					t.Errorf("the last reading changed the vault:\n%s", d)
				}
				all := strings.Join(slices.Collect(maps.Values(after)), "")
				for _, word := range c.shows {
					expect.Has(t, all, word, "the vault does not show")
				}
				for _, word := range c.hides {
					expect.Lacks(t, all, word, "the vault shows")
				}
			})
		}
	}
}

// readsAs runs passes over a reading: once it changes something, and as if the files
// were touched, and as they are, it does not.
func (b *bench) readsAs(src *script) {
	b.t.Helper()
	fails := slices.ContainsFunc(src.now, func(la sources.Layer) bool { return la.Failed })
	for again := range 3 {
		if again < 2 {
			src.size++
		}
		r := b.mustSync(src)
		expect.Is(b.t, r.Part(), fails, "done in part", "a layer failed")
		if again > 0 && r.Sessions.Changed+r.Notes.Created+r.Notes.Updated+r.Notes.Removed+r.Notes.Moved > 0 {
			b.t.Errorf("the same reading once more did something: %+v", r.Changed)
		}
	}
}
