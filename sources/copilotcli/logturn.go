package copilotcli

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// prompt opens a turn where a person wrote: no sub-agent, no parent tool call
// and no source that injected the message (formats/copilot-cli.md, section 3.2).
func (p *logParser) prompt(e *logEvent) {
	var f [6]rawJSON
	e.data.pick([]string{"content", "source", "parentToolCallId", "agentMode", "attachments", "delivery"}, f[:])
	if f[1].text() != "" || f[2].text() != "" || !p.firstEvent(e) {
		return
	}
	p.closeTurn(f[5].text() == "steering" || f[5].text() == "queued")
	mode := idOf(f[3].text())
	if mode == "" {
		mode = p.mode
	}
	p.openTurn(e.id, e.at, f[0].text())
	t := p.turn()
	t.Mode = mode
	f[4].elements(func(a rawJSON) { p.attach(t, a) })
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
	var f [9]rawJSON
	e.data.pick([]string{"content", "toolRequests", "model", "apiCallId", "chunkIndex",
		"chunkCount", "outputTokens", "citations", "parentToolCallId"}, f[:])
	t := p.turn()
	if f[8].text() != "" || !p.firstEvent(e) {
		return
	}
	model := p.useModel(f[2].text())
	call := idOf(f[3].text())
	if t == nil { // the log was cut at its beginning
		if strings.TrimSpace(f[0].text()) == "" {
			return
		}
		p.openTurn(e.id, e.at, "")
		t = p.turn()
	}
	t.End = latest(t.End, e.at)
	if model != "" {
		t.Model = model
	}
	index, _ := f[4].number()
	p.say(f[0].text(), call, f[5] != nil || f[4] != nil, index)
	if out, ok := f[6].number(); ok && (call == "" || p.first(onceTokens, call)) {
		addTokens(t, 0, out)
	}
	f[7].elements(func(c rawJSON) { cite(t, c) })
	f[1].elements(func(r rawJSON) { p.requested(r, e) })
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
	if t := p.turn(); t != nil && e.data.get("parentToolCallId").text() == "" {
		t.Status, t.Error = sources.Cancelled, ""
	}
}

// failure marks the open turn as failed until an answer comes. The stack of the
// error is not read.
func (p *logParser) failure(e *logEvent) {
	t := p.turn()
	if t == nil || t.Status == sources.Cancelled || e.data.get("parentToolCallId").text() != "" {
		return
	}
	message, _, _ := strings.Cut(e.data.get("message").text(), "\n    at ")
	t.Status, t.Error = sources.Failed, strings.TrimSpace(message)
}

// usage adds the tokens of one model call of the root agent.
func (p *logParser) usage(e *logEvent) {
	u := e.data.get("usage")
	if u == nil {
		u = e.data.raw
	}
	var f [4]rawJSON
	if u.pick([]string{"inputTokens", "outputTokens", "apiCallId", "parentToolCallId"}, f[:]) != nil ||
		f[3].text() != "" || e.data.get("parentToolCallId").text() != "" {
		return
	}
	t := p.turn()
	call := f[2].text()
	if t == nil || (call != "" && !p.first(onceUsage, call)) {
		return
	}
	in, _ := f[0].number()
	out, _ := f[1].number()
	if call != "" && !p.first(onceTokens, call) {
		out = 0 // the answer itself already told
	}
	addTokens(t, in, out)
}

func addTokens(t *sources.Turn, in, out int64) {
	if in <= 0 && out <= 0 {
		return
	}
	if t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In += max(in, 0)
	t.Tokens.Out += max(out, 0)
}

// cite notes public code an answer matched.
func cite(t *sources.Turn, c rawJSON) {
	var f [3]rawJSON
	if c.pick([]string{"license", "value", "url"}, f[:]) != nil || f[0].text() == "" {
		return
	}
	value := f[1].text()
	if value == "" {
		value = f[2].text()
	}
	t.Citations = append(t.Citations, sources.Citation{License: f[0].text(), Value: value})
}

// flush moves the gathered text of the open turn into it.
func (p *logParser) flush() {
	if t := p.turn(); t != nil {
		t.Assistant = p.text.String()
	}
}
