package main

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	soakFor  = flag.Duration("watch.soak", 2*time.Second, "how long a watch is put to the test")
	soakSeed = flag.Uint64("watch.seed", 20261121, "of what happens to it")
)

// soak is a watch at work on a history that grows, and to which things happen.
// What the agents wrote is kept apart from what is read, so that in the end all
// damage is mended and nothing may tell of it.
type soak struct {
	*scenario
	r     *rand.Rand
	live  string   // folder with what is read: copilot, and User of VS Code
	pairs []string // folders in which agents write, and where they are read in live
	talks []*talk
	wins  []*window
	chats []*chat
	tally map[string]int
	rest  []func() // what ends what was begun
	watch *watcher
}

func newSoak(t *testing.T) *soak {
	s := &soak{scenario: newStage(t), r: rand.New(rand.NewPCG(*soakSeed, 0)), live: filepath.Join(t.TempDir(), "live"), tally: map[string]int{}}
	e := s.edition("Code")
	s.wins = []*window{e.opens(widget), e.opens(latency)}
	s.pairs = []string{s.home, filepath.Join(s.live, "copilot"), e.user, filepath.Join(s.live, "User")}
	for i := range 4 {
		s.begin(i)
	}
	s.deliver()
	return s
}

// TestWatchSoak has things happen at random while `watch` runs: the history grows,
// logs are cut, rotated, deleted and made again, so are roots; the system runs out
// of watches, events are lost, other runs hold the lock, the vault goes and comes
// back. In the end the vault is what one pass makes of the same sources, memory
// did not grow, and no watch is left over.
func TestWatchSoak(t *testing.T) {
	s := newSoak(t)
	s.watch = s.begins()
	begun := time.Now()
	for n := 0; time.Since(begun) < *soakFor; n++ {
		for range 1 + s.r.IntN(4) {
			s.grow()
		}
		if s.r.IntN(2) == 0 {
			s.happen()
		} else {
			s.deliver()
		}
		time.Sleep(time.Duration(s.r.IntN(600)) * time.Millisecond)
		if s.r.IntN(6) == 0 {
			s.heal()
		}
		s.watch.look()
		if t.Failed() {
			t.Fatalf("-watch.seed %d, %d steps", *soakSeed, n)
		}
	}
	s.heal()
	s.becomesFresh()
	s.watch.look()
	s.watch.last = s.watch.now
	s.leaksNothing()
	s.watch.end()
	s.table(time.Since(begun))
}

func (s *soak) begin(n int) {
	id := fmt.Sprintf("%08d-0000-4000-8000-%012d", n, s.r.IntN(1e6))
	if s.r.IntN(3) == 0 {
		s.chats = append(s.chats, s.wins[s.r.IntN(2)].chat(id).asks("What is it about?").says("About looms."))
		return
	}
	s.talks = append(s.talks, s.history.begins(id, []string{widget, latency}[s.r.IntN(2)]).asks(fmt.Sprintf("Question %d", n)).says("An answer."))
}

// grow lets an agent write something.
func (s *soak) grow() {
	n := s.r.IntN(1e6)
	switch k := s.r.IntN(20); {
	case k == 0 && len(s.talks)+len(s.chats) < 60:
		s.begin(len(s.talks) + len(s.chats))
	case k < 6 && len(s.chats) > 0:
		c := s.chats[s.r.IntN(len(s.chats))]
		switch s.r.IntN(4) {
		case 0:
			c.transcribes()
		case 1:
			c.remembers("plan.md", fmt.Sprintf("# Plan\n\n- [ ] Step %d\n", n))
		default:
			c.asks(fmt.Sprintf("And %d?", n)).says(fmt.Sprintf("%d it is.", n))
		}
	default:
		t := s.talks[s.r.IntN(len(s.talks))]
		switch s.r.IntN(5) {
		case 0:
			t.edits(fmt.Sprintf("file%d.go", n%7))
		case 1:
			t.plans(fmt.Sprintf("# Plan\n\n- [ ] Step %d\n", n))
		default:
			t.asks(fmt.Sprintf("And %d?", n)).says(fmt.Sprintf("%d it is.", n))
		}
	}
	s.tally["growth"]++
}

// deliver brings what agents wrote to where it is read: files that are there as
// they were are appended to, others made again.
func (s *soak) deliver() {
	s.t.Helper()
	for i := 0; i < len(s.pairs); i += 2 {
		from, to := s.pairs[i], s.pairs[i+1]
		s.check(filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(from, path)
			return s.bring(path, filepath.Join(to, rel))
		}))
	}
}

