package copilotcli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/lines"
)

// logPrior is what the last read of an event log gave: its cursor and, on
// demand, the session as it was kept (redacted), its lists in the same order.
type logPrior struct {
	Cursor  []byte
	Session func() (*sources.Session, error)
}

// logReading is the outcome of one read of a log.
type logReading struct {
	Session   *sources.Session // nil when Same
	Same      bool             // nothing changed since the prior read
	Cursor    []byte           // opaque; holds no text of the transcript
	Unknown   map[string]int   // types of events this reader does not know, in what was read now
	BytesRead int64
	Start     string // sums up how the session began, where that was read now
	Problems  []sources.Problem
}

// errReadWhole says that a log cannot be read on from the cursor.
var errReadWhole = errors.New("the log must be read from its start")

// readLog reads the event log of one session, session-state/<id>/events.jsonl or
// the flat session-state/<id>.jsonl. With a prior it reads only what was
// appended, as long as the beginning and the bytes before the cursor are what
// they were; a log that was rewritten (rewind, repair) is read whole. A last
// line without its end is left for the next time.
//
// Damage inside the log is told in Session.Damage; the error is for a log that
// cannot be opened or read, or a cancelled context.
func readLog(ctx context.Context, path, sessionID string, prior *logPrior) (logReading, error) {
	return readLogLimit(ctx, path, sessionID, prior, lines.DefaultMax)
}

// readLogLimit is readLog with the size in bytes above which a record is skipped.
func readLogLimit(ctx context.Context, path, sessionID string, prior *logPrior, limit int) (logReading, error) {
	var cur *logCursor
	if prior != nil {
		cur = parseLogCursor(prior.Cursor)
	}
	if info, err := os.Stat(path); err == nil && cur.unmoved(info) {
		return logReading{Same: true, Cursor: prior.Cursor}, nil
	}
	f, info, err := lines.Open(path)
	if err != nil {
		return logReading{}, fmt.Errorf("open event log: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	src := &countedFile{file: f}
	if cur.holds(src, info) {
		p := resumeLogParser(sessionID, src, cur.State, prior.Session)
		p.limit = limit
		reading, err := p.read(ctx, path, info, cur.Offset)
		if !errors.Is(err, errReadWhole) {
			return reading, err
		}
	}
	p := newLogParser(sessionID, src)
	p.limit = limit
	return p.read(ctx, path, info, 0)
}

// read parses the log from offset to its last complete line.
func (p *logParser) read(ctx context.Context, path string, info os.FileInfo, offset int64) (logReading, error) {
	src := p.source.(*countedFile)
	r := lines.New(src, offset, p.limit)
	if err := p.run(ctx, r, path); err != nil {
		return logReading{}, err
	}
	reading := logReading{Unknown: p.unknown, Problems: p.problem, Start: p.start}
	st := p.st
	if p.session == nil {
		reading.Same = true // nothing but events that no note shows
	} else {
		st = p.finish()
		reading.Session = p.session
	}
	cur, err := newLogCursor(src, info, r.Done(), st)
	if err != nil {
		return logReading{}, fmt.Errorf("read event log %q: %w", path, err)
	}
	reading.Cursor = cur
	reading.BytesRead = src.read
	return reading, nil
}

// run goes through the lines. A line whose type is of no use is passed over
// without being held or decoded.
func (p *logParser) run(ctx context.Context, r *lines.Reader, path string) error {
	for r.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if kind := peekType(r.Head()); kind != "" && wanted(kind) != decoded {
			if r.Skip() == nil {
				p.pass(kind)
			}
			continue
		}
		line, err := r.Bytes()
		switch {
		case err == nil:
			err = p.record(line, r.Start())
		case errors.Is(err, lines.ErrTooLong):
			err = p.tooLong(path, r.Start(), r.Done()-r.Start())
		case errors.Is(err, lines.ErrTorn):
			return nil
		}
		if err != nil {
			return wrapLog(err, path)
		}
	}
	return wrapLog(r.Err(), path)
}

func wrapLog(err error, path string) error {
	if err == nil || errors.Is(err, errReadWhole) {
		return err
	}
	return fmt.Errorf("read event log %q: %w", path, err)
}

// pass counts an event that is not decoded.
func (p *logParser) pass(kind string) {
	p.st.Begun = true
	if wanted(kind) != unknown {
		return
	}
	name := typeName(kind)
	if _, ok := p.unknown[name]; ok || len(p.unknown) < 100 {
		p.unknown[name]++
	}
}

// tooLong notes a record that was not held.
func (p *logParser) tooLong(path string, offset, size int64) error {
	if err := p.ready(); err != nil {
		return err
	}
	p.st.Begun = true
	p.st.Long = append(p.st.Long, size)
	p.problem = append(p.problem, sources.Problem{
		Source: agentName, Item: p.id, Path: path,
		Err: fmt.Errorf("skip a record of %d bytes at offset %d: %w", size, offset, lines.ErrTooLong),
	})
	return nil
}

// countedFile counts the bytes that are read of a file.
type countedFile struct {
	file *os.File
	read int64
}

// ReadAt implements io.ReaderAt.
func (c *countedFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.file.ReadAt(b, off)
	c.read += int64(n)
	return n, err
}
