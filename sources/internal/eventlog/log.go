// Package eventlog reads Copilot CLI's log of one session: events.jsonl, with a record in each line, or
// the one document of its oldest layout. The extension of VS Code logs the same events in a [Dialect].
// Unknown records are counted, damage is reported, and the rest is read.
package eventlog

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// Reading is the content of a log.
type Reading struct {
	Session *sources.Session // without an agent
	Start   string           // fingerprint of how the session began, or ""
	Empty   bool             // it has no record: it was emptied, or is being rewritten
	Unknown map[string]int   // types of events this reader does not know
	Records int              // known or not
}

// Dialect describes the log of another program. It may begin within a turn.
type Dialect struct {
	// Typed returns the part of a prompt that a person typed; own is false if nobody did.
	Typed func(prompt string) (typed string, own bool)
	// PathOf returns a path as it is written in the session.
	PathOf func(string) string
	// Replayed is in the id of a call that is repeated without its end.
	Replayed string
	// Of names the log in reports of damaged lines.
	Of string
}

// Read reads the log of one session: session-state/<id>/events.jsonl, session-state/<id>.jsonl, or of
// the oldest layout history-session-state/session_<id>_<ms>.json. Damage is in the session; the error
// is for a log that cannot be read, or a cancelled context.
func Read(ctx context.Context, path, session string) (Reading, error) {
	return read(ctx, path, session, files.MaxLine, nil)
}

// ReadDialect is Read for the log of another program.
func ReadDialect(ctx context.Context, path string, d Dialect) (Reading, error) {
	return read(ctx, path, "", files.MaxLine, &d)
}

// read is Read with a limit in bytes above which a record is skipped.
func read(ctx context.Context, path, session string, limit int, d *Dialect) (Reading, error) {
	f, _, err := files.OpenLog(path)
	if err != nil {
		return Reading{}, fmt.Errorf("open event log: %w", err)
	}
	defer f.Close()
	p := newParser(session, d)
	if strings.HasSuffix(path, ".json") {
		err = cmp.Or(p.document(f), ctx.Err())
	} else {
		err = p.log.Read(ctx, f, limit)
	}
	if err != nil {
		return Reading{}, fmt.Errorf("read event log %q: %w", path, err)
	}
	return p.finish(), nil
}

// lines reads a log. A line of an unused type is skipped without being held or decoded.
func (p *parser) lines() *jsonl.Log[event] {
	return &jsonl.Log[event]{
		Heads: []string{typeMark}, Unknown: map[string]int{}, Light: p.light,
		Pass: func(head []byte) (unknown string, pass bool) {
			switch kind := leadingType(head); {
			case kind == callStart:
				c := p.b.Called(jsonl.Word(head, callMark))
				return "", c != nil && c.Argued() && !c.Ended() // nothing new
			case kind != "" && handlers[kind] == nil:
				return unknownIn(kind), true
			}
			return "", false
		},
		Take: func(e *event) (unknown string, ok bool) {
			if handlers[e.Type] == nil {
				return unknownIn(e.Type), e.Type != ""
			}
			return "", p.take(e)
		},
	}
}

// take gives an event to its handler, and reports whether it has one.
func (p *parser) take(e *event) bool {
	d := &e.Data
	if !d.there {
		return false
	}
	if !p.log.Begun {
		p.b.Session.Complete = e.Type == "session.start" || e.Type == "session.import_legacy"
	}
	p.b.At(e.At.Time)
	if p.hidden || !strings.HasPrefix(e.Type, "tool.") && p.isAgain(e) {
		return true
	}
	if e.Agent != "" || d.ParentToolCallID != "" {
		p.helped(e)
	} else {
		handlers[e.Type](p, e)
	}
	return true
}

// isAgain reports whether an event occurred before: a line may be repeated, or copied with a new id.
func (p *parser) isAgain(e *event) bool {
	id := e.ID
	if d := &e.Data; d.MessageID != "" && d.ChunkIndex+d.ChunkCount == 0 {
		id = d.MessageID
	}
	return p.meet(strconv.FormatInt(p.b.Now().UnixNano(), 36)+" ", id) > 1 // two events may have one id
}

// leadingType returns the type if it is first in the line, where the CLI writes it, or "".
func leadingType(head []byte) string {
	if !bytes.HasPrefix(head, []byte(typeMark)) {
		return ""
	}
	return jsonl.Word(head, typeMark)
}

// Text before a type and before the id of a call.
const typeMark, callMark = `{"type":"`, `"toolCallId":"`

// longText is the size in bytes of a text that is cut out of a line if it is not needed.
const longText = 4 << 10

// light returns a line without the output of a call, but with its exit code, unless the output is an
// answer of a person or a sub-agent, or may name a commit.
func (p *parser) light(line []byte) []byte {
	kind := leadingType(line)
	if len(line) <= longText || !strings.HasPrefix(kind, "tool.execution_") || kind == callStart {
		return line
	}
	if bytes.Contains(line, []byte(`"success":false`)) { // its output has an error
		return line
	}
	if c := p.b.Called(jsonl.Word(line, callMark)); c != nil {
		isRead := c.Does() >= tools.Polls
		if c.Does() == tools.Runs {
			isRead = strings.Contains(c.Command, "git") || strings.Contains(c.Command, "gh ")
		}
		if isRead {
			return line
		}
	}
	p.short = jsonl.Shorten(p.short[:0], line, longText, '<')
	return p.short
}
