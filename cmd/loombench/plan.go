package main

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"time"
)

// params are all that a corpus depends on: same parameters, same corpus.
type params struct {
	Sessions int    // sessions with an event log
	MB       int    // size of all event logs or chats together, in units of 2^20 bytes
	Long     bool   // turns of dozens of calls, as an agent works that is left alone
	Chats    bool   // of VS Code instead of the CLI; Long: one object, requests of a megabyte
	Seed     uint64 // of everything random
}

// Shape of the corpus. One session in so many has the thing.
const (
	projectCount  = 40
	minBudget     = 12 << 10 // bytes of the smallest log
	roomyLog      = 25 << 10 // bytes of log for each checkpoint
	spread        = 1.3      // sigma of the log-normal sizes
	foldersBare   = 12       // folders without a log, for every so many sessions
	maxForkParent = 120 << 10
	overshoot     = 1.06 // a log ends with a turn, not with its budget
)

// damage is what a crash left at the end of a log.
type damage int

const (
	intact damage = iota
	tornTail
	nulTail
)

// session is what is decided about a session before a byte of it is written.
// Everything in it is a pure function of params and its index.
type session struct {
	index   int
	seed    uint64
	id      string
	version string // of the CLI that wrote it
	project *project
	branch  string
	start   time.Time
	budget  int64 // bytes its log should have
	long    bool

	title     string // empty: never named, the first prompt stands for it
	userNamed bool

	checkpoints int
	plan        bool
	todos       bool
	file        bool // keeps a file under files/
	research    bool
	subagent    bool
	autopilot   bool // ends with session.task_complete
	rewound     bool
	cancelled   bool // one turn ends with an abort
	damage      damage
	bare        bool // folder without a log

	parent *session // the session it was forked from
	child  *session
}

// rng gives a stream of its own for one part of the session, so that the part
// does not depend on what was written before it.
func (s *session) rng(part string, n int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(part + strconv.Itoa(n))) // a hash never fails to write
	return rand.New(rand.NewPCG(s.seed, h.Sum64()))
}

// hooked tells whether this version logs hook.start, which repeats each tool
// result (formats/copilot-cli.md, section 3.3).
func (s *session) hooked() bool { return s.version == v40 || s.version == v60 }

// Versions of the CLI, oldest first.
const (
	v40  = "1.0.40"
	v60  = "1.0.60"
	v102 = "1.0.102"
)

// plan decides about every session of the corpus, in order of their start.
func plan(p params, lex *lexicon) []*session {
	r := rand.New(rand.NewPCG(p.Seed, 1))
	projects := newProjects(r, lex)
	total := p.Sessions + p.Sessions/foldersBare
	all := make([]*session, total)
	for i := range all {
		all[i] = &session{index: i, seed: r.Uint64(), id: uuid(r), long: p.Long}
		all[i].bare = i%(foldersBare+1) == foldersBare
	}
	schedule(r, all)
	setBudgets(r, all, p)
	for _, s := range all {
		s.decide(r, lex, projects)
	}
	forks(r, all)
	return all
}

// schedule spreads the starts over two years of working hours.
func schedule(r *rand.Rand, all []*session) {
	first := time.Date(2024, 10, 1, 0, 0, 0, 0, time.UTC)
	starts := make([]time.Time, len(all))
	for i := range starts {
		day := first.AddDate(0, 0, r.IntN(730))
		starts[i] = day.Add(7*time.Hour + time.Duration(r.Int64N(int64(11*time.Hour)))).Truncate(time.Millisecond)
	}
	sort.Slice(starts, func(i, j int) bool { return starts[i].Before(starts[j]) })
	for i, s := range all {
		s.start = starts[i]
		switch age := i * 100 / len(all); {
		case age < 12:
			s.version = v40
		case age < 25:
			s.version = v60
		default:
			s.version = v102
		}
	}
}

func setBudgets(r *rand.Rand, all []*session, p params) {
	weights := make([]float64, len(all))
	var sum float64
	for i, s := range all {
		if !s.bare {
			weights[i] = math.Exp(spread * r.NormFloat64())
			sum += weights[i]
		}
	}
	free := math.Max(0, float64(p.MB)*(1<<20)/overshoot-float64(p.Sessions)*minBudget)
	for i, s := range all {
		if !s.bare {
			s.budget = minBudget + int64(free*weights[i]/sum)
		}
	}
}

func (s *session) decide(r *rand.Rand, lex *lexicon, projects []*project) {
	s.project = projects[zipf(r, len(projects))]
	s.branch = "main"
	if chance(r, 2) {
		s.branch = pick(r, lex.verbs) + "-" + pick(r, lex.nouns)
	}
	if !chance(r, 3) {
		s.title, s.userNamed = lex.task(r), chance(r, 3)
	}
	if n := min(3, int(s.budget/roomyLog)); n > 0 && r.IntN(5) < 2 { // four of five are roomy: one in three in all
		s.checkpoints = between(r, 1, n)
	}
	s.plan, s.todos = chance(r, 4), chance(r, 5)
	s.file, s.research = chance(r, 12), chance(r, 25)
	s.subagent, s.autopilot = chance(r, 12), chance(r, 20)
	s.rewound, s.cancelled = chance(r, 60), chance(r, 40)
	if chance(r, 150) {
		s.damage = tornTail
	} else if chance(r, 300) {
		s.damage = nulTail
	}
	if s.long {
		s.version, s.damage, s.rewound = v102, intact, false
		s.checkpoints = int(s.budget >> 23)
	}
}

// forks makes about one session in fifty the continuation of an earlier one of
// the current version, in the same project.
func forks(r *rand.Rand, all []*session) {
	for i, s := range all {
		if s.bare || s.version != v102 || !chance(r, 50) {
			continue
		}
		for _, p := range all[max(0, i-20):i] {
			if p.version != v102 || p.bare || p.parent != nil || p.child != nil || p.damage != intact || p.budget > maxForkParent {
				continue
			}
			s.parent, p.child = p, s
			s.project, s.branch, s.checkpoints, s.rewound = p.project, p.branch, 0, false
			if s.title != "" {
				s.title += " (fork)"
			}
			break
		}
	}
}

// zipf picks one of n, the first most often.
func zipf(r *rand.Rand, n int) int {
	return int(math.Pow(float64(n), r.Float64())*1.0000001) - 1
}

// uuid is a version 4 UUID.
func uuid(r *rand.Rand) string {
	const hex = "0123456789abcdef"
	var b [36]byte
	bits, left := r.Uint64(), 16
	for i := range b {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			b[i] = '-'
			continue
		}
		if left == 0 {
			bits, left = r.Uint64(), 16
		}
		b[i] = hex[bits&15]
		bits, left = bits>>4, left-1
	}
	b[14] = '4'
	b[19] = hex[8+(b[19]&3)]
	return string(b[:])
}
