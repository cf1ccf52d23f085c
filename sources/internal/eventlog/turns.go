package eventlog

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// prompt opens a turn where a person wrote: no sub-agent, no parent tool call
// and no source that injected the message.
func (p *parser) prompt(e *event) {
	data := &e.Data
	if data.Source != "" || data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	typed, own := words.WithoutBlocks(data.Content, injectedTags), true
	if p.dialect != nil {
		typed, own = p.dialect.Typed(data.Content)
	}
	if !own {
		return // the turn goes on
	}
	if t := p.turn(); t != nil && t.Status == sources.Pending {
		// It got no visible answer. Where the agent was at work, or the next prompt joined
		// it on the way, the answer comes with the next turn; else none ever will.
		t.Status = sources.Cancelled
		if data.Delivery == "steering" || data.Delivery == "queued" || len(t.Tools) > 0 {
			t.Status = sources.Complete
		}
	}
	p.openTurn(e, typed)
	t := p.turn()
	t.Mode = cmp.Or(idOf(data.AgentMode), p.mode)
	for i := range data.Attachments {
		p.attach(t, &data.Attachments[i])
	}
}

// firstEvent reports whether the event's id is met for the first time.
func (p *parser) firstEvent(e *event) bool { return e.ID == "" || p.first(onceEvent, e.ID) }

// openTurn begins a turn with what the person typed.
func (p *parser) openTurn(e *event, text string) {
	p.flush()
	p.chunk = ""
	p.text.Reset()
	p.session.Turns = append(p.session.Turns, sources.Turn{
		Index: len(p.session.Turns), ID: e.ID, At: e.At.Time, User: text,
		Model: p.model, Agent: p.agent, Status: sources.Pending,
	})
}

// flush moves the gathered text of the open turn into it.
func (p *parser) flush() {
	if t := p.turn(); t != nil {
		t.Assistant = p.text.String()
	}
}

// answer adds what the agent said to the open turn, and the calls it asked for.
func (p *parser) answer(e *event) {
	data := &e.Data
	if data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	model, call := p.useModel(data.Model), idOf(data.APICallID)
	if p.turn() == nil { // the log was cut at its beginning
		if strings.TrimSpace(data.Content) == "" {
			return
		}
		p.openTurn(e, "")
	}
	t := p.turn()
	t.End = latest(t.End, e.At.Time)
	t.Model = cmp.Or(model, t.Model)
	p.say(t, data, call)
	if data.OutputTokens != nil && (call == "" || p.first(onceTokens, call)) {
		addTokens(t, 0, *data.OutputTokens)
	}
	for _, c := range data.Citations {
		if c.License != "" {
			t.Citations = append(t.Citations, sources.Citation{License: c.License, Value: cmp.Or(c.Value, c.URL)})
		}
	}
	for _, r := range data.ToolRequests {
		r.ToolName = cmp.Or(r.Name, r.ToolName)
		p.call(r, e)
	}
}

// say adds visible text to the open turn: paragraphs apart, except that the
// chunks of one answer, which share a model call, run on.
func (p *parser) say(t *sources.Turn, data *eventData, call string) {
	text, chunked := data.Content, data.ChunkCount > 0 || data.ChunkIndex > 0
	runsOn := data.ChunkIndex > 0 && call != "" && call == p.chunk
	if !runsOn && strings.TrimSpace(text) == "" {
		return
	}
	p.chunk = call
	if !chunked {
		p.chunk = ""
		text = strings.TrimLeft(strings.TrimRight(text, " \t\r\n"), "\r\n")
	}
	if !runsOn && p.text.Len() > 0 {
		p.text.WriteString("\n\n")
	}
	p.text.WriteString(text)
	if t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Complete, ""
	}
}

// abort marks the open turn as cancelled.
func (p *parser) abort(e *event) {
	if t := p.turn(); t != nil && e.Data.ParentToolCallID == "" {
		t.Status, t.Error = sources.Cancelled, ""
	}
}

// failure marks the open turn as failed until an answer comes. The stack of the
// error is not read.
func (p *parser) failure(e *event) {
	if t := p.turn(); t != nil && t.Status != sources.Cancelled && e.Data.ParentToolCallID == "" {
		message, _, _ := strings.Cut(e.Data.Message, "\n    at ")
		t.Status, t.Error = sources.Failed, strings.TrimSpace(message)
	}
}

// usage adds the tokens of one model call of the root agent.
func (p *parser) usage(e *event) {
	u := &e.Data.tokenUsage
	if e.Data.Usage != nil {
		u = e.Data.Usage
	}
	t, call := p.turn(), u.APICallID
	if t == nil || u.ParentToolCallID != "" || e.Data.ParentToolCallID != "" || call != "" && !p.first(onceUsage, call) {
		return
	}
	out := decode.Whole(0)
	if u.OutputTokens != nil && (call == "" || p.first(onceTokens, call)) { // else the answer itself told
		out = *u.OutputTokens
	}
	addTokens(t, u.InputTokens, out)
}

func addTokens(t *sources.Turn, in, out decode.Whole) {
	if in <= 0 && out <= 0 {
		return
	}
	if t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In += int64(max(in, 0))
	t.Tokens.Out += int64(max(out, 0))
}

// injectedTags are the wrappers around text that the CLI adds to a prompt.
var injectedTags = []string{"current_datetime", "system_reminder", "system-reminder", "reminder", "system_notification"}

// attach notes what was added to a prompt: files and selections are viewed,
// commits, pull requests and issues are refs.
func (p *parser) attach(t *sources.Turn, a *attachment) {
	kind, path := a.Type, cmp.Or(a.Path, a.FilePath)
	switch kind {
	case "file", "selection":
		if path != "" && !InStateFolder(path) {
			p.touched(touch{Path: path, Kind: sources.Viewed}, "", t.Index, t.At)
		}
	case "blob":
		if kind = sources.File; strings.HasPrefix(a.MimeType, "image/") {
			kind = "image"
		}
	case "github_reference":
		kind = cmp.Or(a.ReferenceType, "reference")
		p.attachRef(kind, a, t.Index)
	case "github_commit":
		kind = sources.Commit
		p.refer(sources.Ref{Type: sources.Commit, Value: refs.ShortHash(cmp.Or(a.SHA, a.OID)),
			Text: words.OneLine(a.Title, 200), Turn: t.Index})
	}
	kind = strings.ReplaceAll(strings.TrimPrefix(kind, "github_"), "_", " ")
	name := cmp.Or(p.shorten(path), a.DisplayName, a.Title, a.Name, a.URL)
	if kind != "" || name != "" {
		t.Attachments = append(t.Attachments, sources.Attachment{Kind: words.OneLine(kind, 64), Name: words.OneLine(name, 200)})
	}
}
