package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// agent is a source of sessions.
type agent struct {
	sizes map[string]int64 // of the logs, by id
	torn  string           // id of the one that cannot be read
}

func (*agent) Name() string { return "tale" }

func (s *agent) List(context.Context) (l sources.Listing, err error) {
	for id, size := range s.sizes {
		l.Items = append(l.Items, sources.Item{Source: "tale", Key: id, Kind: sources.KindSession, Session: id, Root: "home",
			Parts: []sources.Part{{Name: "log", Path: id, Stamp: sources.Stamp{Size: size, MTime: 1}}}})
	}
	slices.SortFunc(l.Items, func(a, b sources.Item) int { return strings.Compare(a.Key, b.Key) })
	l.Roots = []sources.Root{{Path: "home", Found: true, Items: len(s.sizes)}}
	return l, nil
}

func (s *agent) Read(_ context.Context, it sources.Item) (sources.Reading, error) {
	size := s.sizes[it.Session]
	if it.Session == s.torn {
		return sources.Reading{}, errors.New("torn")
	}
	told := &sources.Session{ID: it.Session, Title: fmt.Sprint(size)}
	return sources.Reading{BytesRead: size, Layers: []sources.Layer{{Name: "log", Rank: sources.RankLog, Session: told}}}, nil
}

// told notes the sessions it is told of.
type told []string

func (t *told) LayersChanged(id string, layers []sources.Layer) {
	*t = append(*t, fmt.Sprint(id, " ", len(layers)))
}

func (t *told) LayersMoved(was string) {
	*t = append(*t, was+" moved")
}

type noSecrets struct{}

func (noSecrets) Session(*sources.Session, map[string]int) error { return nil }
func (noSecrets) Text(s string) (string, error)                  { return s, nil }

// Run reports only what moved, and leaves it to its caller to say
// that all that follows from it is done.
func TestRunTellsWhatChanged(t *testing.T) {
	const a, b, c = "11111111-0000-4000-8000-000000000000", "22222222-0000-4000-8000-000000000000", "33333333-0000-4000-8000-000000000000"
	state := expect.Value(ledger.Open(t.TempDir(), ledger.Options{}))(t)
	defer state.Close()
	src := &agent{sizes: map[string]int64{a: 1, b: 1, c: 1}}
	now := time.Unix(2e9, 0)
	for _, step := range []struct {
		name   string
		do     func()
		told   []string
		counts Counts
		moved  bool // the source is not as it was
		full   bool
	}{
		{"the first time", func() {}, []string{a + " 1", b + " 1"}, Counts{Listed: 3, New: 2}, true, false},
		{"nothing moved", func() {}, nil, Counts{Listed: 3}, false, false},
		{"one grew", func() { src.sizes[b] = 2 }, []string{b + " 1"}, Counts{Listed: 3, Changed: 1}, true, false},
		{"all once more, and one cannot be read", func() { src.torn = a }, nil, Counts{Listed: 3, Failed: 1}, true, true},
		{"it is tried again", func() {}, nil, Counts{Listed: 3, Failed: 1}, true, false},
		{"it can be read", func() { src.torn = "" }, nil, Counts{Listed: 3}, true, false},
		{"nothing moved since", func() {}, nil, Counts{Listed: 3}, false, false},
		{"one is gone", func() { delete(src.sizes, b) }, nil, Counts{Listed: 2, Vanished: 1}, true, false},
		{"still gone", func() {}, nil, Counts{Listed: 2, Vanished: 1}, false, false},
	} {
		step.do()
		var heard told
		found, err := Run(t.Context(), List(t.Context(), []sources.Source{src}, now), state, Options{
			Masker: noSecrets{}, Sessions: &heard, Now: func() time.Time { return now }, Jobs: 2, Full: step.full, Progress: Silent{},
			Excluded: func(id string) bool { return id == c },
		})
		expect.OK(t, err)
		slices.Sort(heard)
		if !slices.Equal(heard, step.told) || found.Counts != step.counts || found.Stored != (len(step.told) > 0) {
			t.Errorf("%s: told %q, %+v, stored %v, want %q, %+v", step.name, heard, found.Counts, found.Stored, step.told, step.counts)
		}
		if len(found.Problems) != step.counts.Failed || len(found.Scans) > 0 != step.moved {
			t.Errorf("%s: problems %v, scans %v", step.name, found.Problems, found.Scans)
		}
		for name, scan := range found.Scans {
			state.PutScan(name, scan)
		}
		expect.OK(t, state.Commit())
	}
}

// A grown session is compared with few others, however long the history is.
func TestGrownSessionIsComparedWithFew(t *testing.T) {
	for _, sessions := range []int{40, 400} {
		state := expect.Value(ledger.Open(t.TempDir(), ledger.Options{}))(t)
		defer state.Close()
		src := &agent{sizes: map[string]int64{}}
		id := func(i int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", i) }
		for i := range sessions {
			src.sizes[id(i)] = 1
		}
		now := time.Unix(2e9, 0)
		for step, most := range []int{sessions, 0, 8} {
			var heard told
			compared := map[string]bool{}
			src.sizes[id(7)] += int64(step / 2)
			found, err := Run(t.Context(), List(t.Context(), []sources.Source{src}, now), state, Options{
				Masker: noSecrets{}, Sessions: &heard, Now: func() time.Time { return now }, Jobs: 1, Progress: Silent{},
				Excluded: func(id string) bool { compared[id] = id != ""; return false },
			})
			if err != nil || len(compared) > most+1 { // one is no id of a parent
				t.Errorf("step %d of %d sessions: %d are compared, at most %d are to be; %v", step, sessions, len(compared), most, err)
			}
			for name, scan := range found.Scans {
				state.PutScan(name, scan)
			}
			if step == 2 && found.Counts.Changed != 1 {
				t.Errorf("of %d sessions one grew, %+v is told", sessions, found.Counts)
			}
		}
	}
}
