package codexcli

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
)

// worker is what makes a thread that of a sub-agent or a reviewer.
type worker struct {
	root string // the session that it works for
	name string
	task string
}

// workerOf tells whether a thread is that of a sub-agent, and of which session: the root of
// all where that is told, else the thread that began it. One that names neither is a
// session of its own.
func workerOf(d *payload, own string) *worker {
	a := d.Source.Agent
	if a == nil && d.ThreadSource != "subagent" {
		return nil
	}
	w := &worker{name: nameOf(d.AgentAt, d.Nickname, d.AgentRole)}
	spawner := d.Parent
	if a != nil {
		spawner = cmp.Or(spawner, a.Spawn.Parent)
		w.name = cmp.Or(w.name, nameOf(a.Spawn.Path, a.Spawn.Nickname, a.Spawn.Role), a.Kind)
	}
	if w.root = sources.FoldUUID(d.SessionID); w.root == "" || w.root == own {
		w.root = sources.FoldUUID(spawner)
	}
	if w.root == "" || w.root == own {
		return nil
	}
	return w
}

// nameOf is what a sub-agent is called: by the path that the task has in newer versions,
// else by its nickname and role.
func nameOf(path, nickname, role string) string {
	if role == "default" {
		role = ""
	}
	switch name := cmp.Or(strings.TrimPrefix(path, "/root/"), nickname); {
	case name == "":
		return role
	case role == "":
		return name
	default:
		return name + " (" + role + ")"
	}
}

// readable is a task that a person can read: a provider may have encrypted it, and what is
// encrypted has no blanks.
func readable(text string) string {
	if text = strings.TrimSpace(text); !strings.ContainsAny(text, " \n") {
		return ""
	}
	return text
}

// agentMessage takes in the task of a sub-agent that has no prompt (version 2 of Codex's
// sub-agents).
func (p *parser) agentMessage(r *record) {
	if p.worker == nil || p.worker.task != "" {
		return
	}
	for _, c := range r.Payload.Content {
		if text := readable(c.Encrypted); text != "" {
			p.worker.task = text
			return
		}
	}
}

// delegation is the work of a sub-agent's thread, for the session that it worked for.
func (p *parser) delegation() *sources.Session {
	s, w := p.session, p.worker
	d := sources.Delegation{ID: p.thread, Name: w.name, Task: w.task, At: s.Created}
	for _, t := range s.Turns {
		d.Task = cmp.Or(d.Task, t.User)
		d.Calls += len(t.Tools)
		if t.Assistant != "" {
			d.Answer = lastOf(t)
		}
		if t.End.After(d.End) {
			d.End = t.End
		}
		if t.Tokens != nil {
			d.Tokens = cmp.Or(d.Tokens, &sources.Tokens{})
			d.Tokens.In, d.Tokens.Out = d.Tokens.In+t.Tokens.In, d.Tokens.Out+t.Tokens.Out
		}
	}
	var found review
	if decode.Text(d.Answer, &found) == nil {
		d.Answer = cmp.Or(found.String(), d.Answer)
	}
	out := &sources.Session{Delegated: []sources.Delegation{d}, Damage: s.Damage}
	for _, f := range s.Files {
		f.Turn = -1
		out.Files = append(out.Files, f)
	}
	return out
}

// lastOf is what was said last in a turn: all behind the last call before it.
func lastOf(t sources.Turn) string {
	at := 0
	for _, c := range t.Tools {
		if at = max(at, c.After); strings.TrimSpace(t.Assistant[at:]) == "" {
			return t.Assistant // nothing was said behind a call
		}
	}
	return strings.TrimSpace(t.Assistant[at:])
}

// delegated finds what is known of a sub-agent, which is added where it is new.
func (p *parser) delegated(id string) *sources.Delegation {
	id = sources.FoldUUID(id)
	s := p.session
	i, known := p.helpers[id]
	if !known || i >= len(s.Delegated) || s.Delegated[i].ID != id { // or it was taken back
		i = len(s.Delegated)
		p.helpers[id] = i
		s.Delegated = append(s.Delegated, sources.Delegation{ID: id, At: p.now})
	}
	return &s.Delegated[i]
}

// collaborated takes in a call that began a sub-agent, spoke to it or waited for it.
func (p *parser) collaborated(r *record) {
	b := &r.Payload.Item
	p.outcome(b, b.Called, kinds[b.Called], b.Prompt)
	states := maps.Collect(b.States.All())
	for _, a := range b.Agents {
		if a.ID == "" {
			continue
		}
		d := p.delegated(a.ID)
		d.Name, d.Task = cmp.Or(d.Name, nameOf("", a.Nickname, a.Role)), cmp.Or(d.Task, b.Prompt)
		if said := states[a.ID].Completed; said != "" && said != d.Answer {
			d.Answer, d.End = said, p.now
		}
	}
}

// agentActivity takes in that a sub-agent began or ended.
func (p *parser) agentActivity(r *record) {
	b := &r.Payload.Item
	if b.AgentID == "" {
		return
	}
	d := p.delegated(b.AgentID)
	d.Name = cmp.Or(d.Name, nameOf(b.AgentAt, "", ""))
	d.Task = cmp.Or(d.Task, readable(p.spawns[b.id()].Message))
	if b.Kind == "completed" {
		d.End = p.now
	}
}

// spawned takes in a sub-agent that a call began, where no item tells of it.
func (p *parser) spawned(call, outcome string) {
	var gave struct {
		ID       string `json:"agent_id"`
		Nickname string `json:"nickname"`
	}
	if decode.Text(outcome, &gave) == nil && gave.ID != "" {
		d := p.delegated(gave.ID)
		d.Name, d.Task = cmp.Or(d.Name, gave.Nickname), cmp.Or(d.Task, readable(p.spawns[call].Message))
	}
}

// enteredReview notes that the user asked for a review.
func (p *parser) enteredReview(b *body) {
	p.flush()
	p.closed = true
	p.act(sources.ActionReview, strings.TrimSpace("/review "+b.Hint), p.now)
}

// exitedReview takes in what a reviewer found. The agent mostly says it again: then that
// stands in the answer.
func (p *parser) exitedReview(b *body) {
	if b.Review != nil {
		p.worked()
		p.unsaid = b.Review.String()
	}
}

// tellReview says what no answer told of a review, before its turn ends.
func (p *parser) tellReview() {
	if p.unsaid != "" {
		p.say(p.unsaid, "final_answer")
	}
}

// String writes a review as Codex shows it.
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
