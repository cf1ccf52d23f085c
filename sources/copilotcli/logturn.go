package copilotcli

import (
	"cmp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// prompt opens a turn where a person wrote: no sub-agent, no parent tool call
// and no source that injected the message (formats/copilot-cli.md, section 3.2).
func (p *logParser) prompt(e *logEvent) {
	data := e.data
	if data.Source != "" || data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	p.closeTurn(data.Delivery == "steering" || data.Delivery == "queued")
	p.openTurn(e.id, e.at, data.Content)
	t := p.turn()
	t.Mode = cmp.Or(idOf(data.AgentMode), p.mode)
	for i := range data.Attachments {
		p.attach(t, &data.Attachments[i])
	}
}

// closeTurn ends a turn that got no visible answer before the next prompt. Where
// the agent was at work, or the next prompt joined it on the way (delivery:
// steering, queued), the answer comes with the next turn; else none ever will.
func (p *logParser) closeTurn(joined bool) {
	t := p.turn()
	if t == nil || t.Status != sources.Pending {
		return
	}
	t.Status = sources.Cancelled
	if joined || len(t.Tools) > 0 {
		t.Status = sources.Complete
	}
}

// openTurn begins a turn with what the person typed.
func (p *logParser) openTurn(id string, at time.Time, text string) {
	p.flush()
	p.chunk = ""
	p.text.Reset()
	p.session.Turns = append(p.session.Turns, sources.Turn{
		Index: len(p.session.Turns), ID: id, At: at, User: stripInjected(text),
		Model: p.model, Agent: p.agent, Status: sources.Pending,
	})
}

// answer adds what the agent said to the open turn, and the calls it asked for.
func (p *logParser) answer(e *logEvent) {
	t, data := p.turn(), e.data
	if data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	model := p.useModel(data.Model)
	call := idOf(data.APICallID)
	if t == nil { // the log was cut at its beginning
		if strings.TrimSpace(data.Content) == "" {
			return
		}
		p.openTurn(e.id, e.at, "")
		t = p.turn()
	}
	t.End = latest(t.End, e.at)
	if model != "" {
		t.Model = model
	}
	index := number(0)
	if data.ChunkIndex != nil {
		index = *data.ChunkIndex
	}
	p.say(data.Content, call, data.ChunkCount != nil || data.ChunkIndex != nil, int64(index))
	if data.OutputTokens != nil && (call == "" || p.first(onceTokens, call)) {
		addTokens(t, 0, *data.OutputTokens)
	}
	for _, c := range data.Citations {
		cite(t, c)
	}
	for _, r := range data.ToolRequests {
		p.requested(r, e)
	}
}

// say adds visible text to the open turn: paragraphs apart, except that the
// chunks of one answer, which share a model call, run on.
func (p *logParser) say(text, call string, chunked bool, index int64) {
	t := p.turn()
	runsOn := chunked && index > 0 && call != "" && call == p.chunk
	if !runsOn && strings.TrimSpace(text) == "" {
		return
	}
	if !chunked {
		text = strings.TrimLeft(strings.TrimRight(text, " \t\r\n"), "\r\n")
	}
	p.chunk = ""
	if chunked {
		p.chunk = call
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
func (p *logParser) abort(e *logEvent) {
	if t := p.turn(); t != nil && e.data.ParentToolCallID == "" {
		t.Status, t.Error = sources.Cancelled, ""
	}
}

// failure marks the open turn as failed until an answer comes. The stack of the
// error is not read.
func (p *logParser) failure(e *logEvent) {
	t := p.turn()
	if t == nil || t.Status == sources.Cancelled || e.data.ParentToolCallID != "" {
		return
	}
	message, _, _ := strings.Cut(e.data.Message, "\n    at ")
	t.Status, t.Error = sources.Failed, strings.TrimSpace(message)
}

// usage adds the tokens of one model call of the root agent.
func (p *logParser) usage(e *logEvent) {
	u := &e.data.tokenUsage
	if e.data.Usage != nil {
		u = e.data.Usage
	}
	if u.ParentToolCallID != "" || e.data.ParentToolCallID != "" {
		return
	}
	t, call := p.turn(), u.APICallID
	if t == nil || (call != "" && !p.first(onceUsage, call)) {
		return
	}
	in, out := u.InputTokens, u.output()
	if call != "" && !p.first(onceTokens, call) {
		out = 0 // the answer itself already told
	}
	addTokens(t, in, out)
}

func addTokens(t *sources.Turn, in, out number) {
	if in <= 0 && out <= 0 {
		return
	}
	if t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In += int64(max(in, 0))
	t.Tokens.Out += int64(max(out, 0))
}

// cite notes public code an answer matched.
func cite(t *sources.Turn, c citation) {
	if c.License != "" {
		t.Citations = append(t.Citations, sources.Citation{License: c.License, Value: cmp.Or(c.Value, c.URL)})
	}
}

// flush moves the gathered text of the open turn into it.
func (p *logParser) flush() {
	if t := p.turn(); t != nil {
		t.Assistant = p.text.String()
	}
}
