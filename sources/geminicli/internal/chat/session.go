package chat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Session returns the session of the files, in a place. typed are the program's commands that the user typed,
// by time; the user's own commands are prompts.
func (c *Chat) Session(at sources.Place, typed []sources.Action) *sources.Session {
	prompts := map[string]bool{}
	for _, m := range c.all {
		prompts[strings.TrimSpace(m.text)] = true
	}
	teller := teller{Builder: builder.New(), isSubagent: c.IsSubagent}
	teller.typed = slices.DeleteFunc(typed, func(a sources.Action) bool { return prompts[a.Text] })
	s := teller.Session
	s.Created, s.Complete, s.Damage, s.Place, s.Rewound = c.start, c.begun && !c.Torn, c.damage, at, c.rewinds > 0
	if title := strings.TrimSpace(c.title); title != "" && !c.IsSubagent {
		s.Title, s.TitleFrom = words.OneLine(title, 500), sources.TrustNamed
	}
	teller.converse(c.all)
	var work []*sources.Session
	for _, w := range c.workers {
		work = append(work, w.Work(w.file, at))
	}
	teller.Employ(work)
	teller.Finish()
	s.Class = ""
	return s
}

type teller struct {
	*builder.Builder
	isSubagent bool
	typed      []sources.Action // not recorded yet
	ours       bool             // the last message in the place of a prompt was the program's
}

// converse records messages. Those taken back stay where they were said, in turns of their own.
func (b *teller) converse(all []*message) {
	var work *builder.Turn // current turn beside turns taken back
	rewind := 0
	for _, m := range all {
		if was := rewind; m.rewind != was {
			if rewind = m.rewind; was == 0 {
				work = b.Turn()
			}
			if b.Select(nil); rewind == 0 {
				b.Select(work)
			}
		}
		b.actUntil(m)
		b.At(m.At.Time)
		n := len(b.Turns())
		b.tell(m)
		for _, t := range b.Turns()[n:] {
			if rewind > 0 {
				t.TakeBack()
			}
		}
	}
	b.actUntil(nil)
}

// actUntil records the user's other inputs before a message; nil: the end.
func (b *teller) actUntil(m *message) {
	for len(b.typed) > 0 && (m == nil || b.typed[0].At.Before(m.At.Time)) {
		b.At(b.typed[0].At)
		b.Act(b.typed[0].Kind, b.typed[0].Text)
		b.typed = b.typed[1:]
	}
}

func (b *teller) tell(m *message) {
	t := b.Turn()
	switch m.Type {
	case "user":
		b.user(m)
	case "gemini":
		if !b.ours || len(m.Calls) > 0 || !slices.Contains(thanks, strings.TrimSpace(m.text)) {
			b.answer(m)
		}
		b.ours = false
	case summary:
		if m.rewind == 0 {
			b.Checkpoint(m.summary)
		}
	case gap: // something is lost, maybe the next prompt
		if t != nil && t.Status == sources.Complete {
			b.Select(nil)
		}
	case "info":
		if t != nil && m.text == "Request cancelled." && t.Status == sources.Pending {
			t.Cancel()
		}
	case "error":
		if t != nil && t.Status != sources.Complete {
			t.Fail(m.text)
		}
	}
}

func (b *teller) user(m *message) {
	b.ours = m.isOurs || !b.isSubagent && begins(m.text, tasks)
	switch {
	case m.ran != "" && m.rewind == 0:
		b.Act(sources.ActionShell, "!"+m.ran)
	case !b.ours && !m.isResult && (strings.TrimSpace(m.text) != "" || len(m.added) > 0):
		b.Prompt(builder.Prompt{ID: m.ID, Key: "typed", Text: m.text, Joins: m.joins, Attachments: m.added})
	}
}

// answer records a message of the agent. A message with calls continues the turn.
func (b *teller) answer(m *message) {
	t := b.Work()
	t.By(m.Model)
	phase := builder.Answer
	if len(m.Calls) > 0 {
		phase = builder.Report
	}
	t.Say(m.text, phase)
	if u := m.Tokens; u != nil {
		in := u.Input + u.Tool
		out := u.Total - in
		if u.Total <= 0 {
			out = u.Output + u.Thoughts
		}
		t.Use(int64(in), int64(out))
	}
	stopped := len(m.Calls) > 0
	for i := range m.Calls {
		m.Calls[i].tell(b.Builder, m.ID)
		stopped = stopped && m.Calls[i].Status == "cancelled"
	}
	if stopped && t.Status == sources.Pending { // the user stopped it, without another request to the model
		t.Cancel()
	}
}

// Work returns the work of a sub-agent, for the session that it worked for.
func (c *Chat) Work(id string, at sources.Place) *sources.Session {
	s := c.Session(at, nil)
	d := sources.Delegation{ID: id, Answer: strings.TrimSpace(c.title)}
	for _, t := range s.Turns {
		d.Task = cmp.Or(d.Task, tools.Tagged(tools.Tagged(t.User, "objective"), "question"))
	}
	return builder.WorkOf(s, d)
}

// edge limits the bytes read at each end of an output that names nothing: errors are there, with the text that reveals a
// secret.
const edge = 16 << 10

// keep reads the result of a call, and drops the rest.
func (c *call) keep() {
	var gave, failed string
	for _, p := range c.Result {
		if gave += p.Text; p.Gave != nil {
			gave, failed = gave+string(p.Gave.Response.Output), failed+string(p.Gave.Response.Error)
		}
	}
	c.Args = cmp.Or(c.Args, &tools.Arguments{})
	r := builder.Result{At: c.At.Time, Created: c.Display.IsNewFile}
	if c.ended() {
		r.OK = new(c.Status == "success")
	}
	_, r.Refused = tools.Refused(failed)
	switch use := tools.About(c.Name, "", c.Args); use.Does {
	case tools.Runs: // the program counts any code as success, and reports it only for failures
		r.Zero = c.Status == "success" && gave != ""
		if r.Text = gave; !strings.Contains(use.Command, "git") && !strings.Contains(use.Command, "gh ") {
			r.Text = tools.BothEnds(gave, edge, edge)
		}
	case tools.Polls:
		r.Text = gave
	case tools.Asks:
		answers, declined := tools.Replies(gave, c.Args.Asked())
		r.Refused = r.Refused || declined
		for i, answer := range answers {
			r.Answers = append(r.Answers, builder.Reply{Question: c.Args.Asked()[i].Words(), Answer: answer})
		}
	case tools.Plans:
		if tools.IsPlanRefused(gave) {
			r.Refused, r.Words = true, tools.Feedback(gave)
		}
	case tools.Delegates:
		_, said, _ := strings.Cut(gave, "\nResult:\n")
		r.Worker = &builder.Worker{ID: cmp.Or(c.AgentID, c.ID), Name: c.Args.AgentName, Answer: strings.TrimSpace(cmp.Or(string(c.Display.Result), said, failed))}
	}
	r.Text = cmp.Or(r.Text, failed)
	c.result = r
	c.Result, c.Display = nil, display{FilePath: c.Display.FilePath}
}

func (c *call) ended() bool {
	return c.Status == "success" || c.Status == "error" || c.Status == "cancelled"
}

func (c *call) tell(b *builder.Builder, message string) {
	b.At(c.At.Time)
	call := builder.Call{Message: message, Name: cmp.Or(c.Name, "tool"), Args: c.Args}
	if path := string(c.Display.FilePath); path != "" { // an edit
		call.Detail, call.Files = path, []tools.File{{Path: path, Kind: sources.Edited}}
	}
	if called := b.Work().Call(call); c.ended() {
		called.End(c.result)
	}
}
