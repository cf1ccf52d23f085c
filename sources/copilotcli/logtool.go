package copilotcli

import (
	"cmp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/oneline"
	"github.com/sessionloom/sessionloom/sources/internal/toolkind"
)

// openCall is a tool call that has not ended. Its arguments are looked up in the
// log again where they were read in an earlier run.
type openCall struct {
	Turn   int // -1: before the first prompt
	Tool   int // index in Turn.Tools, -1 none
	Name   string
	Offset int64 // of the record that holds the arguments
	Size   int   // of that record, 0: there are none

	effects *effects // of the arguments, nil: not at hand
}

// requested notes a call that an answer asked for.
func (p *logParser) requested(r rawJSON, e *logEvent) {
	var f [5]rawJSON
	if r.pick([]string{"toolCallId", "name", "arguments", "mcpServerName", "toolName"}, f[:]) == nil {
		p.call(f[0].text(), cmp.Or(f[1].text(), f[4].text()), f[3].text(), f[2], e)
	}
}

// callStarted notes a call that began, asked for by the agent or by the user.
func (p *logParser) callStarted(e *logEvent) {
	var f [5]rawJSON
	_ = e.data.pick([]string{"toolCallId", "toolName", "arguments", "mcpServerName", "parentToolCallId"}, f[:])
	if f[4].text() == "" {
		p.call(f[0].text(), f[1].text(), f[3].text(), f[2], e)
	}
}

// call notes a call once, whichever of its events comes first.
func (p *logParser) call(id, name, server string, args rawJSON, e *logEvent) {
	if id == "" || name == "" || name == "report_intent" {
		return
	}
	t := p.turn()
	if open, ok := p.st.Calls[id]; ok {
		if open.Turn >= 0 {
			t = &p.session.Turns[open.Turn]
			t.End = latest(t.End, e.at)
		}
		if open.Size == 0 && args != nil {
			p.argue(open, args, server, e)
		}
		return
	}
	if !p.first(onceCall, id) {
		return
	}
	open := &openCall{Turn: p.turnIndex(), Tool: -1, Name: idOf(name)}
	if t != nil {
		t.End = latest(t.End, e.at)
		open.Tool = len(t.Tools)
		t.Tools = append(t.Tools, sources.Tool{Name: oneline.Clip(name, 200), After: p.text.Len()})
	}
	p.st.Calls[id] = open
	p.argue(open, args, server, e)
}

// argue takes in the arguments of a call.
func (p *logParser) argue(open *openCall, args rawJSON, server string, e *logEvent) {
	args = unwrapped(args)
	if args != nil {
		open.Offset, open.Size = e.offset, e.size
	}
	open.effects = effectsOf(open.Name, args)
	if open.Tool >= 0 {
		tool := &p.session.Turns[open.Turn].Tools[open.Tool]
		tool.Kind = toolkind.Of(open.Name, server, args.get("command").text())
		tool.Detail = p.detail(tool.Kind, args)
	}
}

// unwrapped returns arguments that were written as JSON within a string as JSON.
func unwrapped(args rawJSON) rawJSON {
	if !args.isString() {
		return args
	}
	if s := strings.TrimSpace(args.text()); strings.HasPrefix(s, "{") {
		return rawJSON(s)
	}
	return args
}

// callEnded notes how a call ended and what it did.
func (p *logParser) callEnded(e *logEvent) {
	var f [6]rawJSON
	_ = e.data.pick([]string{"toolCallId", "success", "result", "fileEdits", "parentToolCallId", "model"}, f[:])
	if f[4].text() != "" {
		return
	}
	model := p.useModel(f[5].text())
	id, ok := f[0].text(), f[1].truth()
	open := p.st.Calls[id]
	if open == nil {
		if ok != nil && *ok && p.first(onceCall, id) {
			p.edits(f[3], "", p.turnIndex(), e.at)
		}
		return
	}
	delete(p.st.Calls, id)
	if open.Turn >= 0 {
		t := &p.session.Turns[open.Turn]
		t.End = latest(t.End, e.at)
		t.Model = cmp.Or(t.Model, model)
		t.Tools[open.Tool].OK = ok
	}
	if ok != nil && !*ok {
		return // a failed call touches nothing
	}
	done := p.recall(open, id)
	if !p.edits(f[3], open.Name, open.Turn, e.at) {
		for _, t := range done.touches {
			p.touchOrWrite(t, open.Name, open.Turn, e)
		}
	}
	for _, ref := range done.refs {
		ref.Turn = open.Turn
		p.refer(ref)
	}
	if done.scan != 0 {
		p.scan(cmp.Or(f[2].get("content").text(), f[2].text()), done.scan, open.Turn)
	}
}

// recall returns what the arguments of a call say it does, reading them again
// where they are not at hand.
func (p *logParser) recall(open *openCall, id string) *effects {
	if open.effects != nil {
		return open.effects
	}
	none := &effects{}
	if open.Size <= 0 || open.Size > p.limit {
		return none
	}
	line := make([]byte, open.Size)
	if n, _ := p.source.ReadAt(line, open.Offset); n < len(line) {
		return none
	}
	e, err := decodeRecord(trimRecord(line))
	if err != nil {
		return none
	}
	args := e.data.get("arguments")
	e.data.get("toolRequests").elements(func(r rawJSON) {
		if r.get("toolCallId").text() == id {
			args = r.get("arguments")
		}
	})
	return effectsOf(open.Name, unwrapped(args))
}

// edits takes in the files a call says it changed and reports whether it does.
func (p *logParser) edits(list rawJSON, tool string, turn int, at time.Time) bool {
	found := false
	list.elements(func(v rawJSON) {
		t := touch{path: v.get("path").text(), kind: sources.Edited}
		switch v.get("kind").text() {
		case "create":
			t.kind = sources.Created
		case "delete":
			t.kind = sources.Deleted
		}
		if t.path != "" {
			found = true
			p.touchOrWrite(t, tool, turn, &logEvent{at: at})
		}
	})
	return found
}

// touchOrWrite files a touch: into the session's own folder it is an artifact.
func (p *logParser) touchOrWrite(t touch, tool string, turn int, e *logEvent) {
	file, own := stateFileOf(t.path)
	switch {
	case !own:
		p.touched(t, tool, turn, e.at)
	case t.kind == sources.Created || t.kind == sources.Edited:
		p.wrote(file, e)
	}
}

// touched notes a touch once per path, kind and turn.
func (p *logParser) touched(t touch, tool string, turn int, at time.Time) {
	path := p.pathKey(t.path)
	if t.kind != sources.Viewed && p.first(onceChanged, path) {
		p.changed = append(p.changed, hashOf(onceChanged, path))
	}
	if p.first(onceTouch, t.kind+"\x00"+itoa(turn)+"\x00"+path) {
		p.session.Files = append(p.session.Files, sources.FileTouch{Path: t.path, Kind: t.kind, Tool: tool, Turn: turn, At: at})
	}
}
