package extract

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What cannot be searched for secrets is not kept: the item is named and counted,
// the others are done, and it is tried again next time.
func TestWhatCannotBeSearchedIsNotKept(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.begin(s.r)
	st.s.Turns[0].User = "the unsearchable plover"
	st.touch()
	other := s.w.begin(s.r)
	var searched atomic.Int64 // readers work side by side
	s.refuses = func(x *sources.Session) bool {
		searched.Add(1)
		return slices.ContainsFunc(x.Turns, func(t sources.Turn) bool { return strings.Contains(t.User, "plover") })
	}
	r := s.mustSync(s.w)
	if r.Sessions.Failed != 1 || !r.Part() || len(r.Problems) != 1 || r.Problems[0].Item != st.s.ID {
		t.Errorf("the report says %+v, %+v", r.Sessions, r.Problems)
	}
	if found := s.everywhere("plover"); len(found) > 0 {
		t.Errorf("it is in %v", found)
	}
	if _, err := os.Stat(s.find(names.SessionID(other.s.ID))); err != nil {
		t.Error(err)
	}
	before := searched.Load()
	if r = s.mustSync(s.w); r.Sessions.Failed != 1 || searched.Load() == before {
		t.Errorf("it is not tried again: %+v", r.Sessions)
	}
	s.refuses = nil
	s.mustSync(s.w)
	s.find(names.SessionID(st.s.ID))
}

// What is asked for a folder grows with what is left out, not with what is there.
func TestFoldersThatAreLeftOut(t *testing.T) {
	s := newStage(t, 2)
	place := sources.Place{Cwd: "/home/dev/secret/api/cmd", GitRoot: "/home/dev/secret/api"}
	st := s.w.begin(s.r)
	st.s.Place, st.s.Turns[0].User = place, "the quiet plover"
	st.touch()
	asked, here := 0, true
	s.ignored = func(folder string) bool {
		asked++
		return here && filepath.ToSlash(folder) == "/home/dev/secret"
	}
	r := s.mustSync(s.w)
	if r.Sessions.Excluded != 1 || len(r.Ignored) != 1 || r.Ignored[0] != (IgnoredFolder{Folder: "/home/dev/secret", Sessions: 1}) {
		t.Errorf("the report says %+v, %v", r.Sessions, r.Ignored)
	}
	for path, text := range tree(t, s.vault) {
		expect.Lacks(t, path+text, "plover", path, "tells of it")
	}
	checkStep(t, s.bench, s.w, true)
	asked = 0
	if r = s.mustSync(s.w); asked != 1 || r.Sessions.Excluded != 1 {
		t.Errorf("an idle pass asks %d times, and reports %+v", asked, r.Sessions)
	}
	st.grow(s.w, s.r)
	s.mustSync(s.w)
	here = false
	s.mustSync(s.w)
	s.find(names.SessionID(st.s.ID))
	checkStep(t, s.bench, s.w, true)
	// Later on: what stands stays as it is.
	here = true
	was := s.text(names.SessionID(st.s.ID))
	st.s.Turns = append(st.s.Turns, sources.Turn{Index: len(st.s.Turns), ID: "later", User: "the loud plover", At: s.w.clock})
	st.touch()
	s.mustSync(s.w)
	expect.Is(t, s.text(names.SessionID(st.s.ID)), was, "the note was changed")
}

// The texts of a report come from a source too.
func TestReportsHideSecrets(t *testing.T) {
	s := newStage(t, 1)
	s.rules = newRule
	st := s.w.living()[0]
	st.s.Damage = []string{"line 3 is no record: " + slipped}
	st.fails, st.luck = false, ""
	st.touch()
	bad := s.w.begin(s.r)
	bad.fails, bad.luck = true, slipped
	r := s.mustSync(s.w)
	if len(r.Partial) != 1 || len(r.Problems) != 1 {
		t.Fatalf("%+v", r)
	}
	if said := r.Partial[0].Damage[0] + r.Problems[0].Error; strings.Contains(said, slipped) || strings.Count(said, "[redacted:zebra#1]") != 2 {
		t.Errorf("it says %q", said)
	}
}

// onWrite does something once, when the first note of a run was written.
type onWrite struct {
	stage string
	do    func()
}

func (p *onWrite) Step(stage string, _ int) { p.stage = stage }

func (p *onWrite) Advance(int) {
	if p.stage == "writing notes" && p.do != nil {
		p.do()
		p.do = nil
	}
}

// What the state could not tell may be missing in what is written next.
func TestNothingIsWrittenAfterAFailedRead(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.begin(s.r)
	st.s.Checkpoints = []sources.Checkpoint{{Number: 1, Title: "One", Overview: "first"}, {Number: 2, Title: "Two", Overview: "second"}}
	st.touch()
	unread := errors.New("a row that cannot be read")
	var at map[string]string
	_, err := s.run(func(y *Engine) (Report, error) {
		y.Mode.Jobs = 1
		y.Progress = &onWrite{do: func() {
			_ = y.Ledger.Fail(unread)
			at = tree(t, s.vault)
		}}
		return y.Run(t.Context())
	})
	if !errors.Is(err, unread) || at == nil {
		t.Fatalf("the run ended with %v", err)
	}
	if now := tree(t, s.vault); !maps.Equal(now, at) {
		t.Errorf("%d files stood when it failed, now %d", len(at), len(now))
	}
	s.mustSync(s.w)
	checkStep(t, s.bench, s.w, false)
}
