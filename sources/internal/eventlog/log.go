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
	"slices"
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
	Start   string           // sums up how the session began, empty where the log does not say
	Empty   bool             // no record is in it: it was emptied, or is being written anew
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

// callStart is the type of the event that most often says what an answer said before.
const callStart = "tool.execution_start"

// handlers take in the types that a note is made of. Events of a sub-agent go to [parser.helped].
var handlers = map[string]func(*parser, *event){
	"session.start":                  (*parser).started,
	"session.resume":                 (*parser).started,
	"session.import_legacy":          func(p *parser, e *event) { p.legacy(cmp.Or(e.Data.LegacySession, &legacySession{})) },
	"session.error":                  (*parser).failed,
	"session.info":                   (*parser).info,
	"session.model_change":           func(p *parser, e *event) { p.setModel(e.Data.NewModel) },
	"session.mode_changed":           func(p *parser, e *event) { p.mode = idOf(e.Data.NewMode) },
	"session.plan_changed":           func(p *parser, e *event) { p.wrote(e, p.b.Session.ID, "plan.md") },
	"session.workspace_file_changed": (*parser).workspaceFile,
	"session.handoff":                func(p *parser, e *event) { p.summary(e.Data.Summary, sources.TrustDerived) },
	"session.shutdown":               (*parser).shutdown,
	"session.usage_record":           (*parser).usage,
	"session.context_changed":        func(p *parser, e *event) { p.place(&e.Data.workContext) },
	"session.compaction_complete":    (*parser).compaction,
	"session.task_complete":          (*parser).taskDone,
	"user.message":                   (*parser).prompt,
	"assistant.message":              (*parser).answer,
	"assistant.usage":                (*parser).usage,
	"abort":                          (*parser).aborted,
	"tool.user_requested":            (*parser).userRan,
	callStart:                        func(p *parser, e *event) { p.call(&e.Data.toolRequest, e) },
	"tool.execution_complete":        (*parser).ended,
	"tool.execution_end":             (*parser).ended,
	"permission.completed":           (*parser).permitted,
	"exit_plan_mode.requested":       func(p *parser, e *event) { p.asked(e, &e.Data.response, tools.Plans) },
	"exit_plan_mode.completed":       func(p *parser, e *event) { p.responded(e, &e.Data.response) },
	"human_response.recorded":        func(p *parser, e *event) { p.responded(e, &e.Data.Response) },
	"system.notification":            (*parser).noticed,
	"subagent.started":               (*parser).helped,
	"subagent.completed":             (*parser).helped,
	"subagent.selected":              func(p *parser, e *event) { p.agent = idOf(e.Data.AgentName) },
	"subagent.deselected":            func(p *parser, _ *event) { p.agent = "" },
}

// known are the beginnings of the other types there are, the frequent ones first.
var known = strings.Fields(`assistant.turn_ hook. permission. model. system. session.usage_
	assistant.reasoning assistant.fusion_phase_ assistant.intent assistant.idle assistant.message_ assistant.streaming_ assistant.tool_call_
	tool.execution_ tool.shell_output mcp. skill. subagent. tool_search. user_input. elicitation. sampling. command. commands.
	workflow. external_tool. capabilities. auto_mode_switch. ui.
	session.autopilot_objective_changed session.auto_mode_resolved session.background_tasks_changed session.binary_asset session.canvas.
	session.compaction_start session.completion_receipt session.context_cleared session.custom_ session.extensions_loaded session.fusion_
	session.idle session.indexed_search session.managed_ session.mcp_ session.memory_changed session.mode_notice_delivered
	session.model_deselected session.permission_recovery session.permissions_changed session.remote_steerable_changed
	session.request_body_compression_disabled session.schedule_ session.session_limits_changed session.skills_loaded
	session.snapshot_rewind session.title_changed session.todos_changed session.tools_updated session.truncation session.warning
	prompt_cache_break pending_messages.modified agent.interrupted`)

// unknownIn returns a type of event that nobody knows, empty for one that is known.
func unknownIn(kind string) string {
	if slices.ContainsFunc(known, func(begin string) bool { return strings.HasPrefix(kind, begin) }) ||
		strings.HasPrefix(kind, "assistant.") && strings.HasSuffix(kind, "_delta") || strings.HasPrefix(kind, "session.") && strings.HasSuffix(kind, "_ref") {
		return ""
	}
	return kind
}
