package copilotcli

import (
	"cmp"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// openCall is a tool call that has not ended.
type openCall struct {
	turn    int // -1: before the first prompt
	tool    int // index in Turn.Tools, -1 none
	name    string
	argued  bool // its arguments were read
	effects effects
}

// requested notes a call that an answer asked for.
func (p *logParser) requested(r toolRequest, e *logEvent) {
	r.ToolName = cmp.Or(r.Name, r.ToolName)
	p.call(r, e)
}

// callStarted notes a call that began, asked for by the agent or by the user.
func (p *logParser) callStarted(e *logEvent) {
	if e.data.ParentToolCallID == "" {
		p.call(e.data.toolRequest, e)
	}
}

// call notes a call once, whichever of its events comes first.
func (p *logParser) call(r toolRequest, e *logEvent) {
	id, name := r.ToolCallID, r.ToolName
	if id == "" || name == "" || name == "report_intent" {
		return
	}
	t := p.turn()
	if open, ok := p.calls[id]; ok {
		if open.turn >= 0 {
			t = &p.session.Turns[open.turn]
			t.End = latest(t.End, e.at)
		}
		if !open.argued && r.Arguments != nil {
			p.argue(open, r)
		}
		return
	}
	if !p.first(onceCall, id) {
		return
	}
	open := &openCall{turn: p.turnIndex(), tool: -1, name: idOf(name)}
	if t != nil {
		t.End = latest(t.End, e.at)
		open.tool = len(t.Tools)
		t.Tools = append(t.Tools, sources.Tool{Name: words.OneLine(name, 200), After: p.text.Len()})
	}
	p.calls[id] = open
	p.argue(open, r)
}

// argue takes in the arguments of a call.
func (p *logParser) argue(open *openCall, r toolRequest) {
	args := r.Arguments
	if open.argued = args != nil; !open.argued {
		args = &arguments{}
	}
	open.effects = effectsOf(open.name, args)
	if open.tool >= 0 {
		tool := &p.session.Turns[open.turn].Tools[open.tool]
		tool.Kind = words.ToolKind(open.name, r.MCPServerName, args.Command.Text)
		tool.Detail = p.detail(tool.Kind, args)
	}
}

// callEnded notes how a call ended and what it did.
func (p *logParser) callEnded(e *logEvent) {
	if e.data.ParentToolCallID != "" {
		return
	}
	model := p.useModel(e.data.Model)
	id, ok := e.data.ToolCallID, e.data.Success
	open := p.calls[id]
	if open == nil {
		if ok != nil && *ok && p.first(onceCall, id) {
			p.edits(e.data.FileEdits, "", p.turnIndex(), e.at)
		}
		return
	}
	delete(p.calls, id)
	if open.turn >= 0 {
		t := &p.session.Turns[open.turn]
		t.End = latest(t.End, e.at)
		t.Model = cmp.Or(t.Model, model)
		t.Tools[open.tool].OK = ok
	}
	if ok != nil && !*ok {
		return // a failed call touches nothing
	}
	done := open.effects
	if !p.edits(e.data.FileEdits, open.name, open.turn, e.at) {
		for _, t := range done.touches {
			p.touchOrWrite(t, open.name, open.turn, e)
		}
	}
	for _, ref := range done.refs {
		ref.Turn = open.turn
		p.refer(ref)
	}
	if done.scan != 0 {
		p.scan(e.data.Result.Content, done.scan, open.turn)
	}
}

// edits takes in the files a call says it changed and reports whether it does.
func (p *logParser) edits(list []fileEdit, tool string, turn int, at time.Time) bool {
	found := false
	for _, f := range list {
		t := touch{path: f.Path, kind: sources.Edited}
		switch f.Kind {
		case "create":
			t.kind = sources.Created
		case "delete":
			t.kind = sources.Deleted
		}
		if t.path != "" {
			found = true
			p.touchOrWrite(t, tool, turn, &logEvent{at: at})
		}
	}
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
		p.changed = append(p.changed, once{onceChanged, path})
	}
	if p.first(onceTouch, t.kind+"\x00"+itoa(turn)+"\x00"+path) {
		p.session.Files = append(p.session.Files, sources.FileTouch{Path: t.path, Kind: t.kind, Tool: tool, Turn: turn, At: at})
	}
}
