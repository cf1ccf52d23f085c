package extract

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault"
)

// stage is a bench with a fake source of some sessions in one project, synced once.
type stage struct {
	*bench
	w *fakeSource
	r *rand.Rand
}

func newStage(t *testing.T, sessions int) *stage {
	t.Helper()
	s := &stage{bench: newBench(t), w: newFakeSource(), r: rand.New(rand.NewPCG(11, 7))}
	for range sessions {
		st := s.w.begin(s.r)
		st.s.Place = sources.Place{Repository: "octo-org/widget", Host: "github.com", GitRoot: "/home/dev/src/widget"}
		st.s.Files = []sources.FileTouch{{Path: st.root() + "/main.go", Kind: sources.Edited, At: st.s.Turns[0].At}}
	}
	s.mustSync(s.w)
	return s
}

// run does a pass of another kind than sync does.
func (s *stage) run(do func(*Engine) (Report, error)) (Report, error) {
	s.t.Helper()
	l := expect.Value(ledger.Open(s.state, ledger.Options{}))(s.t)
	v := expect.Value(vault.Open(s.vault, "Agents", vault.Options{}))(s.t)
	report, err := do(&Engine{Sources: withWords(v, s.w), Ledger: l, Vault: v, Folder: "Agents", Pages: s.set,
		Masker: s.masker(), Settings: s.settings, Now: func() time.Time { return time.Unix(2e9, 0) }})
	must(s.t, errors.Join(l.Close(), v.Close()))
	return report, err
}

// find returns the one note whose id begins so.
func (s *stage) find(id string) string {
	s.t.Helper()
	for path, text := range tree(s.t, s.vault) {
		if strings.Contains(text, "\nid: \""+id) {
			return filepath.Join(s.vault, filepath.FromSlash(path))
		}
	}
	s.t.Fatalf("no note %q", id)
	return ""
}

func (s *stage) links(path string) int {
	s.t.Helper()
	rel := expect.Value(filepath.Rel(s.vault, path))(s.t)
	target, n := "[["+strings.TrimSuffix(filepath.ToSlash(rel), ".md"), 0
	for _, text := range tree(s.t, s.vault) {
		n += strings.Count(text, target)
	}
	return n
}

var must = expect.OK

func TestInterruptedPassForgetsNoLinkToADeletedNote(t *testing.T) {
	s := newStage(t, 6)
	gone := s.find(names.SessionID(s.w.living()[1].s.ID))
	must(t, os.Remove(gone))
	for _, st := range s.w.living() {
		st.version++
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := s.syncContext(ctx, &fuse{World: s.w, cancel: cancel}); err == nil {
		t.Fatal("the pass was not interrupted")
	}
	s.mustSync(s.w)
	if n := s.links(gone); n > 0 {
		t.Errorf("%d links to the deleted note are left", n)
	}
}

func TestNoteRemovedByAnInterruptedPassIsNoDeletion(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.living()[0]
	st.checkpoint(s.w, s.r)
	s.mustSync(s.w)
	path := s.find(names.CheckpointID(st.s.ID, 1))
	kept := st.s.Checkpoints
	st.s.Checkpoints = nil
	st.touch()
	// What a kill between the removal and the ledger's commit leaves: the plan
	// is in the ledger, the note is gone.
	s.runUntil("writing notes")
	must(t, os.Remove(path))
	if r := s.mustSync(s.w); r.Notes.Tombstoned != 0 {
		t.Errorf("%d notes were taken for deleted by the user", r.Notes.Tombstoned)
	}
	st.s.Checkpoints = kept
	st.touch()
	s.mustSync(s.w)
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the checkpoint came back in the session, its note did not: %v", err)
	}
}

func TestFailedItemIsReadAgainThoughItsStoreRests(t *testing.T) {
	s := newStage(t, 2)
	src := &shared{fakeSource: s.w}
	s.mustSync(src)
	src.digest, src.fails = "moved", true
	if r := s.mustSync(src); r.Sessions.Failed != 2 {
		t.Fatalf("%d sessions failed, want 2", r.Sessions.Failed)
	}
	src.fails = false
	src.reads.Store(0)
	if s.mustSync(src); src.reads.Load() != 2 {
		t.Errorf("%d items were tried again, want 2", src.reads.Load())
	}
	src.reads.Store(0)
	if s.mustSync(src); src.reads.Load() != 0 {
		t.Errorf("%d items were read though nothing moved", src.reads.Load())
	}
}

