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
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
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
	// About is what a call is about, and what it does to files if it succeeds.
	About func(name string, args *words.Arguments) (kind, detail string, files []words.PatchFile)
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
	p := newParser(session, info.Size())
	p.dialect = d
	lines := files.NewLines(f, limit)
	defer lines.Release()
	if err := p.run(ctx, lines); err != nil {
		return Reading{}, fmt.Errorf("read event log %q: %w", path, err)
	}
	return p.finish(), nil
}

// run goes through the lines. A line whose type is of no use is passed over
// without being held or decoded.
func (p *parser) run(ctx context.Context, lines *files.Lines) error {
	for lines.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.records++
		head := lines.Head()
		if kind := leadingType(head); string(kind) == callStart && p.callOf(head).argued {
			_ = lines.Skip() // nothing new
			continue
		} else if kind != nil && handlers[string(kind)] == nil {
			kind := string(kind)
			if lines.Skip() == nil {
				p.pass(kind)
			}
			continue
		}
		line, err := lines.Bytes()
		switch {
		case err == nil:
			jsonl.Records(p.light(line), heads, p.parse, p.take)
		case errors.Is(err, files.ErrTooLong):
			p.begun = true
			p.skipped = append(p.skipped, lines.Done()-lines.Start())
		case errors.Is(err, files.ErrTorn):
			if jsonl.Whole(p.light(line), p.parse) {
				p.take(true)
			}
			return nil
		default:
			return err
		}
	}
	return lines.Err()
}

// pass counts an event that is not decoded.
func (p *parser) pass(kind string) {
	p.begun = true
	if isKnown(kind) {
		return
	}
	name := words.OneLine(kind, 64)
	if _, ok := p.unknown[name]; ok || len(p.unknown) < 100 {
		p.unknown[name]++
	}
}

// heads are how events begin.
var heads = []string{`{"type":"`}

// take gives the event that was read to its handler; ok says that it is one. What is none is
// counted and left out.
func (p *parser) take(ok bool) {
	e := &p.event
	handle := handlers[e.Type]
	if ok && handle == nil {
		p.pass(e.Type)
		return
	}
	begins := !p.begun
	p.begun = true
	if !ok || !e.Data.there {
		p.bad++
		return
	}
	if begins {
		p.whole = e.Type == "session.start" || e.Type == "session.import_legacy"
	}
	if e.At.IsZero() {
		e.At.Time = p.clock
	}
	p.clock = e.At.Time
	if !p.hidden && e.Agent == "" { // a sub-agent's events are its own affair
		handle(p, e)
	}
}

// light is a line without what a call gave, where nobody asks for it.
func (p *parser) light(line []byte) []byte {
	p.exit = ""
	if kind := leadingType(line); len(line) <= longText || !bytes.HasPrefix(kind, []byte("tool.execution_")) || p.callOf(line).scan != 0 {
		return line
	}
	p.exit = string(exitMark.Find(line))
	p.short = shortened(p.short[:0], line)
	return p.short
}

// parse reads a record, and tells its size; ok says that it is an event.
func (p *parser) parse(text []byte) (size int64, ok bool) {
	p.decoder.ResetTo(text)
	err := p.decoder.Read(&p.event)
	return p.decoder.InputOffset(), err == nil && p.event.Type != ""
}
