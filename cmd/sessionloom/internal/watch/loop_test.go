package watch_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/watch"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// pace is that of the tests.
var pace = watch.Debounce{Interval: 5 * time.Minute, Quiet: 2 * time.Second, AtMost: 30 * time.Second, Rest: 20}

// stage is a loop with events and time in the hands of the test. It runs inside
// of a bubble of synctest.
type stage struct {
	t      *testing.T
	root   string // a folder with one folder, sessions/a
	events chan fsnotify.Event
	errs   chan error
	loop   *watch.Loop
	fake   *fakeNotifier
	start  time.Time

	mu     sync.Mutex
	passes []time.Duration // since the start
	took   time.Duration   // by a pass
	result watch.Result
	fails  error // ends the loop
	seen   []watch.Coverage
}

func play(t *testing.T, script func(s *stage)) {
	t.Helper()
	root := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(root, "sessions", "a"), 0o700))
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, root: root, events: make(chan fsnotify.Event), errs: make(chan error), start: time.Now(), fake: &fakeNotifier{}}
		s.loop = &watch.Loop{
			Tree: watch.NewTree(s.fake, s.events, s.errs, 100), Debounce: pace,
			Roots:   func() []watch.Root { return []watch.Root{{Path: s.root, Files: []string{"sessions/*/log"}}} },
			Pass:    s.pass,
			Watched: func(w watch.Coverage) { s.seen = append(s.seen, w) },
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.loop.Run(ctx) }()
		synctest.Wait()
		script(s)
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) && s.fails == nil {
			t.Errorf("it ended with %v", err)
		}
		close(s.errs)
	})
}

func (s *stage) pass(context.Context) (watch.Result, error) {
	s.mu.Lock()
	s.passes = append(s.passes, time.Since(s.start))
	took, result, err := s.took, s.result, s.fails
	s.mu.Unlock()
	time.Sleep(took)
	return result, err
}

// grow is an event of the log.
func (s *stage) grow() fsnotify.Event {
	return fsnotify.Event{Name: filepath.Join(s.root, "sessions", "a", "log"), Op: fsnotify.Write}
}

// after lets time pass, then tells when passes began since the last time.
func (s *stage) after(d time.Duration) []time.Duration {
	time.Sleep(d)
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.passes
	s.passes = nil
	return out
}

func (s *stage) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *stage) want(got []time.Duration, want ...time.Duration) {
	s.t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		ok = (got[i] - want[i]).Abs() <= 200*time.Millisecond // pauses in which events are taken in
	}
	if !ok {
		s.t.Errorf("passes at %v, want %v", got, want)
	}
}

const sec, minute = time.Second, time.Minute

func TestAPassAtTheStartAndNowAndThen(t *testing.T) {
	play(t, func(s *stage) {
		s.want(s.after(11*minute), 0, 5*minute, 10*minute)
	})
}

func TestAHintIsFollowedWhenItIsQuiet(t *testing.T) {
	play(t, func(s *stage) {
		s.want(s.after(minute), 0)
		s.events <- s.grow()
		s.want(s.after(minute), minute+2*sec)
		s.want(s.after(5*minute), 6*minute+2*sec) // no earlier than an interval after the last
	})
}

// An agent writes without a pause: a pass comes nevertheless, and events are taken
// in a few times a minute, not one by one.
func TestWritingWithoutAPause(t *testing.T) {
	play(t, func(s *stage) {
		s.after(minute)
		stop, taken := time.After(2*minute), 0
		for writing := true; writing; {
			select {
			case s.events <- s.grow():
				taken++
				time.Sleep(30 * time.Millisecond)
			case <-stop:
				writing = false
			}
		}
		got := s.after(0)
		if len(got) < 3 || len(got) > 5 {
			s.t.Errorf("passes at %v, want one each half minute", got)
		}
		if taken > 500 {
			s.t.Errorf("%d events were taken in one by one", taken)
		}
	})
}

// A pass is due as often as was asked, whatever is written meanwhile.
func TestWritingWithoutAPauseAndAShortInterval(t *testing.T) {
	play(t, func(s *stage) {
		s.loop.Debounce.Interval = 5 * sec
		s.after(5*minute + sec) // the first pass was planned with the usual interval
		stop := time.After(minute)
		for writing := true; writing; {
			select {
			case s.events <- s.grow():
				time.Sleep(30 * time.Millisecond)
			case <-stop:
				writing = false
			}
		}
		if got := s.after(0); len(got) < 10 || len(got) > 13 {
			s.t.Errorf("passes at %v, want one each five seconds", got)
		}
	})
}

