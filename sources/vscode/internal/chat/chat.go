// Package chat turns the session VS Code Copilot Chat keeps into turns, request
// by request (formats/vscode-copilot-chat.md, sections 2.1 to 2.4).
package chat

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// agentName is the Agent of every session.
const agentName = "vscode-copilot"

// Input is a session as it was read.
type Input struct {
	State *chatlog.Session // nil: nothing was read
	ID    string           // id the caller decided on; empty: that of State if it is a UUID, else that of an export
}

// Result is what a session comes to.
type Result struct {
	// Session has no Place, which the caller makes of Hints, and does not tell
	// Whole. Its Damage and Rewound are those found here.
	Session *sources.Session
	Hints   Hints
	Unknown map[string]int // kinds not known; nil: none
}

// Convert makes a session of its requests. It fails at nothing: what it does
// not know is counted.
func Convert(in Input) Result {
	state := in.State
	if state == nil {
		state = &chatlog.Session{}
	}
	c := &converter{session: &sources.Session{ID: in.ID, Agent: agentName}, unknown: map[string]int{}}
	c.identify(state)
	c.noteRepo(state)
	for _, r := range state.Requests {
		if r != nil { // a place that was never filled
			c.request(r)
		}
	}
	return c.finish(state)
}

// converter is a conversion at work.
type converter struct {
	session   *sources.Session
	summaries []sources.Artifact
	plan      *sources.Artifact // the newest one
	hints     Hints
	unknown   map[string]int
	shapes    int              // requests of an unknown shape
	joining   *strings.Builder // answer of the last turn once requests joined it, else nil
}

// request takes in one request.
func (c *converter) request(r *chatlog.Request) {
	if bool(r.ShouldBeRemovedOnSend) || r.IsHidden { // the user went back to before it
		c.session.Rewound = true
		return
	}
	if r.HiddenFromTranscript {
		return
	}
	p := c.read(r)
	if r.Message == nil && p.turn.Assistant == "" && len(p.turn.Tools) == 0 {
		c.shapes++
		c.unknown["request shape"]++
		return
	}
	if r.Result != nil {
		c.noteContext(&r.Result.Metadata)
		c.alias(r.Result.Metadata.SessionID)
	}
	at := len(c.session.Turns)
	if lead, own := leadOf(r); own || at == 0 {
		if !own {
			p.turn.User = ""
		}
		p.turn.Index = at
		c.endTurn()
		c.session.Turns = append(c.session.Turns, p.turn)
	} else {
		at--
		c.joinTurn(&c.session.Turns[at], p.turn, lead)
	}
	c.take(at, p)
}

// take adds what a request brought beside its turn.
func (c *converter) take(turn int, p piece) {
	s := c.session
	end := p.turn.End
	if end.IsZero() {
		end = p.turn.At
	}
	for _, f := range p.files {
		f.Turn = turn
		if f.At.IsZero() {
			f.At = end
		}
		s.Files = append(s.Files, f)
	}
	for _, r := range p.refs {
		r.Turn = turn
		s.Refs = append(s.Refs, r)
	}
	c.useModel(p.turn.Model)
	if p.hasTodos {
		s.Todos = p.todos
		for j := range s.Todos {
			if s.Todos[j].At.IsZero() {
				s.Todos[j].At = end
			}
		}
	}
	if p.plan != nil {
		c.plan = p.plan
		if c.plan.At.IsZero() {
			c.plan.At = end
		}
	}
	c.summarize(p.summaries, end)
}