func (s *soak) bring(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	have, err := os.ReadFile(to)
	switch {
	case err == nil && string(have) == string(text):
		return nil
	case err == nil && len(have) > 0 && strings.HasPrefix(string(text), string(have)):
		f, err := os.OpenFile(to, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(text[len(have):])
		_ = f.Close()
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if s.r.IntN(2) == 0 {
		return os.WriteFile(to, text, 0o600) // in place
	}
	if err := os.WriteFile(to+".tmp", text, 0o600); err != nil {
		return err
	}
	return os.Rename(to+".tmp", to)
}

// heal mends all that was done and removes what was put there.
func (s *soak) heal() {
	s.t.Helper()
	for _, f := range slices.Backward(s.rest) {
		f()
	}
	s.rest = nil
	for i := 0; i < len(s.pairs); i += 2 {
		from, to := s.pairs[i], s.pairs[i+1]
		s.check(filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil
			}
			rel, _ := filepath.Rel(to, path)
			if _, e := os.Lstat(filepath.Join(from, rel)); err != nil || e == nil {
				return err
			}
			if err := os.RemoveAll(path); err != nil || !d.IsDir() {
				return err
			}
			return filepath.SkipDir
		}))
	}
	s.deliver()
	s.tally["healed"]++
}

// becomesFresh waits until the watch has made of the history what a pass makes of
// it that begins with nothing.
func (s *soak) becomesFresh() {
	s.t.Helper()
	fresh := filepath.Join(s.t.TempDir(), "fresh")
	createFixedVault(s.t, fresh)
	succeeds(s.t, "", append([]string{"sync"}, s.watched(fresh)...)...)
	d := ""
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(200 * time.Millisecond) {
		if nameAs(s.t, fresh, s.vault) {
			_, _, _ = runProgram(s.t, "", append([]string{"sync"}, s.watched(fresh)...)...)
		}
		if d = differences(asNamed(walk(s.t, s.vault)), asNamed(walk(s.t, fresh)), false); d == "" {
			return
		}
	}
	s.t.Errorf("-watch.seed %d: what watch left (-) is not fresh (+):\n%s\n%s", *soakSeed, d, s.watch.said())
}

// watched are the flags by which a vault is made from what is read.
func (s *soak) watched(dir string) []string {
	return []string{"--vault", dir, "--state", dir + ".state", "--no-defaults", "--copilot-home", s.pairs[1], "--vscode-user", s.pairs[3]}
}

// command is the program in a process of its own.
func (s *soak) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), actAs+"=1")
	return cmd
}

// memoryRoom is what the watch may take at any time, and what it may have grown by
// from the first tenth of the time to the last, in kB.
const (
	memoryRoom   = 200_000
	memoryGrowth = 20_000
)

// leaksNothing compares the watches in the kernel with the folders there are, and
// what is resident at the end with what was at the start.
func (s *soak) leaksNothing() {
	s.t.Helper()
	want := 0
	for _, pattern := range []string{
		"copilot", "copilot/session-state", "copilot/session-state/*", "User", "User/workspaceStorage", "User/workspaceStorage/*",
		"User/workspaceStorage/*/chatSessions", "User/workspaceStorage/*/GitHub.copilot-chat", "User/workspaceStorage/*/GitHub.copilot-chat/transcripts",
		"User/workspaceStorage/*/GitHub.copilot-chat/memory-tool", "User/workspaceStorage/*/GitHub.copilot-chat/memory-tool/memories",
		"User/workspaceStorage/*/GitHub.copilot-chat/memory-tool/memories/*",
	} {
		found, err := filepath.Glob(filepath.Join(s.live, filepath.FromSlash(pattern)))
		s.check(err)
		want += len(found)
	}
	for begun := time.Now(); s.watch.now.watches != want; time.Sleep(200 * time.Millisecond) {
		if s.watch.look(); time.Since(begun) > 20*time.Second {
			s.t.Errorf("%d watches in the kernel, but %d folders that matter: %s", s.watch.now.watches, want, s.watch.said())
			break
		}
	}
	tenth := len(s.watch.resident)/10 + 1
	early, late := slices.Max(s.watch.resident[:tenth]), slices.Max(s.watch.resident[len(s.watch.resident)-tenth:])
	if most := slices.Max(s.watch.resident); most > memoryRoom || late > early+memoryGrowth {
		s.t.Errorf("resident: %d kB in the first tenth of the time, %d kB in the last, %d kB at most", early, late, most)
	}
}

// table prints what happened and what it took.
func (s *soak) table(took time.Duration) {
	w := s.watch
	sorted := slices.Sorted(slices.Values(w.resident))
	s.t.Logf("%s, seed %d, %d steps", took.Round(time.Second), *soakSeed, len(w.resident))
	for _, name := range slices.Sorted(maps.Keys(s.tally)) {
		s.t.Logf("%-34s %6d", name, s.tally[name])
	}
	s.t.Logf("%-34s %6d", "passes that did something", strings.Count(w.out.String(), "\n"))
	s.t.Logf("%-34s %6d", "times the limit was met", strings.Count(w.err.String(), "folders watched, ")+strings.Count(w.err.String(), "folder watched, "))
	s.t.Logf("resident, MB: first %.1f, median %.1f, most %.1f, last %.1f", mega(w.resident[0]), mega(sorted[len(sorted)/2]), mega(sorted[len(sorted)-1]), mega(w.now.resident))
	s.t.Logf("watches: least %d, most %d, at the end %d, as there are folders", slices.Min(w.watches), slices.Max(w.watches), w.now.watches)
	s.t.Logf("processor %.1f s, wake-ups %d", w.now.cpu.Seconds(), w.now.wakes)
}

func mega(kB int) float64 { return float64(kB) * 1024 / 1e6 }
