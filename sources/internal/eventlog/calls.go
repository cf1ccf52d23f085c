package eventlog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// call records a call from the first of its events.
func (p *parser) call(r *toolRequest, e *event) {
	id, name, known := r.ToolCallID, r.Name, p.b.Called(r.ToolCallID)
	isTold := known != nil && len(e.Data.ToolRequests) == 0 // recorded with the answer
	if name == "report_intent" {
		p.others[id] = true
	}
	if id == "" || name == "" || p.others[id] || isTold && known.Ended() {
		return
	}
	t := p.work(e)
	switch {
	case p.within != nil:
		t = p.within.Turn()
	case isTold: // another prompt may have joined it since
		t = known.Turn()
	}
	c := t.Call(builder.Call{ID: id, Message: e.Data.MessageID, Name: name, Server: r.MCPServerName, Args: r.Arguments, Detail: p.detail(r.Arguments), Hidden: p.within != nil})
	if c.Does() == tools.Asks || c.Does() == tools.Plans {
		p.asking = c
	}
	if known == nil && p.within != nil {
		p.within.Worker().Calls++
	}
	if p.dialect != nil && p.dialect.Replayed != "" && strings.Contains(id, p.dialect.Replayed) {
		c.End(builder.Result{})
		c.OK = nil
	}
}

// detail returns the file that a call is about, as the session knows it, or "".
func (p *parser) detail(a *tools.Arguments) string {
	if a == nil || p.dialect != nil || cmp.Or(a.Description, a.Pattern, a.Query) != "" {
		return ""
	}
	return p.shorten(a.Path)
}

// userRan records a command that the user ran, which is not work of the agent.
func (p *parser) userRan(e *event) {
	r := &e.Data.toolRequest
	use := tools.About(r.Name, "", cmp.Or(r.Arguments, &tools.Arguments{}))
	if p.others[r.ToolCallID] = use.Command != ""; use.Command != "" {
		p.b.Act(sources.ActionShell, "!"+use.Command)
	}
	p.call(r, e)
}

func (p *parser) ended(e *event) {
	d := &e.Data
	c, ok, edits := p.b.Called(d.ToolCallID), d.Success == nil || *d.Success, d.edits()
	if c == nil && d.Success != nil && ok && !p.others[d.ToolCallID] && p.within == nil { // its beginning was lost
		for _, f := range edits {
			p.work(e).Touch(f.Path, f.Kind, "")
		}
	}
	if c == nil || c.Ended() {
		return
	}
	if p.within == nil {
		c.Turn().Model = cmp.Or(c.Turn().Model, p.useModel(d.Model))
	} else if edits == nil { // files that a sub-agent looks at are its own affair
		edits = slices.DeleteFunc(append([]tools.File{}, c.About()...), func(f tools.File) bool { return f.Kind == sources.Viewed })
	}
	r := builder.Result{OK: d.Success, Text: cmp.Or(d.Result.Content, d.Error.Message, d.Error.Content), Files: edits, Told: p.within != nil}
	if d.Shell.ExitCode != nil {
		r.Exit = new(int(*d.Shell.ExitCode))
	}
	switch code := d.Error.Code; {
	case !ok:
		r.Refused, r.Words = code == "rejected" || code == "denied", tools.Feedback(d.Error.Message)
	case c.Does() == tools.Asks:
		p.replied(c, &r)
	case c.Does() == tools.Plans && tools.IsPlanRefused(r.Text):
		r.Refused, r.Words = true, tools.Feedback(r.Text)
	case c.Does() == tools.Plans:
		r.Plan = &builder.Plan{Unasked: c.Turn().Mode == "autopilot"}
	case c.Worker() != nil:
		text, _, _ := strings.Cut(r.Text, "\n\n(agent_id: ")
		r.Worker = &builder.Worker{Answer: text, Calls: c.Worker().Calls, Running: strings.HasPrefix(text, "Agent started in background")}
	}
	if c.End(r); ok && !r.Refused {
		p.kept(e, edits, c.About())
	}
}

// edits returns the files that a call says it changed; nil: it does not say.
func (d *eventData) edits() (all []tools.File) {
	for _, f := range d.FileEdits {
		if f.Path != "" {
			all = append(all, tools.File{Path: f.Path, Kind: tools.ChangeKind(f.Kind)})
		}
	}
	return all
}

