package session

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Merged is one session, merged from all layers with its id.
type Merged struct {
	Session sources.Session
	// Layers names those that gave at least one shown fact, sorted.
	Layers []string
	// Available names all merged layers and those they cover, sorted: a note built from a subset of them does
	// not become poorer.
	Available []string
	// Aliases are the other ids under which it was found, sorted.
	Aliases []string
	// Shown are the aliases in the note: an id that no source gives any more would be unknown to an empty
	// ledger.
	Shown []string

	// LeftToParent are the artifacts of a fork that its parent's note shows.
	LeftToParent []sources.Artifact

	told  []string            // layers that gave a fact other than an artifact
	saved map[string][]string // layers behind each artifact
}

// Merge merges the layers of one id, field by field by authority: rank, then the newest, then the longest,
// then name. It does not change the layers, and their order does not matter. All merge rules are here and in
// the functions it calls.
func Merge(layers []sources.Layer) Merged {
	m := &merger{layers: sortLayers(layers)}
	if len(m.layers) == 0 {
		return Merged{}
	}
	m.used = make([]bool, len(m.layers))
	m.turnAt = make([]map[int]int, len(m.layers))
	m.trust()
	m.gatherScalars()
	m.mergePlace()
	m.mergeTurns()
	m.mergeTitle()
	m.mergeCheckpoints()
	m.mergeArtifacts()
	m.mergeTodos()
	m.mergeFiles()
	m.mergeRefs()
	m.mergeBesides()
	m.mergeSummary()
	m.mergeTimes()
	merged := Merged{Session: m.out, Available: m.available(), told: m.contributors(), saved: m.saved}
	merged.Layers = merged.contributors()
	return merged
}

