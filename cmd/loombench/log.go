package main

import (
	"bytes"
	"fmt"
	"io"
)

// writeLog writes the session's whole event log and returns what the store
// learned of it.
func writeLog(out io.Writer, s *session, lex *lexicon) (*scribe, error) {
	if s.parent != nil {
		return forkLog(out, s, lex)
	}
	c := newScribe(out, s, lex, s.id)
	c.narrate()
	if k := s.child; k != nil {
		c.info("fork", fmt.Sprintf("Forked this session into %q (%s).", k.name(), k.id))
	}
	if s.damage != intact {
		c.crash()
	}
	return c, c.err
}

// forkLog copies the parent's events, told anew under the fork's id, and goes on
// from there. The store hears of the fork's own turns alone.
func forkLog(out io.Writer, s *session, lex *lexicon) (*scribe, error) {
	copied := newScribe(out, s.parent, lex, s.id)
	copied.narrate()
	if copied.err != nil {
		return nil, copied.err
	}
	c := newScribe(out, s, lex, s.id)
	c.bytes, c.tool, c.parent = copied.bytes, copied.tool, copied.parent
	if copied.now.After(c.now) {
		c.now = copied.now
	}
	s.start = c.now
	c.info("fork", fmt.Sprintf("Forked from %q (%s) as %q (%s).", s.parent.name(), s.parent.id, s.name(), s.id))
	c.resume()
	for more := true; more; more = c.bytes < s.budget {
		c.turn(between(c.r, 0, 3))
	}
	return c, c.err
}

// name is the title, or what stands for it.
func (s *session) name() string {
	if s.title == "" {
		return "session " + s.id[:8]
	}
	return s.title
}

// narrate writes a session from its start until its budget is used up.
func (c *scribe) narrate() {
	s := c.s
	c.rewritten = s.rewound
	c.start()
	c.system()
	compactions, subagent := 0, s.subagent
	for more := true; more; more = c.bytes+c.turnSize()/2+int64(s.checkpoints-compactions)*c.compactionSize() < s.budget {
		c.turn(c.calls())
		if s.rewound && c.rewritten && c.bytes > s.budget/2 {
			c.rewind()
		}
		if subagent {
			c.subagent()
			subagent = false
		}
		if compactions < s.checkpoints && c.bytes > s.budget*int64(compactions+1)/int64(s.checkpoints+1) {
			compactions++
			c.compaction(compactions)
		}
		if !s.long && chance(c.r, 8) {
			c.shutdown()
			c.resume()
		}
	}
	for compactions < s.checkpoints {
		compactions++
		c.compaction(compactions)
	}
	c.finish()
}

func (c *scribe) finish() {
	if c.s.cancelled {
		c.abort()
	}
	if c.s.autopilot {
		c.event("session.task_complete", c.begin().str("summary", c.lex.paragraph(c.r, 3)).raw("success", "true"))
	}
	if !chance(c.r, 10) {
		c.shutdown()
	}
}

// calls is how many rounds of tools the next turn takes. A small log gets none
// that would blow it up.
func (c *scribe) calls() int {
	switch left := c.s.budget - c.bytes; {
	case c.s.long:
		return between(c.r, 30, 90)
	case left < 10<<10:
		return 0
	case left < 24<<10:
		return 1
	default:
		return between(c.r, 0, 3)
	}
}

// turnSize is about what a turn adds to the log.
func (c *scribe) turnSize() int64 {
	if c.s.long {
		return 700 << 10
	}
	return min(24<<10, c.s.budget/2)
}

// compactionSize is about what a checkpoint adds to the log.
func (c *scribe) compactionSize() int64 { return 8<<10 + c.snapshotSize() }

// snapshotSize is the size of the prompt a compaction logs.
func (c *scribe) snapshotSize() int64 {
	if c.s.hooked() {
		return 0
	}
	return min(30<<10, c.s.budget/25)
}

// rewind leaves what the CLI leaves of turns that were taken back: nothing in
// the log but a line that says so, and their rows in the store.
func (c *scribe) rewind() {
	out, size, tool, parent := c.out, c.bytes, c.tool, c.parent
	c.out = io.Discard
	c.turn(1)
	c.out, c.bytes, c.tool, c.parent = out, size, tool, parent
	c.info("rewind", "Rewound the conversation. Your files were left unchanged.")
	c.rewritten = false
}

// crash leaves a tail as a power failure does.
func (c *scribe) crash() {
	if c.s.damage == nulTail {
		c.write(make([]byte, 512))
		return
	}
	out, size := c.out, c.bytes
	var last bytes.Buffer
	c.out = &last
	c.user(c.lex.prompt(c.r, c.s.project.file(c.r)), "")
	c.out, c.bytes = out, size
	c.write(last.Bytes()[:last.Len()/2])
}
