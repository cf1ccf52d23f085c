package codexcli

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// rootOf returns the session that the thread of a sub-agent or a reviewer works for: the root of all where that is told, else the
// thread that began it. It is empty for another thread: one that names neither is a session of its own.
func rootOf(d *payload, own string) string {
	a, spawner := d.Source.Agent, d.Parent
	if a == nil && d.ThreadSource != "subagent" {
		return ""
	}
	if a != nil {
		spawner = cmp.Or(spawner, a.Spawn.Parent)
	}
	for _, id := range []string{sources.FoldUUID(d.SessionID), sources.FoldUUID(spawner)} {
		if id != "" && id != own {
			return id
		}
	}
	return ""
}

// workerName returns what a sub-agent is called by its own thread.
func workerName(d *payload) string {
	name := d.name()
	if a := d.Source.Agent; a != nil {
		name = cmp.Or(name, a.Spawn.name(), a.Kind)
	}
	return name
}

// agentMessage takes in the task of a sub-agent that has no prompt (version 2 of Codex's sub-agents).
func (p *parser) agentMessage(d *payload) {
	for _, c := range d.Content.all() {
		if p.root != "" {
			p.worker.Task = cmp.Or(p.worker.Task, tools.Readable(c.Encrypted))
		}
	}
}

// workOf returns the work of a sub-agent's thread, for the session that it worked for.
func (p *parser) workOf(s *sources.Session) *sources.Session {
	out := builder.WorkOf(s, p.worker)
	var found review
	if d := &out.Delegated[0]; decode.Text(d.Answer, &found) == nil {
		d.Answer = cmp.Or(found.String(), d.Answer)
	}
	return out
}

// helper returns what is known of a sub-agent, or was of the call that began it; it is added where it is new.
func (p *parser) helper(id string, begun *sources.Delegation) *sources.Delegation {
	id = sources.FoldUUID(id)
	switch d := p.helpers[id]; {
	case d != nil:
		return d
	case begun == nil:
		begun = p.b.Delegate(sources.Delegation{})
	}
	begun.ID, p.helpers[id] = id, begun
	return begun
}

// collaborated takes in a call that began a sub-agent, spoke to it or waited for it.
func (p *parser) collaborated(d *payload) {
	b := &d.Item
	c := p.begun(b, builder.Call{Name: b.Called, Detail: b.Prompt}, tools.Delegates)
	begun := c.Worker()
	if c.Ended() {
		begun = nil
	}
	c.End(builder.Result{OK: b.ok(), Running: true})
	states := maps.Collect(b.States.All())
	for _, a := range b.Agents {
		if a.ThreadID == "" {
			continue
		}
		h := p.helper(a.ThreadID, begun)
		h.Name, h.Task = cmp.Or(a.name(), h.Name), cmp.Or(h.Task, b.Prompt)
		if said := states[a.ThreadID].Completed; said != "" && said != h.Answer {
			h.Answer, h.End = said, p.b.Now()
		}
	}
}

func (p *parser) agentActivity(d *payload) {
	b, begun := &d.Item, (*sources.Delegation)(nil)
	if b.WorkerID == "" {
		return
	}
	if c := p.b.Called(b.id()); c != nil {
		begun = c.Worker()
	}
	h := p.helper(b.WorkerID, begun)
	h.Name = cmp.Or(agent{AgentPath: b.AgentPath}.name(), h.Name)
	if b.Kind == "completed" {
		h.End = p.b.Now()
	}
}

func (p *parser) spawned(c *builder.Called, text string) builder.Result {
	var gave struct {
		ID       string `json:"agent_id"`
		Nickname string `json:"nickname"`
	}
	if decode.Text(text, &gave) != nil || gave.ID == "" {
		return builder.Result{Running: true}
	}
	if c.Worker() != nil {
		p.helper(gave.ID, c.Worker())
	}
	return builder.Result{Worker: &builder.Worker{ID: sources.FoldUUID(gave.ID), Name: gave.Nickname, Running: true}}
}

func (p *parser) enteredReview(d *payload) {
	p.b.Act(sources.ActionReview, strings.TrimSpace("/review "+d.item().Hint))
	p.b.Select(nil)
}

// exitedReview takes in what a reviewer found. The agent mostly says it again: then that stands in the answer.
func (p *parser) exitedReview(d *payload) {
	if found := d.item().Review; found != nil {
		p.work()
		p.unsaid = found.String()
	}
}

// tellReview adds what no answer had of a review, before its turn ends.
func (p *parser) tellReview() {
	if p.unsaid != "" {
		p.say(p.unsaid, "final_answer")
	}
}

func (r review) String() string {
	var out []string
	if text := strings.TrimSpace(r.Explanation); text != "" {
		out = append(out, text)
	}
	for _, f := range r.Findings {
		line := "- " + f.Title
		if f.Place.Path != "" {
			line += fmt.Sprintf(" — %s:%d-%d", f.Place.Path, f.Place.Lines.Start, f.Place.Lines.End)
		}
		if body := strings.TrimSpace(f.Body); body != "" {
			line += "\n  " + strings.ReplaceAll(body, "\n", "\n  ")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n\n")
}
