// Package eventlog reads what Copilot CLI logged of one session: events.jsonl, with a
// record in each line, or the one document of its oldest layout. The extension of VS Code
// logs the same events in a [Dialect]. What is unknown is
// counted, what is damaged is told, and the rest is read.
package eventlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// Reading is what a log says.
type Reading struct {
	Session *sources.Session // without an agent
	Start   string           // sums up how the session began, empty where the log does not tell
	Empty   bool             // no record is in it: it was emptied, or is being written anew
	Unknown map[string]int   // types of events this reader does not know
	Records int              // known or not
}

// Read reads the event log of one session, session-state/<id>/events.jsonl or the
// flat session-state/<id>.jsonl. A last line without its end is no line yet.
//
// Damage inside the log is told in Session.Damage; the error is for a log that
// cannot be opened or read, or a cancelled context.
func Read(ctx context.Context, path, session string) (Reading, error) {
	return read(ctx, path, session, files.MaxLine, nil)
}

// Dialect is how a log of the same events differs that another program writes. It may
// begin in the middle of a turn.
type Dialect struct {
	// Typed is what of a prompt the person typed; own says that it was one of theirs.
	Typed func(prompt string) (typed string, own bool)
	// PathOf is how the path of a file is written.
	PathOf func(string) string
	// Replayed stands in the id of a call that is told again without how it ended.
	Replayed string
	// Of is what a line is one of, in what is said of a damaged one.
	Of string
}

// ReadDialect is Read for the log of another program.
func ReadDialect(ctx context.Context, path string, d Dialect) (Reading, error) {
	return read(ctx, path, "", files.MaxLine, &d)
}

// read is Read with the size in bytes above which a record is skipped.
func read(ctx context.Context, path, session string, limit int, d *Dialect) (Reading, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return Reading{}, fmt.Errorf("open event log: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	p := newParser(session, info.Size(), d)
	if err := p.log.Read(ctx, f, limit); err != nil {
		return Reading{}, fmt.Errorf("read event log %q: %w", path, err)
	}
	return p.finish(), nil
}

// lines returns the reading of a log by the parser. A line whose type is of no use is passed over
// without being held or decoded.
func (p *parser) lines() *jsonl.Log[event] {
	l := &jsonl.Log[event]{Heads: []string{`{"type":"`}, Light: p.light, Unknown: map[string]int{}}
	l.Pass = func(head []byte) (unknown string, pass bool) {
		switch kind := leadingType(head); {
		case string(kind) == callStart:
			c := p.b.Called(string(callIn(head)))
			return "", c != nil && c.Argued() && !c.Ended() // nothing new
		case kind != nil && handlers[string(kind)] == nil:
			return unknownIn(string(kind)), true
		}
		return "", false
	}
	l.Parse = func(d *decode.Decoder, text []byte, into *event) (size int64, err error) {
		if err = d.Read(into); err == nil && into.Type == "" {
			err = errNoEvent
		}
		return d.InputOffset(), err
	}
	l.Take = func(e *event) (unknown string, ok bool) {
		if handlers[e.Type] == nil {
			return unknownIn(e.Type), true
		}
		return "", p.take(e)
	}
	return l
}

var errNoEvent = errors.New("no event")

// unknownIn returns a type of event that nobody knows, empty for one that is known.
func unknownIn(kind string) string {
	if isKnown(kind) {
		return ""
	}
	return kind
}

// take gives an event to its handler, and reports whether it is one.
func (p *parser) take(e *event) bool {
	if !e.Data.there {
		return false
	}
	if !p.log.Begun {
		p.b.Session.Complete = e.Type == "session.start" || e.Type == "session.import_legacy"
	}
	p.b.At(e.At.Time)
	e.At.Time = p.b.Now()
	if !p.hidden && e.Agent == "" { // a sub-agent's events are its own affair
		handlers[e.Type](p, e)
	}
	return true
}

// light returns a line without what a call gave, where nobody asks for it.
func (p *parser) light(line []byte) []byte {
	p.exit = ""
	if kind := leadingType(line); len(line) <= longText || !bytes.HasPrefix(kind, []byte("tool.execution_")) || isRead(p.b.Called(string(callIn(line)))) {
		return line
	}
	p.exit = string(exitMark.Find(line))
	p.short = shortened(p.short[:0], line)
	return p.short
}

// isRead tells whether what a call gave is read: an answer of a person or a sub-agent, and what
// may name a commit.
func isRead(c called) bool {
	switch {
	case c == nil || c.Does() == tools.Nothing:
		return false
	case c.Does() == tools.Runs:
		return bytes.Contains([]byte(c.Command), []byte("git")) || bytes.Contains([]byte(c.Command), []byte("gh "))
	}
	return c.Does() >= tools.Polls
}
