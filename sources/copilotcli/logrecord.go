package copilotcli

import (
	"bytes"
	"errors"

	"github.com/sessionloom/sessionloom/sources"
)

// record decodes one line and gives it to its handler. A line that is no event
// is counted and left out.
func (p *logParser) record(line []byte) {
	if line = trimRecord(line); len(line) == 0 {
		return
	}
	e, err := p.decodeRecord(line)
	if err == nil && wanted(e.kind) != decoded {
		p.pass(e.kind)
		return
	}
	begins := !p.begun
	p.begun = true
	if err != nil {
		p.bad++
		return
	}
	if begins {
		p.whole = e.kind == "session.start" || e.kind == "session.import_legacy"
	}
	if e.at.IsZero() {
		e.at = p.clock
	}
	p.clock = e.at
	if !p.hidden && e.agent == "" { // a sub-agent's events are its own affair
		p.handle(&e)
	}
}

// decodeRecord reads a record that may hold NUL bytes.
func (p *logParser) decodeRecord(line []byte) (logEvent, error) {
	e, err := p.parseEvent(line)
	if err != nil && bytes.IndexByte(line, 0) >= 0 {
		e, err = p.parseEvent(bytes.ReplaceAll(line, []byte{0}, nil))
	}
	return e, err
}

// errNoEvent says that a record is no event.
var errNoEvent = errors.New("not an event")

// parseEvent reads a record. What a call gave is not read where nobody asks for it.
func (p *logParser) parseEvent(line []byte) (logEvent, error) {
	if len(line) > longText {
		if kind, _ := leadingType(line); kind == "tool.execution_complete" || kind == "tool.execution_end" {
			p.short = shortened(p.short[:0], line)
			e, err := p.readEvent(p.short)
			if err != nil || !p.isScanned(e.data.ToolCallID) {
				return e, err
			}
		}
	}
	return p.readEvent(line)
}

// isScanned tells whether what a call gave tells of commits or pull requests.
func (p *logParser) isScanned(call string) bool {
	open := p.calls[call]
	return open != nil && open.effects.scan != 0
}

func (p *logParser) readEvent(line []byte) (logEvent, error) {
	d := p.decoder
	d.ResetTo(line)
	var r record
	var e logEvent
	err := d.Members(func(name string) error {
		if name != "data" || d.PeekKind() != '{' {
			return d.Member(&r, name)
		}
		e.data = &p.data
		return d.Read(e.data)
	})
	e.kind, e.id, e.agent, e.at = r.Type, r.ID, r.AgentID, r.Timestamp.Time
	if err == nil && (e.kind == "" || wanted(e.kind) == decoded && e.data == nil) {
		err = errNoEvent
	}
	return e, err
}

// longText is the size in bytes of a text that is left out of a line of which no text
// is shown.
const longText = 4 << 10

// shortened appends a line to a buffer, every long text of it empty.
func shortened(to, line []byte) []byte {
	for {
		from := bytes.IndexByte(line, '"')
		if from < 0 {
			return append(to, line...)
		}
		to = append(to, line[:from+1]...)
		line = line[from+1:]
		end := textEnd(line)
		if end <= longText {
			to = append(to, line[:end]...)
		}
		if line = line[end:]; len(line) == 0 {
			return to
		}
		to, line = append(to, '"'), line[1:]
	}
}

// textEnd is where the quote stands that ends a text, or the length of the line.
func textEnd(line []byte) int {
	for at := 0; ; {
		n := bytes.IndexByte(line[at:], '"')
		if n < 0 {
			return len(line)
		}
		at += n
		escapes := 0
		for escapes < at && line[at-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
		at++
	}
}

// handle gives an event to its handler.
func (p *logParser) handle(e *logEvent) {
	switch e.kind {
	case "user.message":
		p.prompt(e)
	case "assistant.message":
		p.answer(e)
	case "assistant.usage", "session.usage_record":
		p.usage(e)
	case "abort":
		p.abort(e)
	case "session.error":
		p.failure(e)
	case "tool.user_requested", "tool.execution_start":
		p.callStarted(e)
	case "tool.execution_complete", "tool.execution_end":
		p.callEnded(e)
	case "session.compaction_complete":
		p.compaction(e)
	case "session.info":
		p.info(e)
	case "session.import_legacy":
		p.importLegacy(e)
	default:
		p.circumstance(e)
	}
}

// circumstance handles what happens around the conversation.
func (p *logParser) circumstance(e *logEvent) {
	switch e.kind {
	case "session.start":
		p.started(e)
	case "session.resume":
		p.place(e.data.Context)
		p.calls = map[string]*openCall{} // what ran in the process before is gone
		p.setModel(e.data.SelectedModel)
	case "session.context_changed":
		p.place(&e.data.workContext)
	case "session.model_change":
		p.setModel(e.data.NewModel)
	case "session.mode_changed":
		p.mode = idOf(e.data.NewMode)
	case "session.plan_changed":
		p.wrote(stateFile{p.id, sources.Plan, "plan.md"}, e)
	case "session.workspace_file_changed":
		p.workspaceFile(e)
	case "session.task_complete":
		p.summary(e.data.Summary, sources.TrustNamed)
	case "session.handoff":
		p.summary(e.data.Summary, sources.TrustDerived)
	case "session.shutdown":
		p.shutdown(e)
	case "subagent.selected":
		p.agent = idOf(e.data.AgentName)
	case "subagent.deselected":
		p.agent = ""
	}
}

// idOf keeps a short name of the agent's own vocabulary; anything longer is text.
func idOf(s string) string {
	if len(s) > 64 {
		return ""
	}
	return s
}