// contributors returns the layers that gave a fact, with those behind the remaining artifacts.
func (m *Merged) contributors(more ...string) []string {
	names := append(slices.Clone(m.told), more...)
	for _, a := range m.Session.Artifacts {
		names = append(names, m.saved[artifactKey(a)]...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

type merger struct {
	layers   []sources.Layer
	out      sources.Session
	used     []bool              // layers that gave a fact other than an artifact
	saved    map[string][]string // layers behind each artifact
	turnAt   []map[int]int       // Turn.Index of a layer → index in out.Turns; nil if it has no turns
	believed int                 // number of layers trusted for turns, files and refs
	besides  int                 // number of layers trusted for checkpoints and artifacts
}

// sortLayers drops layers without a session and sorts the rest. Layers equal in all else are sorted by
// content, so that the result is a function of the set.
func sortLayers(layers []sources.Layer) []sources.Layer {
	var out []sources.Layer
	for _, l := range layers {
		if l.Session != nil {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b sources.Layer) int {
		order := cmp.Or(cmp.Compare(a.Rank, b.Rank), b.Session.Updated.Compare(a.Session.Updated),
			cmp.Compare(len(b.Session.Turns), len(a.Session.Turns)), strings.Compare(a.Name, b.Name))
		if order == 0 {
			order = compareContent(a.Session, b.Session)
		}
		return order
	})
	return out
}

func compareContent(a, b *sources.Session) int {
	x, _ := json.Marshal(a) // a Session always marshals
	y, _ := json.Marshal(b)
	return bytes.Compare(x, y)
}

func (m *merger) session(i int) *sources.Session { return m.layers[i].Session }

// use notes that layer i gave a fact.
func (m *merger) use(i int) { m.used[i] = true }

func (m *merger) contributors() []string {
	var names []string
	for i := range m.layers {
		if m.used[i] {
			names = append(names, m.nameOf(i))
		}
	}
	return names
}

func (m *merger) available() []string {
	var names []string
	for i, l := range m.layers {
		if !isBlank(l.Session) { // an emptied layer is not available
			names = append(append(names, m.nameOf(i)), l.Session.Supersedes...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func isBlank(s *sources.Session) bool {
	return len(s.Turns)+len(s.Checkpoints)+len(s.Artifacts)+len(s.Todos)+len(s.Files)+len(s.Refs)+len(s.Delegated)+len(s.Actions)+len(s.Distilled) == 0 && s.Title == ""
}

// trust determines the trusted layers. Layers below the best rewound one may still hold what was taken back,
// except files beside the log: a rewind cleans them up, but never the derived stores.
func (m *merger) trust() {
	m.believed, m.besides = len(m.layers), len(m.layers)
	first := slices.IndexFunc(m.layers, func(l sources.Layer) bool { return l.Session.Rewound })
	if first < 0 {
		return
	}
	below := func(rank sources.Rank) int {
		n, _ := slices.BinarySearchFunc(m.layers, rank, func(l sources.Layer, r sources.Rank) int { return cmp.Compare(l.Rank, r) })
		return n
	}
	rank := m.layers[first].Rank
	m.believed, m.besides = below(rank+1), below(max(rank+1, sources.RankStore))
}

// gatherScalars merges fields that are a plain union or the first known value.
func (m *merger) gatherScalars() {
	out, models := &m.out, map[string]bool{}
	for i := range m.layers {
		s := m.session(i)
		out.ID = cmp.Or(out.ID, s.ID)
		out.Agent = cmp.Or(out.Agent, s.Agent)
		out.IsMemory = out.IsMemory || s.IsMemory
		out.Scope = cmp.Or(out.Scope, s.Scope)
		out.Aliases = append(out.Aliases, s.Aliases...)
		m.gatherMarks(i)
		if len(s.Distilled) > 0 {
			out.Distilled = append(out.Distilled, s.Distilled...)
			m.use(i)
		}
		out.Rewound = out.Rewound || s.Rewound
		out.Headless = out.Headless || s.Headless
		if out.Parent == "" && s.Parent != "" {
			out.Parent = s.Parent
			m.use(i)
		}
		for _, name := range s.Models {
			if !models[name] {
				models[name] = true
				out.Models = append(out.Models, name)
				m.use(i)
			}
		}
		for _, d := range s.Damage {
			if !slices.Contains(out.Damage, d) {
				out.Damage = append(out.Damage, d)
			}
		}
	}
	slices.Sort(out.Aliases)
	out.Aliases = slices.Compact(out.Aliases)
	slices.SortStableFunc(out.Distilled, func(a, b sources.Distillate) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Digest(), b.Digest()))
	})
}

// gatherMarks merges the user's marks in a list of sessions.
func (m *merger) gatherMarks(i int) {
	s, out := m.session(i), &m.out
	if s.Archived && !out.Archived || s.Pinned && !out.Pinned {
		m.use(i)
	}
	out.Archived, out.Pinned = out.Archived || s.Archived, out.Pinned || s.Pinned
}

func (m *merger) mergeTodos() {
	for i := range m.layers {
		if todos := m.session(i).Todos; len(todos) > 0 {
			m.out.Todos = slices.Clone(todos)
			m.use(i)
			return
		}
	}
}

// mergeTimes sets the beginning of the session and its last activity. Starting, resuming and renaming do not
// count as activity.
func (m *merger) mergeTimes() {
	out := &m.out
	out.Created = m.created()
	for _, t := range out.Turns {
		if !t.At.IsZero() && !t.Inherited && (out.Created.IsZero() || t.At.Before(out.Created)) {
			out.Created = t.At
		}
		out.Updated = latest(out.Updated, t.At, t.End)
	}
	for _, c := range out.Checkpoints {
		out.Updated = latest(out.Updated, c.At)
	}
	for _, t := range out.Todos {
		out.Updated = latest(out.Updated, t.At)
	}
	for i := range m.layers {
		out.Updated = cmp.Or(out.Updated, m.session(i).Updated)
	}
	if out.Updated.Before(out.Created) { // a fork that is completely inherited
		out.Updated = out.Created
	}
}

// created returns the earliest plausible start known to the best rank.
func (m *merger) created() time.Time {
	const firstYear = 2020 // before any of the agents existed
	var best time.Time
	for i, l := range m.layers {
		at := l.Session.Created
		if at.Year() < firstYear {
			continue
		}
		if !best.IsZero() && l.Rank != m.layers[i-1].Rank {
			break
		}
		if best.IsZero() || at.Before(best) {
			best = at
		}
	}
	return best
}

func latest(times ...time.Time) time.Time {
	return slices.MaxFunc(times, time.Time.Compare)
}
