package sidecars

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// call is one call of a tool. It is told up to three times: asked for, started,
// completed.
type call struct {
	turn, tool int // indexes in Turns and Tools
	name       string
	args       *chatlog.Arguments
	does       chat.Effects
	at         time.Time // of the newest event

	asked, ran, done bool
}

// callID is the id the model gave. VS Code makes ids unique by a suffix, which it
// takes off again except in what it replays.
func (r request) callID() string {
	id, _, _ := strings.Cut(r.ToolCallID, "__vscode-")
	return id
}

// requested notes a call an answer asked for. Ids may come again in a later
// answer, for another call.
func (t *transcript) requested(r request) {
	c := t.byID[r.callID()]
	if c == nil || c.asked {
		c = t.newCall(r.callID(), r.Name)
	}
	if c != nil {
		c.asked = true
		t.argue(c, r.Arguments)
	}
}

// started notes a call that began.
func (t *transcript) started(data *eventData) {
	c := t.byID[data.callID()]
	if c == nil || c.ran || c.done {
		c = t.newCall(data.callID(), data.ToolName)
	}
	if c == nil {
		return
	}
	c.ran = true
	t.seen(c)
	if c.args == nil {
		t.argue(c, data.Arguments)
	}
}

// ended notes how a call ended.
func (t *transcript) ended(data *eventData) {
	c := t.byID[data.callID()]
	if c == nil || c.done {
		return
	}
	c.done = true
	t.seen(c)
	t.tool(c).OK = data.Success
}

// newCall adds a call to the open turn; nil where it has no name.
func (t *transcript) newCall(id, name string) *call {
	if name == "" {
		return nil
	}
	turn := t.turn()
	// What is replayed ran: nothing tells how it ended.
	c := &call{turn: turn.Index, tool: len(turn.Tools), name: words.OneLine(name, 200), ran: t.replayed}
	turn.Tools = append(turn.Tools, sources.Tool{Name: c.name, After: t.text.Len()})
	t.calls = append(t.calls, c)
	t.byID[id] = c
	t.argue(c, nil)
	t.seen(c)
	return c
}

// tool is the line of a call.
func (t *transcript) tool(c *call) *sources.Tool { return &t.session.Turns[c.turn].Tools[c.tool] }

// argue takes in the arguments of a call.
func (t *transcript) argue(c *call, args *chatlog.Arguments) {
	c.args, c.does = args, chat.EffectsOf(c.name, args)
	tool := t.tool(c)
	tool.Kind, tool.Detail = c.does.Kind, c.does.Detail
}

// seen moves the end of the turn a call belongs to.
func (t *transcript) seen(c *call) {
	c.at = t.clock
	if turn := &t.session.Turns[c.turn]; t.clock.After(turn.End) {
		turn.End = t.clock
	}
}

// gather makes the session's files and todos of what the calls did. A call that
// failed did nothing, nor did one that was asked for and never ran.
func (t *transcript) gather() {
	seen := map[sources.FileTouch]bool{}
	for _, c := range t.calls {
		if ok := t.tool(c).OK; ok != nil && !*ok || !c.ran && !c.done {
			continue
		}
		if c.args != nil && c.args.TodoList != nil {
			t.session.Todos = chat.Todos(c.args.TodoList)
			for i := range t.session.Todos {
				t.session.Todos[i].At = c.at
			}
		}
		for _, f := range c.does.Files {
			f.Turn = c.turn
			if key := (sources.FileTouch{Path: f.Path, Kind: f.Kind, Turn: f.Turn}); !seen[key] {
				seen[key] = true
				f.At = c.at
				t.session.Files = append(t.session.Files, f)
			}
		}
	}
}
