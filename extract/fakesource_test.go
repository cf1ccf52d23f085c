package extract

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// maskers are those that were made, by their fingerprints: what a masker loads for
// rules of a user takes a moment.
var maskers sync.Map

// masker masks by the rules of the bench.
func (b *bench) masker() Masker {
	b.t.Helper()
	m, err := redact.New([]byte("masks of this vault"), b.rules)
	must(b.t, err)
	known, _ := maskers.LoadOrStore(m.Fingerprint(), m)
	m = known.(*redact.Masker)
	if b.startled != nil {
		return startled{m, b.startled}
	}
	if b.refuses != nil {
		return picky{m, b.refuses}
	}
	return m
}

// picky cannot search some sessions.
type picky struct {
	*redact.Masker
	refuses func(*sources.Session) bool
}

func (p picky) Session(s *sources.Session, counts map[string]int) error {
	if p.refuses(s) {
		return errors.New("the search gave up")
	}
	return p.Masker.Session(s, counts)
}

// fakeSource is a history that lives in memory: a Source whose sessions grow, are
// rewound, forked and lost at the whim of a test.
type fakeSource struct {
	sessions map[string]*fixture
	clock    time.Time
	bodies   atomic.Int64 // bodies read since the test last looked
	forgot   bool         // something was taken away once whose note stays
}

// fixture is one session of a fake source.
type fixture struct {
	s       sources.Session
	version int64
	gone    bool
	fails   bool
	luck    string // what the error says
	derived bool   // a transcript beside another session's log
}

// layer is what the item of a fixture is called, and its rank.
func (st *fixture) layer() (string, sources.Rank) {
	if st.derived {
		return "tale/transcript", sources.RankStore
	}
	return "tale/log", sources.RankLog
}

