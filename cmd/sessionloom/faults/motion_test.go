//go:build unix

package faults

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A log that is written while it is read, in pieces that end anywhere, is in the
// end as if it had been read at rest.
func TestAppendedWhileRead(t *testing.T) {
	p := newHistory(t)
	runs := 0
	rounds := max(1, 25 / *every)
	for round := range rounds {
		random := rand.New(rand.NewPCG(uint64(round), 3))
		var logs [2][]byte
		for i, name := range []string{eventLog, chatLog} {
			logs[i] = p.read(name)
			p.write(name, logs[i][:bytes.IndexByte(logs[i], '\n')+1])
		}
		written := make(chan error, 1)
		go func() { written <- p.trickle(random, logs) }()
		for done := false; !done; runs++ {
			select {
			case err := <-written:
				p.must(err)
				done = true
			default:
				p.endures("while it grows")
			}
		}
		p.fresh("after it grew")
	}
	p.sound("after it grew")
	proved(t, "log appended while it is read", rounds, runs, "equals the run at rest")
}

// trickle appends what logs lack, in pieces that stop anywhere.
func (p *place) trickle(random *rand.Rand, logs [2][]byte) error {
	for i, name := range []string{eventLog, chatLog} {
		f, err := os.OpenFile(p.at(name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		for rest := logs[i][bytes.IndexByte(logs[i], '\n')+1:]; len(rest) > 0 && err == nil; {
			n := min(len(rest), 1+random.IntN(900))
			_, err = f.Write(rest[:n])
			rest = rest[n:]
			time.Sleep(time.Duration(random.IntN(12)) * time.Millisecond)
		}
		if cerr := f.Close(); err != nil || cerr != nil {
			return fmt.Errorf("write %q: %w, %w", name, err, cerr)
		}
	}
	return nil
}

// Whatever becomes of a log, its notes are those of a run that never saw another.
func TestRewritten(t *testing.T) {
	p := newHistory(t)
	p.sync(0)
	was := map[string][2]string{eventLog: {"identity", "ADDRESS!"}, chatLog: {"nightly", "DAYTIME"}}
	ways := []struct {
		name string
		do   func(name string, body []byte)
	}{
		{"other bytes, same size and time", func(name string, body []byte) {
			info, err := os.Stat(p.at(name))
			p.must(err)
			p.write(name, bytes.ReplaceAll(body, []byte(was[name][0]), []byte(was[name][1])))
			p.must(os.Chtimes(p.at(name), info.ModTime(), info.ModTime()))
		}},
		{"another file, same size and time", func(name string, body []byte) {
			info, err := os.Stat(p.at(name))
			p.must(err)
			p.write(name+".new", bytes.ReplaceAll(body, []byte(was[name][0]), []byte(was[name][1])))
			p.must(os.Chtimes(p.at(name+".new"), info.ModTime(), info.ModTime()))
			p.must(os.Rename(p.at(name+".new"), p.at(name)))
		}},
		{"cut at a line, then other text", func(name string, body []byte) {
			cut := bytes.LastIndexByte(body[:len(body)*2/3], '\n') + 1
			p.must(os.Truncate(p.at(name), int64(cut)))
			p.must(p.grow(p.at(name), string(body[:cut])+strings.NewReplacer(was[name][0], "something longer", "And now", "And later").Replace(string(body[cut:]))))
		}},
		{"the beginning alone", func(name string, body []byte) {
			p.must(os.Truncate(p.at(name), int64(bytes.LastIndexByte(body[:len(body)/2], '\n')+1)))
		}},
	}
	points := 0
	for i, way := range ways {
		for j, name := range []string{eventLog, chatLog} {
			if *every == sampled && i%2 != j {
				continue // each way once, each log twice
			}
			body := p.read(name)
			way.do(name, body)
			if bytes.Equal(body, p.read(name)) {
				t.Fatalf("%s: %s did not change", way.name, name)
			}
			p.fresh(way.name + ": " + name)
			p.write(name, body)
			p.fresh("as it was before: " + name)
			points++
		}
	}
	p.sound("after all was put back")
	proved(t, "log rewritten, rotated, rewound; same size and time", points, 4*points, "equals the run at rest")
}

// Times are compared with themselves, never believed.
func TestLyingClocks(t *testing.T) {
	p := newHistory(t)
	p.sync(0)
	log := strings.SplitAfter(string(p.read(eventLog)), "\n")
	stamps := []time.Time{time.Unix(0, 0), time.Unix(1, 0), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), time.Now().Add(time.Second), time.Now().Add(-time.Hour), time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC)}
	words := []string{"", "yesterday", "9999-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2026-05-11T09:02:12+14:00", "0", "2026-05-11"}
	for i, at := range stamps {
		if *every == sampled && i%2 == 1 {
			continue
		}
		p.write(eventLog, []byte(strings.Join(log[:len(log)-len(stamps)+i], "")))
		p.write(workspace, fmt.Appendf(nil, "id: %s\nname: Session of %d\nupdated_at: %s\ncreated_at: %s\n", middle, i, words[i], words[i]))
		p.must(filepath.WalkDir(p.home, func(path string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chtimes(path, at, at)
		}))
		p.fresh(at.String() + " " + words[i])
		if r := p.sync(0); len(r.Changed) > 0 {
			t.Errorf("%s: a second pass changes %v", at, r.Changed)
		}
	}
	p.sound("with clocks that lie")
	proved(t, "clocks that lie (equal, 1970, 2400, backwards, in the future; updated_at no time)", len(stamps), 3*len(stamps), "no change is missed, none is made twice")
}
