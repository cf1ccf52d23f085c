package chat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Session returns what the files hold, worked in at a place.
func (c *Chat) Session(at sources.Place) *sources.Session {
	b := builder.New()
	s := b.Session
	s.Created, s.Complete, s.Damage, s.Place = c.start, c.begun && !c.Torn, c.damage, at
	if title := strings.TrimSpace(c.summary); title != "" && !c.IsSubagent {
		s.Title, s.TitleFrom = words.OneLine(title, 500), sources.TrustNamed
	}
	for _, check := range c.checks {
		b.Checkpoint(check.Checkpoint)
	}
	converse(b, c.live)
	for _, batch := range c.dead {
		dead := builder.New()
		converse(dead, batch)
		b.AddTakenBack(dead, dead.Turns())
	}
	b.Finish()
	s.Rewound, s.Class = len(c.dead) > 0, ""
	return s
}

// converse tells messages as acts.
func converse(b *builder.Builder, all []*message) {
	ours := false // the program spoke last in the place of a person
	for _, m := range all {
		b.At(m.At.Time)
		switch m.Type {
		case "user":
			if m.ran != "" && m.isOurs {
				b.Act(sources.ActionShell, "!"+m.ran)
			}
			if ours = m.isOurs; !ours && !m.isResult && (strings.TrimSpace(m.text) != "" || len(m.added) > 0) {
				b.Prompt(builder.Prompt{ID: m.ID, Text: m.text, Attachments: m.added})
			}
		case "gemini":
			if !ours || len(m.Calls) > 0 || !slices.Contains(thanks, strings.TrimSpace(m.text)) {
				m.answer(b)
			}
			ours = false
		default:
			m.notice(b)
		}
	}
}

// notice takes in what the program says of the turn at work.
func (m *message) notice(b *builder.Builder) {
	t := b.Turn()
	switch {
	case t == nil:
	case m.Type == "info" && m.text == "Request cancelled." && t.Status == sources.Pending:
		t.Cancel()
	case m.Type == gap && t.Status == sources.Complete: // something is lost, maybe the next prompt
		b.Select(nil)
	case m.Type == "error" && t.Status != sources.Complete:
		t.Fail(m.text)
	}
}

// answer takes in a message of the agent. One with calls goes on.
func (m *message) answer(b *builder.Builder) {
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
		m.Calls[i].tell(b)
		stopped = stopped && m.Calls[i].Status == "cancelled"
	}
	if stopped && t.Status == sources.Pending { // the user did, and it asked the model no more
		t.Cancel()
	}
}

// Work returns the work of a sub-agent, for the session that it worked for.
func (c *Chat) Work(id string, at sources.Place) *sources.Session {
	s := c.Session(at)
	d := sources.Delegation{ID: id, Answer: strings.TrimSpace(c.summary)}
	for _, t := range s.Turns {
		d.Task = cmp.Or(d.Task, taskIn(t.User))
	}
	return builder.WorkOf(s, d)
}

// taskIn returns what a sub-agent was asked to do, without what the program put around it.
func taskIn(prompt string) string {
	if _, rest, ok := strings.Cut(prompt, "<objective>"); ok {
		task, _, _ := strings.Cut(rest, "</objective>")
		return strings.TrimSpace(task)
	}
	return prompt
}
