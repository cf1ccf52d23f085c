package copilotcli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// readLegacy reads a session of the oldest layout, one JSON document per session:
// history-session-state/session_<uuid>_<ms>.json (formats/copilot-cli.md, section 2.2).
func readLegacy(ctx context.Context, path, _ string) (logReading, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return logReading{}, fmt.Errorf("open legacy session: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	if info.Size() > files.MaxLine {
		return logReading{}, fmt.Errorf("read legacy session %q of %d bytes: %w", path, info.Size(), files.ErrTooLong)
	}
	body, err := io.ReadAll(io.LimitReader(f, files.MaxLine))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return logReading{}, fmt.Errorf("read legacy session %q: %w", path, err)
	}
	p := newLogParser("")
	var doc *legacySession
	p.decoder.ResetTo(trimRecord(body))
	if err = p.decoder.Read(&doc); err == nil && doc == nil {
		err = errNoEvent
	}
	if err != nil {
		return logReading{}, fmt.Errorf("read legacy session %q: %w", path, err)
	}
	p.legacy(doc)
	p.whole = true
	p.finish()
	return logReading{Session: p.session, Unknown: p.unknown, BytesRead: int64(len(body)), Start: createdAt(p.session.Created)}, nil
}

// importLegacy takes in a legacy session that was moved into a log as an event.
func (p *logParser) importLegacy(e *logEvent) {
	if e.data.LegacySession == nil {
		p.bad++
		return
	}
	p.legacy(e.data.LegacySession)
}

// legacy takes in a whole session. The timeline has times and what the person
// typed; the messages serve where it has no prompt.
func (p *logParser) legacy(doc *legacySession) {
	if p.session.ID == "" {
		p.id = doc.SessionID
		p.session.ID = p.id
	}
	if p.session.Created.IsZero() {
		p.session.Created = doc.StartTime.Time
	}
	p.setModel(doc.SelectedModel)
	if slices.ContainsFunc(doc.Timeline, func(e legacyEntry) bool { return e.Type == "user" }) {
		for i := range doc.Timeline {
			p.legacyEntry(&doc.Timeline[i])
		}
		return
	}
	for i := range doc.ChatMessages {
		p.legacyMessage(&doc.ChatMessages[i])
	}
}

// legacyEntry takes in one entry of a timeline.
func (p *logParser) legacyEntry(entry *legacyEntry) {
	e := &logEvent{id: entry.ID, at: entry.Timestamp.Time}
	if e.at.IsZero() {
		e.at = latest(p.clock, p.session.Created)
	}
	p.clock = e.at
	call := toolRequest{ToolCallID: entry.CallID, ToolName: cmp.Or(entry.Name, entry.ToolTitle), Arguments: entry.Arguments}
	switch entry.Type {
	case "user":
		p.openTurn(e.id, e.at, entry.Text)
	case "copilot":
		p.legacySay(entry.Text, e.at)
	case "tool_call_requested":
		p.call(call, e)
	case "tool_call_completed":
		p.call(call, e)
		p.callEnded(legacyResult(entry.CallID, entry.Result.Type, entry.Result.Log, e.at))
	case "error":
		if t := p.turn(); t != nil {
			t.Status, t.Error = sources.Failed, strings.TrimSpace(entry.Text)
		}
	}
}

// legacyResult gives the result of a call as a newer event.
func legacyResult(id, outcome, log string, at time.Time) *logEvent {
	data := &eventData{toolRequest: toolRequest{ToolCallID: id}, Result: result{Content: log}}
	ok := outcome == "success"
	switch outcome {
	case "success", "failure", "rejected", "denied", "error":
		data.Success = &ok
	}
	return &logEvent{at: at, data: data}
}

// legacyMessage takes in one message of the model's conversation.
func (p *logParser) legacyMessage(m *legacyMessage) {
	at := p.session.Created
	switch m.Role {
	case "user":
		p.openTurn("", at, m.Content.String())
	case "assistant":
		p.legacySay(m.Content.String(), at)
		for _, call := range m.ToolCalls {
			p.call(toolRequest{ToolCallID: call.ID, ToolName: call.Function.Name, Arguments: call.Function.Arguments}, &logEvent{at: at})
		}
	case "tool":
		p.callEnded(legacyResult(m.ToolCallID, "", "", at))
	}
}

// legacySay adds an answer to the open turn, if there is one.
func (p *logParser) legacySay(text string, at time.Time) {
	if t := p.turn(); t != nil {
		t.End = latest(t.End, at)
		p.say(text, "", false, 0)
	}
}
