package chat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/turns"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Session is what the files told.
func (c *Chat) Session() *sources.Session {
	s := &sources.Session{Created: c.start, Complete: c.begun && !c.Torn, Damage: c.damage}
	if title := strings.TrimSpace(c.summary); title != "" && !c.IsSubagent {
		s.Title, s.TitleFrom = words.OneLine(title, 500), sources.TrustNamed
	}
	converse(s, c.live)
	for _, check := range c.checks {
		check.Number = len(s.Checkpoints) + 1
		s.Checkpoints = append(s.Checkpoints, check.Checkpoint)
	}
	for _, batch := range c.dead {
		s.Rewound = true
		dead := &sources.Session{}
		converse(dead, batch)
		for _, t := range dead.Turns {
			s.TakenBack = append(s.TakenBack, sources.Turn{
				Index: len(s.TakenBack), ID: t.ID, At: t.At, End: t.End, User: t.User, Assistant: t.Assistant, Model: t.Model, Status: t.Status,
			})
		}
	}
	files.SetUpdated(s)
	return s
}

// converse makes turns of messages.
func converse(s *sources.Session, all []*message) {
	b := &turns.Builder{Session: s}
	defer b.Close()
	ours := false // the program spoke last in the place of a person
	for _, m := range all {
		if !m.At.IsZero() {
			b.Now = m.At.Time
		}
		switch m.Type {
		case "user":
			if m.ran != "" && m.isOurs {
				s.Actions = append(s.Actions, sources.Action{Kind: sources.ActionShell, Text: "!" + m.ran, At: b.Now, Turn: len(s.Turns) - 1})
			}
			if ours = m.isOurs; !ours && !m.isResult && (strings.TrimSpace(m.text) != "" || len(m.added) > 0) {
				b.Open(m.ID, m.text).Attachments = m.added
			}
		case "gemini":
			if !ours || len(m.Calls) > 0 || !slices.Contains(thanks, strings.TrimSpace(m.text)) {
				m.answer(b)
			}
			ours = false
		case "info":
			if m.text == "Request cancelled." {
				b.Cancel()
			}
		case gap:
			b.Break()
		case "error":
			b.Fail(m.text)
		}
	}
}

// answer adds a message of the agent to the open turn. One with calls goes on.
func (m *message) answer(b *turns.Builder) {
	b.By(m.Model)
	b.Say(m.text, len(m.Calls) == 0)
	if t := m.Tokens; t != nil {
		in := t.Input + t.Tool
		out := t.Total - in
		if t.Total <= 0 {
			out = t.Output + t.Thoughts
		}
		b.Use(int64(in), int64(out))
	}
	stopped := len(m.Calls) > 0
	for i := range m.Calls {
		m.Calls[i].addTo(b)
		stopped = stopped && m.Calls[i].Status == "cancelled"
	}
	if stopped { // the user did, and it asked the model no more
		b.Cancel()
	}
}

// Delegation is the work of a sub-agent, for the session that it worked for.
func (c *Chat) Delegation(id string) *sources.Session {
	s := c.Session()
	d := sources.Delegation{ID: id, At: s.Created, Answer: strings.TrimSpace(c.summary)}
	for _, t := range s.Turns {
		d.Task = cmp.Or(d.Task, taskIn(t.User))
		if c.summary == "" {
			d.Answer = cmp.Or(t.Assistant, d.Answer)
		}
		d.Calls += len(t.Tools)
		if t.End.After(d.End) {
			d.End = t.End
		}
		if t.Tokens != nil {
			d.Tokens = cmp.Or(d.Tokens, &sources.Tokens{})
			d.Tokens.In, d.Tokens.Out = d.Tokens.In+t.Tokens.In, d.Tokens.Out+t.Tokens.Out
		}
	}
	out := &sources.Session{Class: sources.Automatic, Delegated: []sources.Delegation{d}, Damage: s.Damage}
	for _, f := range s.Files {
		if f.Turn = -1; f.Kind != sources.Viewed {
			out.Files = append(out.Files, f)
		}
	}
	return out
}

// taskIn is what a sub-agent was asked to do, without what the program put around it.
func taskIn(prompt string) string {
	if _, rest, ok := strings.Cut(prompt, "<objective>"); ok {
		task, _, _ := strings.Cut(rest, "</objective>")
		return strings.TrimSpace(task)
	}
	return prompt
}