func TestPartThatWasNotReadIsTriedAgain(t *testing.T) {
	s := newStage(t, 1)
	src := &shared{fakeSource: s.w, digest: "1", part: errors.New("busy")}
	if r := s.mustSync(src); !r.Part() {
		t.Fatal("the pass does not say that it was done in part")
	}
	src.part = nil
	src.reads.Store(0)
	if s.mustSync(src); src.reads.Load() != 1 {
		t.Errorf("the item was read %d times, want once", src.reads.Load())
	}
}

// A store that cannot be asked makes nobody be read who did not change, however often
// it is tried; who was read meanwhile is read once more when it can.
func TestStoreThatCannotBeAskedSaysWhatItSaidLast(t *testing.T) {
	s := newStage(t, 2)
	src := &shared{fakeSource: s.w, digest: "1"}
	s.mustSync(src)
	pass := func(happened string, part bool, want int64) {
		t.Helper()
		src.reads.Store(0)
		if r := s.mustSync(src); r.Part() != part || src.reads.Load() != want {
			t.Errorf("%s: done in part: %v, want %v; %d items were read, want %d", happened, r.Part(), part, src.reads.Load(), want)
		}
	}
	src.ctime, src.silent = 1, errors.New("locked")
	pass("it is locked", true, 0)
	pass("it still is", true, 0)
	st := s.w.living()[0]
	st.grow(s.w, s.r)
	pass("a session goes on", true, 1)
	pass("that one is read", true, 0)
	src.silent = nil
	pass("it is there again", false, 1)
	src.ctime, src.digest = 2, "2"
	pass("it says more", false, 2)
	pass("nothing happens", false, 0)
}

// A store that was written in the very moment we looked at it may be written once
// more in that moment, with an equal stamp.
func TestStoreAsYoungAsOurLookIsAskedAgain(t *testing.T) {
	s := newStage(t, 1)
	src := &shared{fakeSource: s.w, digest: "1"}
	s.mustSync(src)
	src.ctime = time.Unix(2e9, 0).UnixNano() // the clock of a stage
	s.mustSync(src)
	src.reads.Store(0)
	src.digest = "2"
	if s.mustSync(src); src.reads.Load() != 1 {
		t.Errorf("the item was read %d times, want once", src.reads.Load())
	}
}

// shared is a fake source whose items have a part in common.
type shared struct {
	*fakeSource
	digest string
	ctime  int64 // of the store, nanoseconds
	fails  bool
	part   error // of a part of each item
	silent error // of the store, when it is asked
	reads  atomic.Int64
}

func (s *shared) List(ctx context.Context) (sources.Listing, error) {
	l, err := s.fakeSource.List(ctx)
	for i := range l.Items {
		l.Items[i].Parts = append(l.Items[i].Parts, sources.Part{
			Name: "store", Path: "store", Shared: true, Stamp: sources.Stamp{Size: int64(len(s.digest)), CTime: s.ctime}})
	}
	return l, err
}

func (s *shared) Digest(context.Context, sources.Item, string) (string, error) {
	return s.digest, s.silent
}

func (s *shared) Read(ctx context.Context, it sources.Item) (sources.Reading, error) {
	s.reads.Add(1)
	if s.fails {
		return sources.Reading{}, errors.New("the store is busy")
	}
	out, err := s.fakeSource.Read(ctx, it)
	if s.part != nil {
		out.Problems = append(out.Problems, sources.Problem{Source: "tale", Item: it.Key, Err: s.part, Fatal: true})
	}
	return out, err
}

func TestSourceThatCannotBeListedLeavesTheOthers(t *testing.T) {
	s := newStage(t, 1)
	s.w.begin(s.r)
	r := s.mustSync(unlisted{}, s.w)
	if r.Sessions.New != 1 || !r.Part() {
		t.Errorf("%d new sessions, done in part: %v; want the other source's one, in part", r.Sessions.New, r.Part())
	}
}

type unlisted struct{}

func (unlisted) Name() string { return "dark" }
func (unlisted) List(context.Context) (sources.Listing, error) {
	return sources.Listing{}, errors.New("no light")
}
func (unlisted) Read(context.Context, sources.Item) (sources.Reading, error) {
	return sources.Reading{}, errors.New("nothing was listed")
}

// A pass that finds nothing new leaves the file of the ledger alone, or every
// check after it would compare all of vault and ledger.
func TestIdlePassWritesNothing(t *testing.T) {
	s := newStage(t, 2)
	s.mustSync(s.w)
	file := filepath.Join(s.state, "ledger.db")
	before := expect.Value(os.Stat(file))(t)
	time.Sleep(20 * time.Millisecond) // more than file systems round times to
	s.mustSync(s.w)
	after := expect.Value(os.Stat(file))(t)
	if !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the ledger was written to at %v, after %v", after.ModTime(), before.ModTime())
	}
}