func TestStormsOfWhatDoesNotMatter(t *testing.T) {
	play(t, func(s *stage) {
		s.after(minute)
		other := fsnotify.Event{Name: filepath.Join(s.root, "sessions", "a", "inuse.7.lock"), Op: fsnotify.Write}
		stop, taken := time.After(minute), 0
		for storm := true; storm; {
			select {
			case s.events <- other:
				taken++
				time.Sleep(25 * time.Millisecond)
			case <-stop:
				storm = false
			}
		}
		s.want(s.after(0))
		if taken > 200 {
			s.t.Errorf("%d events that mean nothing were taken in within a minute", taken)
		}
	})
}

func TestLongPassesRestLonger(t *testing.T) {
	play(t, func(s *stage) {
		s.set(func() { s.took = 3 * sec })
		s.events <- s.grow()
		s.want(s.after(30*sec), 0, 2*sec) // the first took no time
		s.events <- s.grow()
		s.want(s.after(minute), 2*sec+3*sec+60*sec)
	})
}

func TestEventsOfATimeWithAPassAreNotLost(t *testing.T) {
	play(t, func(s *stage) {
		s.after(minute)
		s.set(func() { s.took = 10 * sec })
		s.events <- s.grow()
		s.want(s.after(5*sec), minute+2*sec)
		go func() { s.events <- s.grow() }() // nobody takes it before the pass is over
		s.want(s.after(10*minute), minute+2*sec+10*sec+200*sec, 4*minute+42*sec+5*minute)
	})
}

// Where not all folders are watched, each hint has the watches look who is at work.
func TestWhoIsAtWorkIsWatched(t *testing.T) {
	play(t, func(s *stage) {
		s.after(minute)
		looked := len(s.seen)
		s.events <- s.grow()
		s.after(minute)
		expect.Is(s.t, len(s.seen), looked, "all are watched, yet the watches were looked into", len(s.seen)-looked, "times")
		s.fake.room, s.fake.err = 3, syscall.ENOSPC
		must(s.t, os.MkdirAll(filepath.Join(s.root, "sessions", "b"), 0o700))
		s.events <- fsnotify.Event{Name: filepath.Join(s.root, "sessions", "b"), Op: fsnotify.Create}
		s.after(minute)
		s.events <- s.grow()
		s.after(minute)
		expect.Is(s.t, len(s.seen), looked+2, "one is not watched, and the watches were looked into", len(s.seen)-looked, "times")
	})
}

func TestLostEvents(t *testing.T) {
	play(t, func(s *stage) {
		s.after(minute)
		looked := len(s.seen)
		s.errs <- fsnotify.ErrEventOverflow
		s.want(s.after(minute), minute+30*sec)
		expect.Is(s.t, len(s.seen), looked+1, "the watches were looked into", len(s.seen)-looked, "times")
	})
}

func TestAFloodOfErrorsCostsLittle(t *testing.T) {
	play(t, func(s *stage) {
		s.after(minute)
		stop, n := time.After(10*minute), 0
		for flood := true; flood; {
			select {
			case s.errs <- errors.New("bad descriptor"):
				n++
			case <-stop:
				flood = false
			}
		}
		if got := s.after(0); len(got) < 2 || len(got) > 21 || n > 1300 {
			s.t.Errorf("%d errors taken in, passes at %v", n, got)
		}
	})
}

// While another run is at work, and while nothing goes, it is tried ever more
// rarely, whatever the hints say; once it goes all is as before.
func TestBusyAndFailed(t *testing.T) {
	for _, r := range []watch.Result{watch.Busy, watch.Failed} {
		play(t, func(s *stage) {
			s.after(minute)
			s.set(func() { s.result = r })
			s.events <- s.grow()
			s.want(s.after(20*sec), minute+2*sec)
			go func() { s.events <- s.grow() }()
			s.want(s.after(13*minute), 92*sec, 152*sec, 272*sec, 512*sec, 812*sec)
			s.set(func() { s.result = watch.Done })
			s.want(s.after(5*minute), 1112*sec)
			s.events <- s.grow()
			s.want(s.after(20*sec), 14*minute+20*sec+5*minute+2*sec)
		})
	}
}

func TestAnErrorOfAPassEndsIt(t *testing.T) {
	play(t, func(s *stage) {
		s.set(func() { s.fails = errors.New("no way on") })
		s.want(s.after(20*minute), 0, 5*minute)
	})
}

// fakeNotifier watches nothing and counts.
type fakeNotifier struct {
	paths map[string]bool
	room  int   // watches that can be had; 0: any number
	err   error // of those that cannot
}

func (f *fakeNotifier) Add(path string) error {
	if f.paths == nil {
		f.paths = map[string]bool{}
	}
	if f.room > 0 && len(f.paths) >= f.room && !f.paths[path] {
		return f.err
	}
	f.paths[path] = true
	return nil
}

func (f *fakeNotifier) Remove(path string) error { delete(f.paths, path); return nil }

func (f *fakeNotifier) WatchList() (out []string) {
	for p := range f.paths {
		out = append(out, p)
	}
	return out
}
