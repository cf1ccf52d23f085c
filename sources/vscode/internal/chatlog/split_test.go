package chatlog

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// splitter writes a session as a series of mutations that end in it, in any
// order, with detours that are taken back.
type splitter struct {
	*rand.Rand
	log strings.Builder
}

// divided are the places below which mutations may reach: those of VS Code's own
// schema. What is reduced as a whole is written as a whole, as VS Code does.
var divided = []string{
	"requests", "requests/*", "requests/*/response", "requests/*/message", "requests/*/modelState", "requests/*/modeInfo",
	"requests/*/result", "requests/*/result/metadata", "requests/*/variableData", "requests/*/variableData/variables", "repoData",
}

func isDivided(path []any) bool {
	var words []string
	for _, step := range path {
		if name, ok := step.(string); ok {
			words = append(words, name)
		} else {
			words = append(words, "*")
		}
	}
	return slices.Contains(divided, strings.Join(words, "/"))
}

func (s *splitter) line(entry object) { s.log.WriteString(encode(entry) + "\n") }

func below(path []any, step any) []any { return append(slices.Clone(path), step) }

// members sets the members of an object that is there.
func (s *splitter) members(path []any, want object) {
	names := slices.Sorted(maps.Keys(want))
	s.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		at := below(path, name)
		if s.IntN(6) == 0 { // a value that does not last
			s.line(object{"kind": 1, "k": at, "v": []any{"junk", 7, nil, object{"junk": true}}[s.IntN(4)]})
			s.line(object{"kind": 1 + 2*s.IntN(2), "k": at})
		}
		s.value(at, want[name], func(v any) { s.line(object{"kind": 1, "k": at, "v": v}) })
	}
}

// value puts a value, whole or piece by piece.
func (s *splitter) value(at []any, want any, put func(any)) {
	switch v := want.(type) {
	case object:
		if isDivided(at) && s.IntN(3) > 0 {
			put(object{})
			s.members(at, v)
			return
		}
	case []any:
		if isDivided(at) && s.IntN(3) > 0 {
			put([]any{})
			s.elements(at, v)
			return
		}
	}
	put(want)
}

// elements pushes the elements of an array that is there and empty.
func (s *splitter) elements(path []any, want []any) {
	for n, more := 0, 0; n < len(want); n += more {
		if s.IntN(4) == 0 { // elements that do not last
			s.line(object{"kind": 2, "k": path, "v": []any{"junk", object{"junk": 1}}})
			s.line(object{"kind": 2, "k": path, "i": n})
		}
		if at := below(path, n); isDivided(at) && s.IntN(2) == 0 {
			more = 1
			s.value(at, want[n], func(v any) { s.line(object{"kind": 2, "k": path, "v": []any{v}}) })
			continue
		}
		more = 1 + s.IntN(len(want)-n)
		entry := object{"kind": 2, "k": path, "v": want[n : n+more]}
		if s.IntN(2) == 0 {
			entry["i"] = n
		}
		s.line(entry)
	}
}

// split writes a session down in a way that the seed chooses.
func split(want object, seed uint64) string {
	s := &splitter{Rand: rand.New(rand.NewPCG(seed, 3))}
	if s.IntN(4) == 0 { // a state that was compacted away
		s.line(object{"kind": 0, "v": object{"customTitle": "before", "requests": []any{object{"requestId": "old"}}}})
	}
	s.line(object{"kind": 0, "v": object{}})
	s.members(nil, want)
	return s.log.String()
}

// Replaying any split of a session into mutations gives the session.
func FuzzSplit(f *testing.F) {
	rich := `{"version":3,"sessionId":"s","creationDate":1,"customTitle":"T","repoData":{"remoteUrl":"u","localBranch":"b","diffs":[1]},"requests":[` +
		`{"requestId":"r1","message":{"text":"a","parts":[{"kind":"text"}]},"agent":{"id":"i","name":"agent"},"modelState":{"value":1,"completedAt":5},` +
		`"variableData":{"variables":[{"kind":"image","value":{"0":1,"1":2}},{"kind":"file","name":"x","value":{"path":"/x","scheme":"file"}}]},` +
		`"response":[{"value":"Hel"},{"kind":"thinking","value":"secret"},{"kind":"textEditGroup","uri":{"path":"/a"},"edits":[[{"text":"x"}]]},{"value":"lo"}],` +
		`"result":{"metadata":{"sessionId":"m","toolCallResults":{"a":1},"toolCallRounds":[{"id":"q","toolCalls":[{"id":"c","name":"edit","arguments":"{\"filePath\":\"/a\"}"}]}],` +
		`"renderedUserMessage":[{"text":"<repoContext>r</repoContext>"}]},"errorDetails":{"message":"m"}}},` +
		`{"requestId":"r2","message":"old","response":["x"],"isHidden":true},null]}`
	for seed := range uint64(40) {
		f.Add(rich, seed)
	}
	f.Add(`{"requests":{"0":1},"repoData":[],"customTitle":null}`, uint64(1))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		var want object
		if len(text) > 1<<16 || json.Unmarshal([]byte(text), &want) != nil || want == nil {
			t.Skip("no session")
		}
		log := split(want, seed)
		got := readText(t, log)
		if have, is := dump(got.State), kept(t, encode(want)); have != is || len(got.Damage) > 0 || !got.Whole {
			t.Fatalf("%v\ngot  %s\nwant %s\n%s", got.Damage, have, is, log)
		}
	})
}
