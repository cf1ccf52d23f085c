package transcript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/texts"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
)

// user takes in a line in the place of a prompt.
func (p *parser) user(r *lines.Record, owner *turn) *turn {
	if r.IsCompactSummary || r.TranscriptOnly {
		p.compacted(r.Message.Content.String())
		return owner
	}
	results := false
	for i := range r.Message.Content.Blocks {
		if b := &r.Message.Content.Blocks[i]; b.Type == "tool_result" {
			results = true
			p.b.Result(b.ToolUseID, p.result(r, b))
		}
	}
	in := texts.PromptOf(r.Message.Content)
	if r.IsMeta {
		p.queue.remove(in.Text) // a timer put it there
		if owner != nil {
			owner.pictured(in.Text)
		}
		return owner
	}
	kind := texts.KindIn(r, in.Text)
	if results && kind != texts.Interrupt || in.IsEmpty() {
		return owner
	}
	return p.said(r, in, kind, owner)
}

// said takes in what stands in a line, and returns the turn that the line belongs to.
func (p *parser) said(r *lines.Record, in texts.Typed, kind texts.Kind, owner *turn) *turn {
	switch kind {
	case texts.Prompt:
		return p.prompt(r, in, owner, builder.Prompt{})
	case texts.Command:
		return p.slash(r, texts.SlashOf(in.Text), owner)
	case texts.Plan:
		t := p.open(r, in, owner, builder.Prompt{})
		p.accepted("", r.PlanContent, r.Slug)
		p.b.Tell(sources.Act{Kind: sources.ActPlanned, Text: builder.TitleOf(r.PlanContent), Verdict: sources.Accepted})
		return t
	case texts.Program:
		if owner == nil || owner.auto { // else it goes on with the turn
			owner = p.add(p.b.Prompt(builder.Prompt{ID: r.UUID, Text: in.Text, Program: true}), r, p.id, owner)
			owner.auto = true
		}
	case texts.Shell, texts.Printed:
		if kind == texts.Shell {
			p.act("!"+texts.Within(in.Text, "bash-input"), owner)
		}
		if owner != nil {
			owner.shell = r.UUID
		}
	case texts.Note:
		p.act("#"+texts.Within(in.Text, "user-memory-input"), owner)
		p.b.Tell(sources.Act{Kind: sources.ActRemembered, Text: texts.Within(in.Text, "user-memory-input")})
	case texts.Interrupt:
		if owner != nil {
			owner.Cancel()
		}
	case texts.Summary:
		p.compacted(in.Text)
	case texts.Probe:
		p.probed = true
		p.queue.removeSlash()
	}
	return owner
}

// open begins a turn of a person.
func (p *parser) open(r *lines.Record, in texts.Typed, owner *turn, prompt builder.Prompt) *turn {
	prompt.ID, prompt.Key, prompt.Text, prompt.Attachments, prompt.Once = r.UUID, r.PromptID, in.Text, in.Added, true
	return p.add(p.b.Prompt(prompt), r, p.id, owner)
}

// prompt opens a turn with what a person typed.
func (p *parser) prompt(r *lines.Record, in texts.Typed, owner *turn, prompt builder.Prompt) *turn {
	p.queue.remove(in.Text)
	p.unasked = r.PermissionMode == "bypassPermissions"
	if owner != nil && !owner.typed && owner.ID == r.ParentUUID && owner.User == in.Text && !owner.Worked() && owner.Status == sources.Pending {
		return owner // it was queued, and comes again
	}
	t := p.open(r, in, owner, prompt)
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
		p.act(line, owner)
		return owner
	}
	isHuman := r.Origin.Kind == "human"
	t := p.prompt(r, texts.Typed{Text: line}, owner, builder.Prompt{Command: !isHuman})
	t.proven = isHuman
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
	if r.IsMeta || in.IsEmpty() || in.Text != "" && !texts.IsOfPerson(in.Text) {
		return owner
	}
	p.queue.remove(in.Text)
	p.b.At(a.Timestamp.Time)
	t := p.open(r, in, owner, builder.Prompt{Joins: true})
	t.proven = a.Origin.Kind == "human"
	return t
}

var imageSource = regexp.MustCompile(`^\[Image(?: #\d+)?: source: (.+)\]$`)

// pictured names the picture of a prompt by its file.
func (t *turn) pictured(text string) {
	m := imageSource.FindStringSubmatch(text)
	i := slices.IndexFunc(t.Attachments, func(a sources.Attachment) bool { return strings.HasPrefix(a.Name, "Image #") })
	if m != nil && i >= 0 {
		t.Attachments[i].Name = m[1]
	}
}