func (p *parser) noticed(e *event) {
	c, code := p.b.InShell(e.Data.Kind.ShellID.Text), e.Data.Kind.ExitCode
	if c != nil && code != nil && c.Exit == nil {
		c.Exit, c.OK = new(int(*code)), new(*code == 0)
	}
}

// helped records an event of a sub-agent: its work belongs to the turn that called it.
func (p *parser) helped(e *event) {
	d := &e.Data
	if e.Type == "subagent.started" {
		p.agents[e.Agent] = d.ToolCallID
	}
	c := cmp.Or(p.b.Called(d.ParentToolCallID), p.b.Called(p.agents[e.Agent]))
	if e.Type == "subagent.completed" {
		c = cmp.Or(p.b.Called(d.ToolCallID), c)
	}
	if c == nil || c.Worker() == nil {
		return
	}
	p.within = c
	switch w := c.Worker(); e.Type {
	case "assistant.message":
		w.Answer = cmp.Or(strings.TrimSpace(d.Content), w.Answer)
		for i := range d.ToolRequests {
			p.call(&d.ToolRequests[i], e)
		}
	case callStart:
		p.call(&d.toolRequest, e)
	case "tool.execution_complete", "tool.execution_end":
		p.ended(e)
	case "subagent.completed":
		w.End, w.Calls = p.b.Now(), max(w.Calls, int(d.Calls))
	}
	p.within = nil
}

// permitted records how a request for permission ended: a call that was denied does not run.
func (p *parser) permitted(e *event) {
	d := &e.Data
	c := p.b.Called(d.ToolCallID)
	if kind := d.Result.Kind; c != nil && (strings.HasPrefix(kind, "denied") || kind == "cancelled") {
		c.End(builder.Result{Refused: true, Words: d.Result.Feedback})
	}
}

// replied records a person's answers to the questions of a call, from its result.
func (p *parser) replied(c *builder.Called, r *builder.Result) {
	asked := c.Args().Asked()
	answers, declined := tools.Replies(r.Text, asked)
	if r.Refused = declined; declined {
		return
	}
	for i, q := range asked {
		if c == p.byHost { // nobody was asked
			answers[i] = ""
		}
		r.Answers = append(r.Answers, builder.Reply{Question: q.Words(), Answer: answers[i]})
	}
}

// asked returns the call by which the agent asks a person; without one, the event becomes a call.
func (p *parser) asked(e *event, said *response, does tools.Does) *builder.Called {
	d := &e.Data
	c := cmp.Or(p.b.Called(d.ToolCallID), p.b.Called(d.RequestID), p.asking)
	if c == nil || c == p.asking && (c.Ended() || c.Does() != does) {
		name := map[tools.Does]string{tools.Asks: "ask_user", tools.Plans: "exit_plan_mode"}[does]
		args := &tools.Arguments{Question: said.Question, Summary: cmp.Or(d.Summary, d.Response.Summary)}
		c = p.work(e).Call(builder.Call{ID: d.RequestID, Name: name, Args: args})
		p.asking = c
	}
	if said.PlanContent != "" {
		c.Args().Summary = said.PlanContent
	}
	return c
}

// responded records the answer of a person, or of the program that runs the CLI, to a question or a plan.
func (p *parser) responded(e *event, said *response) {
	isPerson := e.Data.Actor != "host_automation"
	switch {
	case said.Approved != nil && *said.Approved:
		p.asked(e, said, tools.Plans).End(builder.Result{OK: new(true), Plan: &builder.Plan{Unasked: !isPerson}})
	case said.Approved != nil:
		p.asked(e, said, tools.Plans).End(builder.Result{Refused: true, Words: said.Feedback})
	case !isPerson:
		p.byHost = p.b.Called(e.Data.ToolCallID)
	case said.Answer != "": // the answer to a form is in the result
		answer := builder.Reply{Question: said.Question, Answer: said.Answer}
		p.asked(e, said, tools.Asks).End(builder.Result{OK: new(true), Answers: []builder.Reply{answer}})
	}
}
