package copilotcli

import (
	"context"
	"errors"
	"fmt"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// logReading is what a log says.
type logReading struct {
	Session   *sources.Session
	Empty     bool           // no record is in it: it was emptied, or is being written anew
	Unknown   map[string]int // types of events this reader does not know
	BytesRead int64
	Start     string // sums up how the session began, empty where the log does not tell
	Problems  []sources.Problem
}

// readLog reads the event log of one session, session-state/<id>/events.jsonl or
// the flat session-state/<id>.jsonl. A last line without its end is no line yet.
//
// Damage inside the log is told in Session.Damage; the error is for a log that
// cannot be opened or read, or a cancelled context.
func readLog(ctx context.Context, path, sessionID string, windows *files.Windows) (logReading, error) {
	return readLogLimit(ctx, path, sessionID, windows, files.MaxLine)
}

// readLogLimit is readLog with the size in bytes above which a record is skipped.
func readLogLimit(ctx context.Context, path, sessionID string, windows *files.Windows, limit int) (logReading, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return logReading{}, fmt.Errorf("open event log: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	p := newLogParser(sessionID)
	r := windows.New(f, limit)
	defer windows.Back(r)
	if err := p.run(ctx, r, path); err != nil {
		return logReading{}, fmt.Errorf("read event log %q: %w", path, err)
	}
	p.finish()
	return logReading{
		Session: p.session, Empty: !p.begun, Unknown: p.unknown, BytesRead: info.Size(), Start: p.start, Problems: p.problems,
	}, nil
}

// run goes through the lines. A line whose type is of no use is passed over
// without being held or decoded.
func (p *logParser) run(ctx context.Context, r *files.Lines, path string) error {
	for r.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if kind := p.peekType(r.Head()); kind != "" && wanted(kind) != decoded {
			if r.Skip() == nil {
				p.pass(kind)
			}
			continue
		}
		line, err := r.Bytes()
		switch {
		case err == nil:
			p.record(line)
		case errors.Is(err, files.ErrTooLong):
			p.tooLong(path, r.Start(), r.Done()-r.Start())
		case errors.Is(err, files.ErrTorn):
			return nil
		default:
			return err
		}
	}
	return r.Err()
}

// pass counts an event that is not decoded.
func (p *logParser) pass(kind string) {
	p.begun = true
	if wanted(kind) != unknown {
		return
	}
	name := typeName(kind)
	if _, ok := p.unknown[name]; ok || len(p.unknown) < 100 {
		p.unknown[name]++
	}
}

// tooLong notes a record that was not held.
func (p *logParser) tooLong(path string, offset, size int64) {
	p.begun = true
	p.long = append(p.long, size)
	p.problems = append(p.problems, sources.Problem{
		Source: agentName, Item: p.id, Path: path,
		Err: fmt.Errorf("skip a record of %d bytes at offset %d: %w", size, offset, files.ErrTooLong),
	})
}
