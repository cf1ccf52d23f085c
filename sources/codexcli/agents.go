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

// agentMessage takes in the task of a sub-agent that has no prompt (version 2 of Codex's
// sub-agents).
func (p *parser) agentMessage(r *record) {
	if p.worker == nil || p.worker.task != "" {
		return
	}
	for _, c := range r.Payload.Content.all() {
		if text := tools.Readable(c.Encrypted); text != "" {
			p.worker.task = text
			return
		}
	}
}

// work returns the work of a sub-agent's thread, for the session that it worked for.
func (w *worker) work(thread string, s *sources.Session) *sources.Session {
	out := builder.WorkOf(s, sources.Delegation{ID: thread, Name: w.name, Task: w.task})
	var found review
	if d := &out.Delegated[0]; decode.Text(d.Answer, &found) == nil {
		d.Answer = cmp.Or(found.String(), d.Answer)
	}
	return out
}

// helper returns what is known of a sub-agent, which is added where it is new.
func (p *parser) helper(id string) *sources.Delegation {
	id = sources.FoldUUID(id)
	if p.helpers[id] == nil {
		p.helpers[id] = p.b.Delegate(sources.Delegation{ID: id})
	}
	return p.helpers[id]
}

// collaborated takes in a call that began a sub-agent, spoke to it or waited for it.
func (p *parser) collaborated(r *record) {
	b := &r.Payload.Item
	c := p.begun(b, builder.Call{Name: b.Called, Detail: b.Prompt}, tools.Delegates)
	for _, a := range b.Agents {
		if id := sources.FoldUUID(a.ID); id != "" && p.helpers[id] == nil && c.Worker() != nil && !c.Ended() {
			p.helpers[id], c.Worker().ID = c.Worker(), id
		}
	}
	c.End(builder.Result{OK: b.ok(), Running: true})
	states := maps.Collect(b.States.All())
	for _, a := range b.Agents {
		if a.ID == "" {
			continue
		}
		d := p.helper(a.ID)
		d.Name, d.Task = cmp.Or(nameOf("", a.Nickname, a.Role), d.Name), cmp.Or(d.Task, b.Prompt)
		if said := states[a.ID].Completed; said != "" && said != d.Answer {
			d.Answer, d.End = said, p.b.Now()
		}
	}
}

// agentActivity takes in that a sub-agent began or ended.
func (p *parser) agentActivity(r *record) {
	b := &r.Payload.Item
	if b.AgentID == "" {
		return
	}
	if c := p.b.Called(b.id()); c != nil && c.Worker() != nil && p.helpers[sources.FoldUUID(b.AgentID)] == nil {
		c.Worker().ID = sources.FoldUUID(b.AgentID)
		p.helpers[c.Worker().ID] = c.Worker()
	}
	d := p.helper(b.AgentID)
	d.Name = cmp.Or(nameOf(b.AgentAt, "", ""), d.Name)
	if b.Kind == "completed" {
		d.End = p.b.Now()
	}
}

// spawned takes in that a call began a sub-agent.
func (p *parser) spawned(c *builder.Called, text string) {
	var gave struct {
		ID       string `json:"agent_id"`
		Nickname string `json:"nickname"`
	}
	if decode.Text(text, &gave) != nil || gave.ID == "" {
		c.End(builder.Result{Running: true})
		return
	}
	id := sources.FoldUUID(gave.ID)
	if c.Worker() != nil && p.helpers[id] == nil {
		p.helpers[id] = c.Worker()
	}
	c.End(builder.Result{Worker: &builder.Worker{ID: id, Name: gave.Nickname, Running: true}})
}

// enteredReview takes in that the user asked for a review.
func (p *parser) enteredReview(b *body) {
	p.b.Act(sources.ActionReview, strings.TrimSpace("/review "+b.Hint))
	p.b.Select(nil)
}

// exitedReview takes in what a reviewer found. The agent mostly says it again: then that
// stands in the answer.
func (p *parser) exitedReview(b *body) {
	if b.Review != nil {
		p.work()
		p.unsaid = b.Review.String()
	}
}

// tellReview adds what no answer had of a review, before its turn ends.
func (p *parser) tellReview() {
	if p.unsaid != "" {
		p.say(p.unsaid, "final_answer")
	}
}

// answersIn reads the answers to questions as the model gets them: {"answers":{"id":{"answers":[…]}}}.
func answersIn(text string) (all []builder.Reply) {
	var given struct {
		Answers decode.Table[struct {
			Answers []string `json:"answers" as:"list"`
			Text    string   `as:"text"`
		}] `json:"answers"`
	}
	if decode.Text(text, &given) != nil {
		return nil
	}
	for id, a := range given.Answers.All() {
		all = append(all, builder.Reply{Question: id, Answer: cmp.Or(strings.Join(a.Answers, ", "), a.Text)})
	}
	return all
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
