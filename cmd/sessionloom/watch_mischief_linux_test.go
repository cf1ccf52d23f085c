package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// happen does one mischief to what is read, to the system or to the vault.
func (s *soak) happen() {
	s.t.Helper()
	all := []struct {
		name string
		do   func()
	}{
		{"log cut", s.cutsLog}, {"log emptied", s.emptiesLog}, {"log rotated", s.rotatesLog}, {"session deleted", s.deletesSession},
		{"sessions moved away", func() { s.vanishes(filepath.Join(s.live, "copilot", "session-state")) }},
		{"home moved away", func() { s.vanishes(filepath.Join(s.live, "copilot")) }},
		{"storages deleted", func() { s.check(os.RemoveAll(filepath.Join(s.live, "User", "workspaceStorage"))) }},
		{"all roots deleted and made anew", s.remakesRoots},
		{"odd things", s.oddThings}, {"storm of events", s.storm}, {"watches used up", s.squeezes},
		{"another sync", s.syncs}, {"lock held", s.holdsLock}, {"vault unmounted", s.unmounts},
	}
	one := all[s.r.IntN(len(all))]
	one.do()
	s.tally[one.name]++
}

// logs are the logs that are read now.
func (s *soak) aLog() string {
	var found []string
	for _, pattern := range []string{"copilot/session-state/*/events.jsonl", "User/workspaceStorage/*/chatSessions/*.jsonl"} {
		some := expect.Value(filepath.Glob(filepath.Join(s.live, filepath.FromSlash(pattern))))(s.t)
		found = append(found, some...)
	}
	if len(found) == 0 {
		return ""
	}
	return found[s.r.IntN(len(found))]
}

func (s *soak) cutsLog() {
	if log := s.aLog(); log != "" {
		info := expect.Value(os.Stat(log))(s.t)
		s.check(os.Truncate(log, s.r.Int64N(info.Size()+1)))
	}
}

func (s *soak) emptiesLog() {
	if log := s.aLog(); log != "" {
		s.check(os.Truncate(log, 0))
	}
}

func (s *soak) rotatesLog() {
	if log := s.aLog(); log != "" {
		s.check(os.Rename(log, log+".1"))
		if s.r.IntN(2) == 0 {
			s.deliver()
		}
	}
}

func (s *soak) deletesSession() {
	if log := s.aLog(); strings.HasSuffix(log, "events.jsonl") {
		s.check(os.RemoveAll(filepath.Dir(log)))
	}
}

// vanishes moves a folder; it may come back soon, or be another one meanwhile.
func (s *soak) vanishes(path string) {
	elsewhere := path + ".away"
	if os.Rename(path, elsewhere) != nil {
		return
	}
	if s.r.IntN(2) == 0 {
		s.deliver()
		s.check(os.RemoveAll(elsewhere))
		return
	}
	s.rest = append(s.rest, func() {
		if os.Rename(elsewhere, path) != nil { // something stands there
			s.check(os.RemoveAll(elsewhere))
		}
	})
}

func (s *soak) remakesRoots() {
	for range 1 + s.r.IntN(5) {
		s.check(os.RemoveAll(s.live))
		s.deliver()
	}
}

// oddThings puts what no agent leaves where sessions lie.
func (s *soak) oddThings() {
	dir := filepath.Join(s.live, "copilot", "session-state")
	if os.MkdirAll(filepath.Join(dir, fmt.Sprintf("odd-%d", s.r.IntN(100)), "deep", "down"), 0o700) != nil {
		return
	}
	_ = os.Symlink(dir, filepath.Join(dir, "loop"))
	_ = syscall.Mkfifo(filepath.Join(dir, "pipe.jsonl"), 0o600)
	_ = os.WriteFile(filepath.Join(dir, "noise.txt"), []byte("noise"), 0o000)
}

// storm makes more events than the system keeps.
func (s *soak) storm() {
	dir := filepath.Join(s.live, "copilot", "session-state")
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	for i := range 10000 {
		path := filepath.Join(dir, fmt.Sprintf("storm-%d", i%500))
		s.check(os.WriteFile(path, nil, 0o600))
		s.check(os.Remove(path))
	}
}

// squeezes leaves the watch fewer watches than it has.
func (s *soak) squeezes() {
	s.watch.room(3 + s.r.IntN(10))
	s.rest = append(s.rest, func() { s.watch.room(plenty) })
}

// syncs is a timer that fires meanwhile: it does its work, or finds the lock held.
func (s *soak) syncs() {
	cmd := s.command(append([]string{"sync", "--quiet"}, s.watched(s.vault)...)...)
	_ = cmd.Run()
	switch code := cmd.ProcessState.ExitCode(); code {
	case exitDone, exitPartial, exitLocked:
	case exitFailed: // a vault that is away
		if _, err := os.Stat(s.vault); err == nil {
			s.t.Errorf("a sync besides ends with %d", code)
		}
	default:
		s.t.Errorf("a sync besides ends with %d", code)
	}
}

func (s *soak) holdsLock() {
	found := expect.Value(filepath.Glob(filepath.Join(s.vault+".state", "*", "lock")))(s.t)
	if len(found) == 0 {
		return
	}
	l := flock.New(found[0])
	if ok, _ := l.TryLock(); ok {
		time.Sleep(time.Duration(s.r.IntN(2000)) * time.Millisecond)
		s.check(l.Unlock())
	}
}

// unmounts moves the vault away, between two passes or in one.
func (s *soak) unmounts() {
	elsewhere := s.vault + ".away"
	s.check(os.Rename(s.vault, elsewhere))
	time.Sleep(time.Duration(s.r.IntN(2000)) * time.Millisecond)
	s.check(os.Rename(elsewhere, s.vault))
}
