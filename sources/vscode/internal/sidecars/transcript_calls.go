package sidecars

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// call is one call of a tool. It is told up to three times: asked for, started,
// completed.
type call struct {
	id         string
	turn, tool int // indexes in Turns and Tools
	name       string
	does       effects
	at         time.Time // of the newest event
	ok         *bool

	asked, ran, done bool
	replayed         bool // written again out of the history: nothing tells how it ended
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
	id := r.callID()
	if c := t.byID[id]; c != nil && !c.asked && !t.replaying() {
		c.asked = true
		t.argue(c, r.Arguments)
		return
	}
	if c := t.newCall(id, r.Name); c != nil {
		c.asked = true
		t.argue(c, r.Arguments)
	}
}

// started notes a call that began.
func (t *transcript) started(data *eventData) {
	id := data.callID()
	c := t.byID[id]
	if c == nil || c.ran || c.done {
		c = t.newCall(id, data.ToolName)
	}
	if c == nil {
		return
	}
	c.ran = true
	t.seen(c)
	if !c.does.known {
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
	c.ok = data.Success
	t.seen(c)
	t.session.Turns[c.turn].Tools[c.tool].OK = c.ok
}

func (t *transcript) replaying() bool { return t.open != nil && t.open.replayed }

// newCall adds a call to the open turn; nil where it has no name.
func (t *transcript) newCall(id, name string) *call {
	if name == "" {
		return nil
	}
	turn := t.turn()
	c := &call{id: id, turn: turn.Index, tool: len(turn.Tools), name: words.OneLine(name, 200), replayed: t.replaying()}
	turn.Tools = append(turn.Tools, sources.Tool{Name: c.name, After: t.open.text.Len()})
	t.calls = append(t.calls, c)
	t.byID[id] = c
	t.argue(c, "")
	t.seen(c)
	return c
}

// argue takes in the arguments of a call.
func (t *transcript) argue(c *call, args raw) {
	c.does = effectsOf(c.name, args)
	tool := &t.session.Turns[c.turn].Tools[c.tool]
	tool.Kind, tool.Detail = c.does.kind, c.does.detail
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
	type key struct {
		path, kind string
		turn       int
	}
	seen := map[key]bool{}
	for _, c := range t.calls {
		if c.ok != nil && !*c.ok || !c.ran && !c.done && !c.replayed {
			continue
		}
		if c.does.todos != nil {
			t.session.Todos = c.does.todos
			for i := range t.session.Todos {
				t.session.Todos[i].At = c.at
			}
		}
		for _, touch := range c.does.touches {
			if k := (key{touch.path, touch.kind, c.turn}); !seen[k] {
				seen[k] = true
				t.session.Files = append(t.session.Files, sources.FileTouch{
					Path: touch.path, Kind: touch.kind, Tool: c.name, Turn: c.turn, At: c.at,
				})
			}
		}
	}
}
