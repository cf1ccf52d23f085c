package copilotcli

import (
	"bytes"

	"github.com/sessionloom/sessionloom/sources"
)

// record decodes one line and gives it to its handler. A line that is no event
// is counted and left out.
func (p *logParser) record(line []byte, offset int64) error {
	size := len(line)
	if line = trimRecord(line); len(line) == 0 {
		return nil
	}
	e, err := decodeRecord(line)
	e.offset, e.size = offset, size
	if err == nil && wanted(e.kind) != decoded {
		p.pass(e.kind)
		return nil
	}
	if rerr := p.ready(); rerr != nil {
		return rerr
	}
	begins := !p.st.Begun
	p.st.Begun = true
	if err != nil {
		p.st.Bad++
		return nil
	}
	if begins {
		p.st.Whole = e.kind == "session.start" || e.kind == "session.import_legacy"
	}
	if e.at.IsZero() {
		e.at = p.st.Clock
	}
	p.st.Clock = e.at
	if p.st.Hidden || e.agent != "" {
		return nil // a sub-agent's events are its own affair
	}
	return p.handle(&e)
}

// decodeRecord reads a record that may hold NUL bytes.
func decodeRecord(line []byte) (logEvent, error) {
	e, err := parseEvent(line)
	if err != nil && bytes.IndexByte(line, 0) >= 0 {
		e, err = parseEvent(bytes.ReplaceAll(line, []byte{0}, nil))
	}
	return e, err
}

// parseEvent reads the envelope of a record.
func parseEvent(line []byte) (logEvent, error) {
	var f [5]rawJSON
	if err := rawJSON(line).pick([]string{"type", "data", "id", "timestamp", "agentId"}, f[:]); err != nil {
		return logEvent{}, err
	}
	e := logEvent{kind: f[0].text(), data: f[1], id: f[2].text(), at: f[3].instant(), agent: f[4].text()}
	if e.kind == "" {
		return e, errNotJSON
	}
	if wanted(e.kind) == decoded && (len(e.data) == 0 || e.data[0] != '{') {
		return e, errNotJSON
	}
	return e, nil
}

// handle gives an event to its handler.
func (p *logParser) handle(e *logEvent) error {
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
		return p.info(e)
	case "session.import_legacy":
		p.importLegacy(e)
	default:
		p.circumstance(e)
	}
	return nil
}

// circumstance handles what happens around the conversation.
func (p *logParser) circumstance(e *logEvent) {
	switch e.kind {
	case "session.start":
		p.started(e)
	case "session.resume":
		p.place(e.data.get("context"))
		p.st.Calls = map[string]*openCall{} // what ran in the process before is gone
		p.setModel(e.data.get("selectedModel"))
	case "session.context_changed":
		p.place(e.data)
	case "session.model_change":
		p.setModel(e.data.get("newModel"))
	case "session.mode_changed":
		p.st.Mode = idOf(e.data.get("newMode").text())
	case "session.plan_changed":
		p.wrote(stateFile{p.id, sources.Plan, "plan.md"}, e)
	case "session.workspace_file_changed":
		p.workspaceFile(e)
	case "session.task_complete":
		p.summary(e.data.get("summary").text(), sources.TrustNamed)
	case "session.handoff":
		p.summary(e.data.get("summary").text(), sources.TrustDerived)
	case "session.shutdown":
		p.shutdown(e)
	case "subagent.selected":
		p.st.Agent = idOf(e.data.get("agentName").text())
	case "subagent.deselected":
		p.st.Agent = ""
	}
}

// idOf keeps a short name of the agent's own vocabulary; anything longer is text.
func idOf(s string) string {
	if len(s) > 64 {
		return ""
	}
	return s
}