func newFakeSource() *fakeSource {
	return &fakeSource{sessions: map[string]*fixture{}, clock: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
}

func (w *fakeSource) Name() string { return "tale" }

func (w *fakeSource) List(context.Context) (sources.Listing, error) {
	l := sources.Listing{Roots: []sources.Root{{Path: "tale", Found: true}}}
	for _, id := range w.ids() {
		st := w.sessions[id]
		if st.gone {
			continue
		}
		it := sources.Item{
			Source: "tale", Key: id, Kind: sources.KindSession, Session: id, Root: "tale", Path: id,
			Parts: []sources.Part{{Name: "log", Path: id, Stamp: sources.Stamp{Size: st.version, MTime: st.version}}},
		}
		if st.s.IsMemory {
			it.Kind, it.Session = sources.KindMemory, ""
		}
		l.Items = append(l.Items, it)
	}
	return l, nil
}

func (w *fakeSource) Read(_ context.Context, it sources.Item) (sources.Reading, error) {
	st := w.sessions[it.Key]
	if st.fails {
		return sources.Reading{}, fmt.Errorf("read %q: no luck today %s", it.Key, st.luck)
	}
	name, rank := st.layer()
	w.bodies.Add(1)
	s := cloneFixture(st.s)
	if s.IsMemory {
		return sources.Reading{Sessions: []sources.SessionLayers{{ID: it.Key, Layers: []sources.Layer{{Name: name, Rank: rank, Session: &s}}}}}, nil
	}
	return sources.Reading{Layers: []sources.Layer{{Name: name, Rank: rank, Session: &s}}, BytesRead: 1}, nil
}

func cloneFixture(s sources.Session) sources.Session {
	s.Turns = slices.Clone(s.Turns)
	for i := range s.Turns { // masking writes into what a turn holds
		t := &s.Turns[i]
		t.Attachments, t.Citations, t.Tools = slices.Clone(t.Attachments), slices.Clone(t.Citations), slices.Clone(t.Tools)
	}
	s.TakenBack = slices.Clone(s.TakenBack)
	for i := range s.TakenBack {
		t := &s.TakenBack[i]
		t.Attachments, t.Citations, t.Tools = nil, nil, nil
	}
	s.Delegated, s.Actions = slices.Clone(s.Delegated), slices.Clone(s.Actions)
	s.Models, s.Damage, s.Aliases = slices.Clone(s.Models), slices.Clone(s.Damage), slices.Clone(s.Aliases)
	s.Place.Folders = slices.Clone(s.Place.Folders)
	s.Checkpoints = slices.Clone(s.Checkpoints)
	s.Artifacts = slices.Clone(s.Artifacts)
	s.Todos = slices.Clone(s.Todos)
	s.Files = slices.Clone(s.Files)
	s.Refs = slices.Clone(s.Refs)
	return s
}

func (w *fakeSource) ids() []string {
	var ids []string
	for id := range w.sessions {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// living are the sessions that are there, in a stable order.
func (w *fakeSource) living() []*fixture {
	var out []*fixture
	for _, id := range w.ids() {
		if !w.sessions[id].gone && !w.sessions[id].s.IsMemory {
			out = append(out, w.sessions[id])
		}
	}
	return out
}

func (w *fakeSource) tick(d time.Duration) time.Time {
	w.clock = w.clock.Add(d)
	return w.clock
}

var tasks = []string{"write the parser", "test the ring", "ask about `kid`", "drop [[the link]] page", "load test #3"}

func (w *fakeSource) begin(r *rand.Rand) *fixture {
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", r.Uint32(), r.Uint64()&0xffffffffffff)
	name := []string{"widget", "docs"}[r.IntN(2)]
	place := sources.Place{Repository: "octo-org/" + name, Host: "github.com", GitRoot: "/home/dev/src/" + name}
	if r.IntN(4) == 0 {
		place = sources.Place{Cwd: "/home/dev/lab/latency"}
	}
	if r.IntN(5) == 0 { // it knows the folder only, and others its remote
		place = sources.Place{Cwd: "/home/dev/src/widget/cmd"}
	}
	st := &fixture{s: sources.Session{
		ID: id, Agent: "tale", Place: place, Created: w.tick(time.Hour * time.Duration(1+r.IntN(30))), Complete: true,
		Title: fmt.Sprintf("Tale %d", r.IntN(1000)), TitleFrom: sources.TrustNamed,
	}}
	w.sessions[id] = st
	st.grow(w, r)
	return st
}

// grow adds a turn with what it touched.
func (st *fixture) grow(w *fakeSource, r *rand.Rand) {
	at := w.tick(time.Minute * time.Duration(1+r.IntN(200)))
	n := len(st.s.Turns)
	st.s.Turns = append(st.s.Turns, sources.Turn{
		Index: n, ID: fmt.Sprintf("%s-%d-%d", st.s.ID[:8], n, st.version), At: at, End: at.Add(time.Minute), Status: sources.Complete,
		Model: fmt.Sprint("tale-", n%3), Tokens: &sources.Tokens{In: int64(1000 + n), Out: 7},
		User: fmt.Sprintf("prompt %d of %s\nplease", r.IntN(1000), st.s.ID[:4]), Assistant: fmt.Sprintf("Done, **%d** lines.", r.IntN(99)),
	})
	for range r.IntN(3) {
		st.s.Files = append(st.s.Files, sources.FileTouch{
			Path: st.root() + fmt.Sprintf("/internal/f%d.go", r.IntN(6)), Kind: sources.Edited, Turn: n, At: at})
	}
	if r.IntN(3) == 0 {
		st.s.Refs = append(st.s.Refs, sources.Ref{Type: sources.Commit, Value: fmt.Sprintf("%07x", r.IntN(1<<28)), Text: "work", Turn: n})
	}
	if r.IntN(3) == 0 {
		st.nameIssue(r, n)
	}
	st.besides(n, at)
	if r.IntN(4) == 0 { // one of few, so that sessions share them
		st.s.Turns[n].Attachments = []sources.Attachment{
			{Kind: "image", Name: "shot.png", Content: fmt.Appendf(nil, "\x89PNG\r\n\x1a\nIHDR %d", r.IntN(3))}}
	}
	st.touch()
}

// besides has a sub-agent work in some turns, and the user do something beside the prompts in
// others.
func (st *fixture) besides(turn int, at time.Time) {
	id := fmt.Sprintf("%s-%d", st.s.ID[:8], turn)
	switch turn % 4 {
	case 1:
		st.s.Delegated = append(st.s.Delegated, sources.Delegation{ID: id, Name: "Carver [x](y)", Task: "Look for <b>Tale</b> " + id, Answer: "Seen:\n\n- `Tale 3`", At: at, Calls: turn})
	case 2:
		st.s.Actions = append(st.s.Actions, sources.Action{Kind: sources.ActionShell, Text: "!echo `Tale 5` | cat", Turn: turn, At: at})
	}
}

// nameIssue has a turn name one of few issues and pull requests, in one of the ways there are.
func (st *fixture) nameIssue(r *rand.Rand, turn int) {
	kind := []string{sources.Issue, sources.PR}[r.IntN(2)]
	switch r.IntN(4) {
	case 0:
		st.s.Refs = append(st.s.Refs, sources.Ref{Type: kind, Value: "42", Turn: turn, Text: []string{"", "A leak", "The <ring>"}[r.IntN(3)]})
	case 1:
		st.s.Refs = append(st.s.Refs, sources.Ref{Type: kind, Value: "42", Repo: "github.com/octo-org/docs", Turn: -1})
	case 2:
		st.s.Turns[turn].User += "\nThen " + kind + " #42, please."
	default:
		st.s.Turns[turn].User += "\nSee octo-org/widget#42 and docs issue 42."
	}
}

func (st *fixture) root() string {
	if st.s.Place.GitRoot != "" {
		return st.s.Place.GitRoot
	}
	return st.s.Place.Cwd
}

func (st *fixture) touch() {
	st.version++
	st.s.Updated = time.Time{}
	var times []time.Time
	for _, t := range st.s.Turns {
		times = append(times, t.End)
	}
	for _, c := range st.s.Checkpoints {
		times = append(times, c.At)
	}
	if len(times) > 0 {
		st.s.Updated = slices.MaxFunc(times, time.Time.Compare)
	}
}

func (st *fixture) checkpoint(w *fakeSource, r *rand.Rand) {
	n := len(st.s.Checkpoints) + 1
	box := "[ ]"
	if r.IntN(2) == 0 {
		box = "[x]"
	}
	st.s.Checkpoints = append(st.s.Checkpoints, sources.Checkpoint{
		Number: n, Title: fmt.Sprintf("Step %d", r.IntN(100)), At: w.tick(time.Minute), Overview: "We got on.",
		WorkDone: "- " + box + " " + tasks[r.IntN(len(tasks))], NextSteps: "- " + tasks[r.IntN(len(tasks))], Technical: "- `x` matters",
	})
	st.touch()
}

func (st *fixture) todo(r *rand.Rand) {
	state := []string{sources.TodoOpen, sources.TodoDone, sources.TodoInProgress}[r.IntN(3)]
	title := tasks[r.IntN(len(tasks))]
	for i := range st.s.Todos {
		if st.s.Todos[i].Title == title {
			st.s.Todos[i].Status = state
			st.touch()
			return
		}
	}
	st.s.Todos = append(st.s.Todos, sources.Todo{ID: title, Title: title, Status: state})
	st.touch()
}

func (st *fixture) plan(r *rand.Rand) {
	text := fmt.Sprintf("# Plan %d\n\n- [ ] %s\n- [x] %s\n", r.IntN(50), tasks[r.IntN(len(tasks))], tasks[r.IntN(len(tasks))])
	st.s.Artifacts = []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", Text: text, At: st.s.Turns[0].At}}
	st.touch()
}

// rewind takes back the turns from a random one on, with all they left behind.
// A session that is taken back to its start start afresh with another prompt.
func (st *fixture) rewind(w *fakeSource, r *rand.Rand) {
	keep := r.IntN(len(st.s.Turns) + 1)
	st.s.TakenBack = append(st.s.TakenBack, st.s.Turns[keep:]...)
	st.s.Turns = st.s.Turns[:keep]
	st.s.Actions = slices.DeleteFunc(st.s.Actions, func(a sources.Action) bool { return a.Turn >= keep })
	end := st.s.Created
	if keep > 0 {
		end = st.s.Turns[keep-1].End
	}
	st.s.Files = slices.DeleteFunc(st.s.Files, func(f sources.FileTouch) bool { return f.Turn >= keep })
	st.s.Refs = slices.DeleteFunc(st.s.Refs, func(f sources.Ref) bool { return f.Turn >= keep })
	before := len(st.s.Checkpoints)
	st.s.Checkpoints = slices.DeleteFunc(st.s.Checkpoints, func(c sources.Checkpoint) bool { return c.At.After(end) })
	w.forgot = w.forgot || st.derived && len(st.s.Checkpoints) < before // what a transcript alone tells is no whole log
	st.s.Rewound = true
	if keep == 0 {
		st.grow(w, r)
	}
	st.touch()
}

func (st *fixture) rename(r *rand.Rand) {
	st.s.Title = fmt.Sprintf("Renamed [%d] | now", r.IntN(1000))
	st.touch()
}

// transcript makes a second account of a session, under an id of its own.
func (w *fakeSource) transcript(st *fixture, r *rand.Rand) {
	x := w.begin(r)
	x.derived = true
	id := x.s.ID
	x.s = cloneFixture(st.s)
	x.s.ID, x.s.Complete, x.s.Title, x.s.Parent, x.s.Aliases = id, false, "", "", nil
	x.s.Place = sources.Place{Cwd: "/home/dev/src/widget"}
	for i := range x.s.Turns {
		x.s.Turns[i].ID = fmt.Sprintf("%s-%d", id[:8], i)
	}
	x.touch()
}

// claim has a session say that a transcript is its own.
func (w *fakeSource) claim(st *fixture, r *rand.Rand) {
	for _, x := range w.living() {
		if x.derived && x.firstPrompt() == st.firstPrompt() && !st.derived && len(st.s.Aliases) == 0 {
			st.s.Aliases = []string{x.s.ID}
			st.touch()
		}
	}
}

func (st *fixture) firstPrompt() string {
	if len(st.s.Turns) == 0 {
		return ""
	}
	return st.s.Turns[0].User
}

// fork makes a session that begins with what another one held.
func (w *fakeSource) fork(st *fixture, r *rand.Rand) {
	child := w.begin(r)
	child.s.Place = st.s.Place
	child.s.Parent = st.s.ID
	for i := range child.s.Files {
		child.s.Files[i].Path = child.root() + "/internal/f1.go"
	}
	if r.IntN(2) == 0 {
		child.s.Artifacts = slices.Clone(st.s.Artifacts)
		child.s.Checkpoints = slices.Clone(st.s.Checkpoints)
	}
	child.touch()
}

// copyByHand makes a session with all that another one holds, as a person does
// who copies its folder. It does not say so.
func (w *fakeSource) copyByHand(st *fixture, r *rand.Rand) {
	other := *st
	other.s = cloneFixture(st.s)
	other.s.ID = fmt.Sprintf("%08x-0000-4000-8000-%012x", r.Uint32(), r.Uint64()&0xffffffffffff)
	w.sessions[other.s.ID] = &other
	other.touch()
}

// shelve puts something on one of a few memories: of a person, of a repository, or
// of a folder of which others may know the remote.
func (w *fakeSource) shelve(r *rand.Rand) string {
	n := r.IntN(6)
	id := fmt.Sprintf("tale:shelf:%d", n)
	st := w.sessions[id]
	if st == nil {
		st = &fixture{s: sources.Session{ID: id, Agent: "tale", IsMemory: true, Created: w.clock}}
		switch {
		case n < 2:
			st.s.Scope = sources.ScopeUser
		case n < 4:
			st.s.Place = sources.Place{Repository: "octo-org/widget", Host: "github.com"}
		case n < 5:
			st.s.Place = sources.Place{Cwd: "/home/dev/src/widget/cmd"}
		default:
			st.s.Place = sources.Place{Cwd: "/home/dev/lab/latency"}
		}
		w.sessions[id] = st
	}
	a := sources.Artifact{Kind: "memory", Name: fmt.Sprintf("m%d.md", r.IntN(3)), Text: fmt.Sprintf("# Fact %d\n", r.IntN(3)), At: w.tick(time.Minute)}
	st.s.Artifacts = slices.DeleteFunc(slices.Clone(st.s.Artifacts), func(b sources.Artifact) bool { return a.Name == b.Name })
	if r.IntN(4) > 0 {
		st.s.Artifacts = append(st.s.Artifacts, a)
	} else {
		w.forgot = true
	}
	st.touch()
	return id
}
