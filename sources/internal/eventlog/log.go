// Package eventlog reads what Copilot CLI logged of one session: events.jsonl, with a
// record in each line, or the one document of its oldest layout. The extension of VS Code
// logs the same events in a [Dialect]. What is unknown is counted, what is damaged is told,
// and the rest is read.
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

// Reading is what a log says.
type Reading struct {
	Session *sources.Session // without an agent
	Start   string           // sums up how the session began, empty if the log does not say
	Empty   bool             // no record is in it: it was emptied, or is being rewritten
	Unknown map[string]int   // types of events this reader does not know
	Records int              // known or not
}

// Dialect is how the log of another program differs. It may begin within a turn.
type Dialect struct {
	// Typed returns what of a prompt the person typed; own is false for a prompt of nobody.
	Typed func(prompt string) (typed string, own bool)
	// PathOf returns how the path of a file is written.
	PathOf func(string) string
	// Replayed stands in the id of a call that is told again without how it ended.
	Replayed string
	// Of says what a damaged line is a line of.
	Of string
}

// Read reads the log of one session: session-state/<id>/events.jsonl, session-state/<id>.jsonl, or
// of the oldest layout history-session-state/session_<id>_<ms>.json. Damage stands in the session;
// the error is for a log that cannot be read, or a cancelled context.
func Read(ctx context.Context, path, session string) (Reading, error) {
	return read(ctx, path, session, files.MaxLine, nil)
}

// ReadDialect is Read for the log of another program.
func ReadDialect(ctx context.Context, path string, d Dialect) (Reading, error) {
	return read(ctx, path, "", files.MaxLine, &d)
}

// read is Read with the size in bytes above which a record is skipped.
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

// lines reads a log. A line whose type is of no use is passed over without being held or decoded.
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

// take gives an event to its handler, and reports whether it is one.
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

// isAgain reports whether an event was there before: a line may come twice, a copy with a new id.
func (p *parser) isAgain(e *event) bool {
	id := e.ID
	if d := &e.Data; d.MessageID != "" && d.ChunkIndex+d.ChunkCount == 0 {
		id = d.MessageID
	}
	return p.meet(strconv.FormatInt(p.b.Now().UnixNano(), 36)+" ", id) > 1 // an id alone may be that of two
}

// leadingType finds the type where the CLI writes it, first of all; empty: it stands elsewhere.
func leadingType(head []byte) string {
	if !bytes.HasPrefix(head, []byte(typeMark)) {
		return ""
	}
	return jsonl.Word(head, typeMark)
}

// What stands in front of a type and the id of a call.
const typeMark, callMark = `{"type":"`, `"toolCallId":"`

// longText is the size in bytes of a text that is left out of a line where nobody asks for it.
const longText = 4 << 10

// light returns a line without what a call gave, but for the mark of its exit code, unless that is
// an answer of a person or a sub-agent, or may name a commit.
func (p *parser) light(line []byte) []byte {
	kind := leadingType(line)
	if len(line) <= longText || !strings.HasPrefix(kind, "tool.execution_") || kind == callStart {
		return line
	}
	if bytes.Contains(line, []byte(`"success":false`)) { // what it printed tells of an error
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
