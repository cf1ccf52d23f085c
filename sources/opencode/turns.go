package opencode

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// asked opens a turn with a prompt. What opencode asks itself, and what the user ran, opens none.
func (p *parser) asked(q *prompt) {
	typed, t := strings.Join(q.texts, "\n"), p.b.Turn()
	switch {
	case strings.TrimSpace(typed) == "" && q.isShell:
		t = nil
	case q.isOurs, strings.TrimSpace(typed) == "" && len(q.attachments) == 0:
	default:
		if p.quoted {
			typed = unquoted(typed)
		}
		t = p.open(builder.Prompt{Text: typed, Attachments: q.attachments})
		p.changes = p.cur.Summary.Diffs
	}
	p.turns[p.cur.ID] = t
	p.b.Select(t)
}

// open opens a turn. Its id is made of its time and text: those of a copy in a fork are the same,
// those of its message are not.
func (p *parser) open(prompt builder.Prompt) *builder.Turn {
	at := p.cur.Time.Created.Time
	key := files.Hash(strconv.FormatInt(at.UnixMilli(), 10), prompt.Text)
	n := p.repeats[key]
	p.repeats[key]++
	prompt.ID, prompt.Inherited = files.Hash("prompt", key, strconv.Itoa(n)), p.isCopied(at)
	t := p.b.Prompt(prompt)
	if t.At = at; p.dead {
		t.TakeBack()
	}
	return t
}

// answers begins an answer, of which a turn may have many: one for each request to the model.
func (p *parser) answers(m *message) {
	if m.Summary.Is || m.Mode == "compaction" || m.Agent == "compaction" {
		p.sum = &strings.Builder{}
		return
	}
	t := p.b.Turn()
	if m.ParentID != "" { // version 1 names the prompt
		known := false
		if t, known = p.turns[m.ParentID]; known && t == nil { // the user ran it
			p.b.Select(nil)
			p.cur.isUsers = true
			return
		} else if t == nil || p.dead && !t.IsBack() { // it could not be read, stands in no row, or was not taken back itself
			t = p.open(builder.Prompt{Program: true})
			p.turns[m.ParentID] = t
		}
	} else if t == nil {
		t = p.open(builder.Prompt{Program: true})
	}
	p.b.Select(t)
	t.By(words.OneLine(m.modelName(), 200))
	switch agent := cmp.Or(m.Agent, m.Mode); agent {
	case "build", "":
	case "plan":
		t.Mode = agent
	default:
		t.Agent = agent
	}
	s := p.b.Session
	s.Place.Cwd = cmp.Or(s.Place.Cwd, m.Path.Cwd)
	u := &m.Tokens // what came from a cache is not among the input
	t.Use(int64(max(u.In, 0)+max(u.Cache.Read, 0)+max(u.Cache.Write, 0)), int64(max(u.Out, 0)+max(u.Reasoning, 0)))
	t.Seen(m.Time.Created.Time)
	t.Seen(m.Time.Completed.Time)
	t.Status, t.Error = statusOf(m)
}

// statusOf returns how a turn stands after an answer.
func statusOf(m *message) (status sources.Status, message string) {
	switch {
	case m.Error.isAbort():
		return sources.Cancelled, ""
	case m.Error != nil:
		return sources.Failed, m.Error.String()
	case m.Time.Completed.IsZero(), m.Finish == "", m.Finish == "tool-calls":
		return sources.Pending, ""
	}
	return sources.Complete, ""
}

// idle ends a turn of version 2.
func (p *parser) idle(outcome string) {
	t := p.b.Turn()
	switch {
	case t == nil:
	case outcome == "succeeded":
		t.Status, t.Error = sources.Complete, ""
	case outcome == "failed":
		t.Status = sources.Failed
	case outcome == "interrupted":
		t.Cancel()
	}
}

// text takes in text: what was typed, said or summed up. What opencode puts beside a prompt is
// marked by it.
func (p *parser) text(x *part) {
	switch {
	case p.prompt != nil && (x.Synthetic || x.Ignored):
		p.prompt.isShell = p.prompt.isShell || strings.HasPrefix(x.Text, shellMark)
	case p.prompt != nil:
		p.prompt.add(x.Text)
	case x.Synthetic || x.Ignored || strings.TrimSpace(x.Text) == "":
	case p.sum != nil:
		p.sum.WriteString(x.Text + "\n")
	case p.isAtWork():
		p.b.Turn().Say(x.Text, builder.Report) // the message says how it ended
	}
}

// isAtWork tells whether the message is one of the agent in a turn.
func (p *parser) isAtWork() bool {
	return p.b.Turn() != nil && p.cur.kind() == "assistant" && !p.cur.isUsers && p.sum == nil
}
