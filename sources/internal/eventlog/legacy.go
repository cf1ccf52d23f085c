package eventlog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// ReadLegacy reads a session of the oldest layout, one JSON document per session:
// history-session-state/session_<uuid>_<ms>.json.
func ReadLegacy(ctx context.Context, path, _ string) (Reading, error) {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return Reading{}, fmt.Errorf("open legacy session: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	p := newParser("", info.Size(), nil)
	var doc *legacySession
	if err = decode.New(f).Read(&doc); err == nil && doc == nil {
		err = errors.New("not a session")
	}
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return Reading{}, fmt.Errorf("read legacy session %q: %w", path, err)
	}
	p.legacy(doc)
	p.log.Begun, p.b.Session.Complete = true, true
	if began := p.b.Session.Created; !began.IsZero() {
		p.start = began.Format(time.RFC3339Nano)
	}
	return p.finish(), nil
}

// importLegacy takes in a legacy session that was moved into a log as an event.
func (p *parser) importLegacy(e *event) {
	if e.Data.LegacySession == nil {
		p.log.Bad++
		return
	}
	p.legacy(e.Data.LegacySession)
}

// legacy takes in a whole session. The timeline has times and what the person
// typed; the messages serve where it has no prompt.
func (p *parser) legacy(doc *legacySession) {
	p.b.Session.ID = cmp.Or(p.b.Session.ID, doc.SessionID)
	if p.b.Session.Created.IsZero() {
		p.b.Session.Created = doc.StartTime.Time
	}
	p.setModel(doc.SelectedModel)
	entries := doc.Timeline
	if !slices.ContainsFunc(entries, func(e legacyEntry) bool { return e.Type == "user" }) {
		entries = doc.ChatMessages
	}
	for i := range entries {
		p.legacyEntry(&entries[i])
	}
}

// legacyEntry takes in one entry of a timeline, or a message, as the event that a log
// has of it.
func (p *parser) legacyEntry(entry *legacyEntry) {
	e := &event{ID: entry.ID, At: entry.Timestamp}
	if e.At.IsZero() {
		e.At.Time = p.b.Session.Created
		if now := p.b.Now(); now.After(e.At.Time) {
			e.At.Time = now
		}
	}
	p.b.At(e.At.Time)
	text := cmp.Or(entry.Text, entry.Content.String())
	e.Data = eventData{Content: text, Message: text, Result: result{Content: entry.Result.Log}}
	e.Data.toolRequest = toolRequest{ToolCallID: cmp.Or(entry.CallID, entry.ToolCallID), ToolName: cmp.Or(entry.Name, entry.ToolTitle), Arguments: entry.Arguments}
	for _, call := range entry.ToolCalls {
		e.Data.ToolRequests = append(e.Data.ToolRequests, toolRequest{ToolCallID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	switch cmp.Or(entry.Role, entry.Type) {
	case "user":
		p.prompt(e)
	case "copilot", "assistant":
		p.answer(e)
	case "tool_call_requested":
		p.callStarted(e)
	case "tool_call_completed":
		p.callStarted(e)
		switch ok := entry.Result.Type == "success"; entry.Result.Type {
		case "success", "failure", "rejected", "denied", "error":
			e.Data.Success = &ok
		}
		p.callEnded(e)
	case "tool":
		p.callEnded(e)
	case "error":
		p.failure(e)
	}
}
