package copilotcli

import (
	"bytes"

	"github.com/sessionloom/sessionloom/sources"
)

// record decodes one line and gives it to its handler. A line that is no event
// is counted and left out.
func (p *logParser) record(line []byte) {
	if line = trimRecord(line); len(line) == 0 {
		return
	}
	e, err := decodeRecord(line)
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
func decodeRecord(line []byte) (logEvent, error) {
	e, err := parseEvent(line)
	if err != nil && bytes.IndexByte(line, 0) >= 0 {
		e, err = parseEvent(bytes.ReplaceAll(line, []byte{0}, nil))
	}
	return e, err
}

// parseEvent reads the envelope of a record.
func parseEvent(line []byte) (logEvent, error) {
	var e logEvent
	r := rawJSON(line)
	_, err := r.walk(func(key rawJSON, at int) (end int, more bool) {
		if string(key) == "data" { // the most of a record: it is gone through once
			e.data, end = takeApart(r[at:])
			return at + end, end > 0
		}
		if end = skipValue(r, at); end < 0 {
			return end, false
		}
		switch value := r[at:end]; string(key) {
		case "type":
			e.kind = value.text()
		case "id":
			e.id = value.text()
		case "timestamp":
			e.at = value.instant()
		case "agentId":
			e.agent = value.text()
		}
		return end, true
	})
	if err != nil || e.kind == "" || wanted(e.kind) == decoded && e.data.raw == nil {
		return e, errNotJSON
	}
	return e, nil
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
		p.place(e.data.get("context"))
		p.calls = map[string]*openCall{} // what ran in the process before is gone
		p.setModel(e.data.get("selectedModel"))
	case "session.context_changed":
		p.place(e.data.raw)
	case "session.model_change":
		p.setModel(e.data.get("newModel"))
	case "session.mode_changed":
		p.mode = idOf(e.data.get("newMode").text())
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
		p.agent = idOf(e.data.get("agentName").text())
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
