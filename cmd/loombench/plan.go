package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// session holds the plan of a session: a pure function of the corpus's parameters and its index.
type session struct {
	id          string
	project     *project
	branch      string
	title       string // empty: never named
	start       time.Time
	size        int64 // planned bytes of its log
	long        bool  // turns of dozens of calls, as an unattended agent makes
	checkpoints int
	plan, todos bool
	subagent    bool
	seed        uint64 // seed of the session's text
}

// words returns the source of all words of the session.
func (s *session) words(lex *lexicon) words { return words{lex, rand.New(rand.NewPCG(s.seed, 1))} }

// project is a folder the sessions work in.
type project struct {
	folder     string
	git        bool
	repository string // owner/name, empty without a remote
	files      []string
}

// file returns a path in the project's folder, a few of them most often.
func (p *project) file(w words) string { return p.files[often(w, len(p.files))] }

// Shape of a corpus.
const (
	projects   = 40
	smallest   = 12 << 10 // bytes of a log
	checkpoint = 25 << 10 // least bytes of log for a checkpoint
	spread     = 1.3      // sigma of the log-normal sizes
	overshoot  = 1.09     // a log ends with a turn, not with its size
)

// newPlan plans every session, in order of their start.
func newPlan(p params, lex *lexicon) []*session {
	w := words{lex, rand.New(rand.NewPCG(p.Seed, 2))}
	folders := newProjects(w)
	starts, sizes := newStarts(w, p.Sessions), newSizes(w, p)
	all := make([]*session, p.Sessions)
	for i := range all {
		s := &session{id: w.uuid(), seed: w.Uint64(), start: starts[i], size: sizes[i], long: p.Kind == long || p.Kind == longRollout}
		s.project, s.branch = folders[often(w, len(folders))], "main"
		if w.chance(2) {
			s.branch = w.verb() + "-" + w.noun()
		}
		if !w.chance(3) {
			s.title = w.task()
		}
		if n := int(min(3, s.size/checkpoint)); n > 0 && w.IntN(5) < 2 { // most sessions are that large: one in three has checkpoints
			s.checkpoints = w.between(1, n)
		}
		if s.long {
			s.checkpoints = int(s.size >> 23)
		}
		s.plan, s.todos, s.subagent = w.chance(4), w.chance(5), w.chance(12)
		all[i] = s
	}
	return all
}

// newProjects returns projects: most with a remote, a few only with git, a few plain folders.
func newProjects(w words) []*project {
	all := make([]*project, projects)
	order := w.Perm(len(w.nouns)) // names are unique
	for i := range all {
		name := w.adjective() + "-" + w.nouns[order[i]]
		p := &project{folder: "/home/dev/src/" + name, git: i%8 != 7}
		if i%8 < 6 {
			p.repository = w.pick([]string{"octo-org", "octo-labs", "dev"}) + "/" + name
		}
		for range w.between(30, 90) {
			p.files = append(p.files, w.pick([]string{"internal", "cmd", "pkg"})+"/"+w.noun()+"/"+w.verb()+"_"+w.noun()+".go")
		}
		all[i] = p
	}
	return all
}

// newStarts spreads sessions over the working hours of two years.
func newStarts(w words, n int) []time.Time {
	first := time.Date(2024, 10, 1, 7, 0, 0, 0, time.UTC)
	all := make([]time.Time, n)
	for i := range all {
		all[i] = first.AddDate(0, 0, w.IntN(730)).Add(time.Duration(w.IntN(11*3600_000)) * time.Millisecond)
	}
	slices.SortFunc(all, time.Time.Compare)
	return all
}

// newSizes distributes the bytes of the corpus, log-normal.
func newSizes(w words, p params) []int64 {
	weights := make([]float64, p.Sessions)
	sum := 0.0
	for i := range weights {
		weights[i] = math.Exp(spread * w.NormFloat64())
		sum += weights[i]
	}
	free := max(0, float64(p.MB)*(1<<20)/overshoot-float64(p.Sessions)*smallest)
	all := make([]int64, p.Sessions)
	for i := range all {
		all[i] = smallest + int64(free*weights[i]/sum)
	}
	return all
}

// often returns a number below n, the first most often.
func often(w words, n int) int { return int(math.Pow(float64(n), w.Float64())*1.0000001) - 1 }
