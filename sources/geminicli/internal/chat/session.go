package chat

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/turns"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// IsSubagent tells whether the session is the work of a sub-agent.
func (c *Chat) IsSubagent() bool { return c.meta.kind == "subagent" }

// Hash stands for the folder that the session works in: its sha256 in hex digits.
func (c *Chat) Hash() string { return c.meta.hash }

// Folders are those that the session itself names, the first of them maybe the one that it
// works in.
func (c *Chat) Folders() (all []string) {
	for _, f := range append([]string{c.folder}, c.meta.directories...) {
		if f != "" {
			all = append(all, f)
		}
	}
	return all
}

// Session is what the files told.
func (c *Chat) Session() *sources.Session {
	s := &sources.Session{Created: c.meta.start, Complete: c.begun && !c.torn, Damage: c.damage}
	if title := strings.TrimSpace(c.meta.summary); title != "" && !c.IsSubagent() {
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
			if ours = m.isOurs; !ours && !m.isResult && (strings.TrimSpace(m.text) != "" || len(m.added) > 0) {
				b.Open(m.ID, m.text).Attachments = m.added
			}
		case "gemini":
			if !ours || len(m.Calls) > 0 || !isThanks(m.text) {
				m.answer(b)
			}
			ours = false
		case gap:
			b.Break()
		case "error":
			b.Fail(m.text)
		case "info":
			if strings.TrimSpace(m.text) == "Request cancelled." {
				b.Cancel()
			}
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
	for i := range m.Calls {
		m.Calls[i].addTo(b)
	}
}

// Delegation is the work of a sub-agent, for the session that it worked for.
func (c *Chat) Delegation(id string) *sources.Session {
	s := c.Session()
	d := sources.Delegation{ID: id, At: s.Created, Answer: strings.TrimSpace(c.meta.summary)}
	for _, t := range s.Turns {
		d.Task = cmp.Or(d.Task, taskIn(t.User))
		if c.meta.summary == "" {
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
