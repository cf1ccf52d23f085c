//go:build unix

package faults

import (
	"flag"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

var kills = flag.Int("faults.kills", 0, "how often a program is killed at a random time (0: 200, or fewer where not all points are tried)")

// Killed at random times while the history grows, the vault always comes out as
// if nothing had happened, and what a human wrote stays.
func TestKilledAtRandomTimes(t *testing.T) {
	times := *kills
	if times == 0 {
		times = max(200 / *every, 8)
	}
	dice := rand.New(rand.NewPCG(5, 19))
	p := placeIn(t, memoryDir(t))
	part := map[string]float64{}
	killed := 0
	for range times {
		for _, id := range []string{small, middle, large} {
			if part[id] < 1 && dice.IntN(3) == 0 {
				part[id] = min(1, part[id]+dice.Float64()/3)
				p.add(id, part[id])
			}
		}
		if part[large] == 1 { // all over again, elsewhere
			p.sound("killed at random times")
			p = placeIn(t, memoryDir(t))
			part = map[string]float64{}
			continue
		}
		cmd := p.command(nil, "sync")
		p.must(cmd.Start())
		time.Sleep(time.Duration(dice.IntN(60)) * time.Millisecond)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if cmd.Wait() != nil {
			killed++
		}
	}
	for _, id := range []string{small, middle, large} {
		p.add(id, 1)
	}
	p.sound("killed at random times")
	proved(t, "kill -9 at random times while sessions grow", times, killed, "next run = undisturbed")
}
