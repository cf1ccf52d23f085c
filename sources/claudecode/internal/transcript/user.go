package transcript

import (
	"cmp"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/texts"
)

// user takes in a line in the place of a prompt.
func (p *parser) user(r *lines.Record, owner *turn) *turn {
	if r.IsCompactSummary || r.TranscriptOnly {
		p.compacted(r, r.Message.Content.String(), owner)
		return owner
	}
	results := false
	for i := range r.Message.Content.Blocks {
		if b := &r.Message.Content.Blocks[i]; b.Type == "tool_result" {
			results = true
			p.calls.end(r, b)
		}
	}
	in := texts.PromptOf(r.Message.Content)
	if r.IsMeta {
		if owner != nil {
			owner.pictured(in.Text)
		}
		return owner
	}
	kind := texts.KindIn(r, in.Text)
	if results && kind != texts.Interrupt || in.Text == "" && len(in.Images) == 0 {
		return owner
	}
	return p.said(r, in, kind, owner)
}

// said takes in what stands in a line, and gives the turn that the line belongs to.
func (p *parser) said(r *lines.Record, in texts.Typed, kind texts.Kind, owner *turn) *turn {
	switch kind {
	case texts.Prompt:
		return p.prompt(r, in, owner)
	case texts.Command:
		return p.slash(r, texts.SlashOf(in.Text), owner)
	case texts.Plan:
		t := p.open(r, in, owner)
		p.calls.planned("", r.PlanContent, r, t)
		return t
	case texts.Program:
		if owner == nil || owner.auto { // else it goes on with the turn
			owner = p.add(newTurn(r, p.id, in.Text, owner))
			owner.auto = true
		}
	case texts.Shell, texts.Printed:
		if kind == texts.Shell {
			p.act("!"+texts.Within(in.Text, "bash-input"), r.Timestamp.Time, owner)
		}
		if owner != nil {
			owner.shell = r.UUID
		}
	case texts.Note:
		p.act("#"+texts.Within(in.Text, "user-memory-input"), r.Timestamp.Time, owner)
	case texts.Interrupt:
		if owner != nil {
			owner.Status, owner.Error = sources.Cancelled, ""
		}
	case texts.Summary:
		p.compacted(r, in.Text, owner)
	case texts.Probe:
		p.probed = true
	}
	return owner
}

// open begins a turn of a person.
func (p *parser) open(r *lines.Record, in texts.Typed, owner *turn) *turn {
	p.human = true
	t := p.add(newTurn(r, p.id, in.Text, owner))
	t.Attachments = in.Images
	return t
}

// prompt opens a turn with what a person typed.
func (p *parser) prompt(r *lines.Record, in texts.Typed, owner *turn) *turn {
	p.queue.remove(in.Text)
	if owner != nil && !owner.typed && owner.ID == r.ParentUUID && owner.User == in.Text && owner.isBare() {
		return owner // it was queued, and comes again
	}
	t := p.open(r, in, owner)
	t.typed = r.PromptSource != "queued"
	t.proven = r.PromptSource == "typed" || r.PromptSource == "" && r.Origin.Kind == "human"
	p.follow(t)
	return t
}

// slash takes in a slash command: one of the program's own is an action, a command of the
// project or a skill is a prompt.
func (p *parser) slash(r *lines.Record, line string, owner *turn) *turn {
	if line == "" {
		return owner
	}
	p.command = line
	if texts.IsLocal(line) {
		p.act(line, r.Timestamp.Time, owner)
		return owner
	}
	t := p.prompt(r, texts.Typed{Text: line}, owner)
	t.command, t.proven = true, r.Origin.Kind == "human"
	return t
}

// attachment takes in a prompt that was typed while the agent worked and taken up in the
// middle of a turn.
func (p *parser) attachment(r *lines.Record, owner *turn) *turn {
	a := &r.Attachment
	if a.Type != lines.QueuedCommand || a.CommandMode != "" && a.CommandMode != "prompt" || a.Origin.Kind != "" && a.Origin.Kind != "human" {
		return owner
	}
	in := texts.PromptOf(a.Prompt)
	if !texts.IsOfPerson(in.Text) || r.IsMeta {
		return owner
	}
	p.queue.remove(in.Text)
	t := p.open(r, in, owner)
	t.proven = a.Origin.Kind == "human"
	if !a.Timestamp.IsZero() {
		t.At = a.Timestamp.Time
	}
	return t
}

// compacted takes in the text of a compaction.
func (p *parser) compacted(r *lines.Record, text string, owner *turn) {
	c := texts.Checkpoint(text)
	c.At = r.Timestamp.Time
	if !p.boundary.IsZero() {
		c.At, p.boundary = p.boundary, time.Time{}
	}
	if cmp.Or(c.Raw, c.Overview, c.Technical) != "" {
		p.checks = append(p.checks, noted[sources.Checkpoint]{c, owner})
	}
}
