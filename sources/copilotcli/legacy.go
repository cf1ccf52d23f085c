package copilotcli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/lines"
)

// readLegacy reads a session of the oldest layout, one JSON document per session:
// history-session-state/session_<uuid>_<ms>.json (formats/copilot-cli.md, section 2.2).
func readLegacy(ctx context.Context, path, _ string) (logReading, error) {
	f, info, err := lines.Open(path)
	if err != nil {
		return logReading{}, fmt.Errorf("open legacy session: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	if info.Size() > lines.DefaultMax {
		return logReading{}, fmt.Errorf("read legacy session %q of %d bytes: %w", path, info.Size(), lines.ErrTooLong)
	}
	body, err := io.ReadAll(io.LimitReader(f, lines.DefaultMax))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return logReading{}, fmt.Errorf("read legacy session %q: %w", path, err)
	}
	p := newLogParser("")
	if err := p.legacySession(trimRecord(body)); err != nil {
		return logReading{}, fmt.Errorf("read legacy session %q: %w", path, err)
	}
	p.whole = true
	p.finish()
	return logReading{Session: p.session, Unknown: p.unknown, BytesRead: int64(len(body)), Start: createdAt(p.session.Created)}, nil
}

// importLegacy takes in a legacy session that was moved into a log as an event.
func (p *logParser) importLegacy(e *logEvent) {
	if err := p.legacySession(e.data.get("legacySession")); err != nil {
		p.bad++
	}
}

// legacySession reads {sessionId, startTime, chatMessages, timeline,
// selectedModel}. The timeline has times and what the person typed; the messages
// serve where it has no prompt.
func (p *logParser) legacySession(doc rawJSON) error {
	var f [5]rawJSON
	if err := doc.pick([]string{"sessionId", "startTime", "selectedModel", "timeline", "chatMessages"}, f[:]); err != nil {
		return err
	}
	if p.session.ID == "" {
		p.id = f[0].text()
		p.session.ID = p.id
	}
	if p.session.Created.IsZero() {
		p.session.Created = f[1].instant()
	}
	p.setModel(f[2])
	prompts := 0
	f[3].elements(func(entry rawJSON) {
		if entry.get("type").text() == "user" {
			prompts++
		}
	})
	if prompts > 0 {
		f[3].elements(p.legacyEntry)
	} else {
		f[4].elements(p.legacyMessage)
	}
	return nil
}

// legacyEntry takes in one entry of a timeline.
func (p *logParser) legacyEntry(entry rawJSON) {
	var f [8]rawJSON
	if entry.pick([]string{"type", "text", "timestamp", "id", "callId", "name", "arguments", "result"}, f[:]) != nil {
		return
	}
	e := &logEvent{id: f[3].text(), at: f[2].instant()}
	if e.at.IsZero() {
		e.at = latest(p.clock, p.session.Created)
	}
	p.clock = e.at
	name := cmp.Or(f[5].text(), entry.get("toolTitle").text())
	switch f[0].text() {
	case "user":
		p.openTurn(e.id, e.at, f[1].text())
	case "copilot":
		p.legacySay(f[1].text(), e.at)
	case "tool_call_requested":
		p.call(f[4].text(), name, "", f[6], e)
	case "tool_call_completed":
		p.call(f[4].text(), name, "", f[6], e)
		p.callEnded(&logEvent{at: e.at, data: legacyResult(f[4], f[7])})
	case "error":
		if t := p.turn(); t != nil {
			t.Status, t.Error = sources.Failed, strings.TrimSpace(f[1].text())
		}
	}
}

// legacyResult gives the result of a call as the data of a newer event.
func legacyResult(id, result rawJSON) object {
	var f [2]rawJSON
	_ = result.pick([]string{"type", "log"}, f[:])
	var success rawJSON
	switch f[0].text() {
	case "success":
		success = rawJSON("true")
	case "failure", "rejected", "denied", "error":
		success = rawJSON("false")
	}
	return object{members: []member{
		{rawJSON("toolCallId"), id}, {rawJSON("success"), success}, {rawJSON("result"), f[1]},
	}}
}

// legacyMessage takes in one message of the model's conversation.
func (p *logParser) legacyMessage(m rawJSON) {
	var f [4]rawJSON
	if m.pick([]string{"role", "content", "tool_calls", "tool_call_id"}, f[:]) != nil {
		return
	}
	at := p.session.Created
	switch f[0].text() {
	case "user":
		p.openTurn("", at, legacyText(f[1]))
	case "assistant":
		p.legacySay(legacyText(f[1]), at)
		f[2].elements(func(call rawJSON) {
			function := call.get("function")
			p.call(call.get("id").text(), function.get("name").text(), "", function.get("arguments"), &logEvent{at: at})
		})
	case "tool":
		p.callEnded(&logEvent{at: at, data: legacyResult(f[3], nil)})
	}
}

// legacySay adds an answer to the open turn, if there is one.
func (p *logParser) legacySay(text string, at time.Time) {
	if t := p.turn(); t != nil {
		t.End = latest(t.End, at)
		p.say(text, "", false, 0)
	}
}

// legacyText returns the text of a message, a string or a list of parts.
func legacyText(content rawJSON) string {
	if content.isString() {
		return content.text()
	}
	var parts []string
	content.elements(func(part rawJSON) {
		if text := part.get("text").text(); text != "" {
			parts = append(parts, text)
		}
	})
	return strings.Join(parts, "\n\n")
}
