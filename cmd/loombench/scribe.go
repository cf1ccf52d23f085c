package main

import (
	"io"
	"math/rand/v2"
	"time"
)

// scribe writes the event log of one session as the CLI does: one JSON object a
// line, each naming the one before it.
type scribe struct {
	out io.Writer
	r   *rand.Rand
	lex *lexicon
	s   *session

	sessionID string    // of the folder written to: a fork copies its parent's events under its own id
	now       time.Time // of the newest event
	parent    string    // id of the newest event
	rewritten bool      // lines as a rewind leaves them: 0.0 became 0
	agent     string    // id of the sub-agent speaking, empty for the root

	bytes, tool int64 // written so far; tool output among it
	rows        *rows // what the store learns

	data, line []byte // scratch
	err        error  // first failure of out; writing goes on in vain
}

func newScribe(out io.Writer, s *session, lex *lexicon, id string) *scribe {
	return &scribe{out: out, r: s.rng("log", 0), lex: lex, s: s, sessionID: id, now: s.start, rows: &rows{session: s}}
}

// begin starts the data of the next event.
func (c *scribe) begin() object { return append(object(c.data[:0]), '{') }

// event ends the data and writes the event; it returns the event's id.
func (c *scribe) event(kind string, data object) string {
	data = data.close()
	c.data = data
	id := uuid(c.r)
	o := append(object(c.line[:0]), '{').str("type", kind).key("data")
	o = append(o, data...)
	if c.agent != "" {
		o = o.str("agentId", c.agent)
	}
	o = o.str("id", id)
	o = append(o.key("timestamp"), '"')
	o = append(c.now.AppendFormat(o, stampLayout), '"')
	if c.parent == "" {
		o = o.raw("parentId", "null")
	} else {
		o = o.str("parentId", c.parent)
	}
	o = append(o.close(), '\n')
	c.line, c.parent = o, id
	c.write(o)
	return id
}

// stampLayout is the time format of events, workspace.yaml and the store.
const stampLayout = "2006-01-02T15:04:05.000Z"

func (c *scribe) write(b []byte) {
	c.bytes += int64(len(b))
	if c.err == nil {
		_, c.err = c.out.Write(b)
	}
}

// pass lets some time go by.
func (c *scribe) pass(low, high time.Duration) {
	c.now = c.now.Add((low + time.Duration(c.r.Int64N(int64(high-low)))).Truncate(time.Millisecond))
}

// zero is a number the CLI writes as 0.0 until a rewind rewrites the log.
func (c *scribe) zero() string {
	if c.rewritten {
		return "0"
	}
	return "0.0"
}

// opaque is as much noise as encrypted reasoning is.
func (c *scribe) opaque(n int) string {
	from := c.r.IntN(len(c.lex.opaque) - n)
	return c.lex.opaque[from : from+n]
}

// output is about n bytes of what a tool printed, as escaped pieces, and counts
// them as tool output. The pieces are shared, nothing is copied.
func (c *scribe) output(n int) []string {
	pool := c.lex.pools[c.r.IntN(len(c.lex.pools))]
	at, size := c.r.IntN(len(pool)), 0
	var lines []string
	for size < n {
		rest := pool[at:]
		for i, s := range rest {
			if size += len(s); size >= n {
				rest = rest[:i+1]
				break
			}
		}
		lines = append(lines, rest...)
		at = 0
	}
	c.tool += int64(size)
	return lines
}

// owed is how much tool output is missing to make up its share of the log.
func (c *scribe) owed() int {
	const other, tool = 31, 69
	return int((c.bytes-c.tool)*tool/other - c.tool)
}
