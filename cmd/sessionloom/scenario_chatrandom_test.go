package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

var (
	chatRuns = flag.Int("chat.runs", 1, "random histories of chats")
	chatSeed = flag.Uint64("chat.seed", 0, "of the first of them; 0: a fixed one")
)

// days are random days of somebody who chats.
type days struct {
	*scenario
	r        *rand.Rand
	windows  []*window
	chats    []*chat
	vanished bool // something that told more than is left
}

// step lets one thing happen and says what.
func (d *days) step() string {
	c := d.chats[d.r.IntN(len(d.chats))]
	if d.r.IntN(8) == 0 && len(d.chats) < 6 {
		return d.opens(d.windows[d.r.IntN(len(d.windows))])
	}
	if len(c.requests) == 0 || d.r.IntN(4) == 0 {
		c.asks(fmt.Sprintf("Question %d of %s", len(c.requests), c.uuid[:8]))
		return "a prompt"
	}
	if d.r.IntN(3) == 0 && c.hash != "" {
		return d.beside(c)
	}
	return d.within(c)
}

func (d *days) opens(w *window) string {
	id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", len(d.chats)+1)
	if d.r.IntN(3) == 0 {
		d.chats = append(d.chats, w.oldChat(id))
		return "a new chat of an old version"
	}
	d.chats = append(d.chats, w.chat(id))
	return "a new chat"
}

// within changes a chat itself.
func (d *days) within(c *chat) string {
	switch d.r.IntN(8) {
	case 0:
		c.mutters("I'll see. ")
		return "first words"
	case 1:
		c.edits(fmt.Sprintf("file%d.go", d.r.IntN(3)))
		return "an edit"
	case 2:
		c.runs("make", d.r.IntN(2))
		return "a command"
	case 3:
		c.isCalled(fmt.Sprintf("Title %d", d.r.IntN(5)))
		return "a title"
	case 4:
		if c.old {
			c.upgrades()
			return "an upgrade"
		}
		c.compacts()
		return "a compaction"
	case 5:
		// To its first request, for that is what an export is known by.
		if n := len(c.requests); n > 1 && !c.old {
			c.rewindsTo(1 + d.r.IntN(n-1))
			return "a rewind"
		}
	}
	c.says(fmt.Sprintf("Answer %d: `code`, [[link]] and\n\n- a list", d.r.IntN(100)))
	return "an answer"
}

// beside changes what is beside a chat.
func (d *days) beside(c *chat) string {
	switch d.r.IntN(7) {
	case 0:
		if os.Remove(c.extension("transcripts/"+c.uuid+".jsonl")) == nil {
			d.vanished, c.told = true, 0
			return "a transcript deleted"
		}
	case 1:
		if _, err := os.Stat(c.memory("plan.md")); err == nil {
			c.forgets()
			d.vanished = true
			return "memories deleted"
		}
	case 2:
		c.remembers("plan.md", fmt.Sprintf("# Plan\n\n- [ ] Step %d\n", d.r.IntN(3)))
		return "a plan"
	case 3:
		c.indexes()
		return "an index"
	case 4:
		c.settles("file0.go", 1+d.r.IntN(2))
		return "an edit settled"
	case 5:
		c.exports(d.exports[0], c.uuid[:8]+".json")
		return "an export"
	}
	c.transcribes()
	return "a transcript"
}

// Whatever happens to chats, what passes wrote step by step is what one pass
// with an empty ledger makes of the same sources: on the same vault always, on
// an empty one where nothing vanished.
func TestChatsIncrementalIsFresh(t *testing.T) {
	t.Parallel()
	seed := *chatSeed
	if seed == 0 {
		seed = 20261121
	}
	for i := range *chatRuns {
		seed := seed + uint64(i)
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			e := s.edition("Code")
			d := &days{scenario: s, r: rand.New(rand.NewPCG(seed, 0)), windows: []*window{e.opens(widget), e.opens(latency), e.opensNothing()}}
			d.chats = append(d.chats, d.windows[0].chat(alpha))
			s.exports = []string{t.TempDir()}
			for round := range 8 {
				happened := ""
				for range 1 + d.r.IntN(5) {
					happened += ", " + d.step()
				}
				s.lasting = d.vanished
				s.sync(fmt.Sprintf("round %d%s", round, happened))
				if t.Failed() {
					t.Fatalf("-chat.seed %d -chat.runs 1 does it again", seed)
				}
			}
		})
	}
}
