// Package chat turns the session VS Code Copilot Chat keeps into turns, request
// by request, so that a grown session is read on where it was left
// (formats/vscode-copilot-chat.md, sections 2.1 to 2.4).
package chat

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// agentName is the Agent of every session.
const agentName = "vscode-copilot"

// Input is a session as it was read.
type Input struct {
	State  *tree.Node       // the session object; of a resumed read requests[0:Sealed] are null
	Sealed int              // leading requests that are not in State but in Prior
	Prior  *sources.Session // the kept session of an earlier Result, when Sealed > 0; its texts may have been masked
	Carry  []byte           // Result.Carry of that
	ID     string           // id the caller decided on; empty: that of State if it is a UUID, else that of an export
	Images bool             // keep the bytes of images
}

// Result is what a session comes to.
type Result struct {
	// Again says that what was kept is not enough to read on from Sealed: nothing
	// else is set, and the caller reads the file whole.
	Again bool
	// Session has no Place, which the caller makes of Hints, and does not tell
	// Whole. Its Damage and Rewound are those found here.
	Session *sources.Session
	Hints   Hints
	Carry   []byte         // for a resumed conversion; JSON without text of the transcript
	Sealed  int            // how many leading requests are finished and can be had from Session and Carry alone
	Unknown map[string]int // kinds not known, of the requests that were read now; nil: none
	Empty   bool           // no request made a turn
}

// Convert makes a session of its requests. It fails at nothing: what it does
// not know is counted. Resumed, it gives what converting all requests gives.
func Convert(in Input) Result {
	requests := in.State.Get("requests").Items()
	c := newConverter(in)
	if in.Sealed > 0 && (len(requests) < in.Sealed || !c.resume(in)) {
		return Result{Again: true}
	}
	c.identify(in, requests)
	c.noteRepo(in.State)
	for i := max(in.Sealed, 0); i < len(requests); i++ {
		c.request(i, requests[i])
		c.setMark(i + 1)
		if c.finished == i && isFinished(requests[i], i+1 < len(requests)) {
			c.finished++
		}
	}
	if c.again || len(c.lost) > 0 {
		return Result{Again: true}
	}
	return c.finish(in.State)
}

// converter is a conversion at work.
type converter struct {
	session   *sources.Session
	summaries []sources.Artifact
	plan      *sources.Artifact // the newest one
	st        state
	hints     Hints
	unknown   map[string]int
	images    bool
	resumed   bool
	finished  int              // so many leading requests are
	again     bool             // resuming was a mistake
	lost      map[string]bool  // what Prior no longer has and a request must tell
	joining   *strings.Builder // answer of the last turn once requests joined it, else nil
}

func newConverter(in Input) *converter {
	return &converter{session: &sources.Session{ID: in.ID, Agent: agentName}, images: in.Images,
		st: state{Spans: map[string]span{}}, unknown: map[string]int{}}
}

// request takes in one request.
func (c *converter) request(i int, r *tree.Node) {
	if !r.Has() {
		return // a place that was never filled
	}
	if isTakenBack(r) {
		c.note(spanDiscarded, i)
		return
	}
	if is(r.Get("hiddenFromTranscript")) {
		return
	}
	p := c.read(r)
	if !r.Get("message").Has() && p.turn.Assistant == "" && len(p.turn.Tools) == 0 {
		c.st.Shapes++
		c.unknown["request shape"]++
		return
	}
	c.noteContext(i, r.Get("result").Get("metadata"))
	c.alias(r.Get("result").Get("metadata").Get("sessionId").Text())
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
		c.st.dropMarks(len(c.session.Turns))
		c.joinTurn(&c.session.Turns[at], p.turn, lead)
	}
	c.take(i, at, p)
}

// take adds what a request brought beside its turn.
func (c *converter) take(i, turn int, p piece) {
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
		c.note(spanTodos, i)
		s.Todos = p.todos
		for j := range s.Todos {
			if s.Todos[j].At.IsZero() {
				s.Todos[j].At = end
			}
		}
	}
	if p.plan != nil {
		c.note(spanPlan, i)
		c.plan = p.plan
		if c.plan.At.IsZero() {
			c.plan.At = end
		}
	}
	c.summarize(p.summaries, end)
}
