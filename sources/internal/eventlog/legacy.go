package eventlog

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

type legacySession struct {
	SessionID     string        `json:"sessionId"`
	StartTime     words.Instant `json:"startTime"`
	SelectedModel string        `json:"selectedModel"`
	Timeline      []legacyEntry `json:"timeline"`
	ChatMessages  []legacyEntry `json:"chatMessages"`
}

// legacyEntry is one entry of a timeline, or a message of the model's conversation.
type legacyEntry struct {
	Type      string           `json:"type"`
	Text      string           `json:"text"`
	Timestamp words.Instant    `json:"timestamp"`
	ID        string           `json:"id"`
	CallID    string           `json:"callId"`
	Name      string           `json:"name"`
	ToolTitle string           `json:"toolTitle"`
	Arguments *tools.Arguments `json:"arguments"`
	Result    struct {
		Type string `json:"type"`
		Log  string `json:"log"`
	} `json:"result"`

	Role       string     `json:"role"` // fields of a message:
	Content    legacyText `json:"content"`
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string      `json:"id"`
		Function toolRequest `json:"function"`
	} `json:"tool_calls"`
}

// legacyText is the text of a message, or of its parts.
type legacyText struct {
	Text  string       `json:"text" as:"text"`
	Parts []legacyText `as:"list"`
}

func (t legacyText) String() string {
	for _, part := range t.Parts {
		t.Text += "\n\n" + part.Text
	}
	return strings.TrimPrefix(t.Text, "\n\n")
}

// document reads a file of the oldest layout, which is one JSON document.
func (p *parser) document(f io.Reader) error {
	var doc *legacySession
	if err := decode.New(f).Read(&doc); err != nil {
		return err
	}
	if doc == nil {
		return errors.New("not a session")
	}
	p.legacy(doc)
	p.log.Begun, p.b.Session.Complete = true, true
	if began := p.b.Session.Created; !began.IsZero() {
		p.start = began.Format(time.RFC3339Nano)
	}
	return nil
}

// legacy reads a whole session. The timeline has times and typed prompts; the messages are used if it
// has no prompt.
func (p *parser) legacy(doc *legacySession) {
	s := p.b.Session
	s.ID, s.Created = cmp.Or(s.ID, doc.SessionID), cmp.Or(s.Created, doc.StartTime.Time)
	p.setModel(doc.SelectedModel)
	entries := doc.Timeline
	if !slices.ContainsFunc(entries, func(e legacyEntry) bool { return e.Type == "user" }) {
		entries = doc.ChatMessages
	}
	for i := range entries {
		p.legacyEntry(&entries[i])
	}
}

// legacyEntry handles an entry of a timeline, or a message, as the event that logs have.
func (p *parser) legacyEntry(entry *legacyEntry) {
	e := &event{ID: entry.ID}
	p.b.At(cmp.Or(entry.Timestamp.Time, p.b.Now(), p.b.Session.Created))
	text := cmp.Or(entry.Text, entry.Content.String())
	e.Data = eventData{Content: text, Message: text, Result: result{Content: cmp.Or(entry.Result.Log, text)}}
	e.Data.toolRequest = toolRequest{ToolCallID: cmp.Or(entry.CallID, entry.ToolCallID), Name: cmp.Or(entry.Name, entry.ToolTitle), Arguments: entry.Arguments}
	for _, call := range entry.ToolCalls {
		call.Function.ToolCallID = call.ID
		e.Data.ToolRequests = append(e.Data.ToolRequests, call.Function)
	}
	switch cmp.Or(entry.Role, entry.Type) {
	case "user":
		p.prompt(e)
	case "copilot", "assistant":
		p.answer(e)
	case "tool_call_requested":
		p.call(&e.Data.toolRequest, e)
	case "tool_call_completed":
		p.call(&e.Data.toolRequest, e)
		switch ok := entry.Result.Type == "success"; entry.Result.Type {
		case "success", "failure", "rejected", "denied", "error":
			e.Data.Success, e.Data.Error.Code, e.Data.Error.Message = &ok, entry.Result.Type, entry.Result.Log
		}
		p.ended(e)
	case "tool":
		p.ended(e)
	case "error":
		p.failed(e)
	}
}
