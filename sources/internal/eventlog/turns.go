package eventlog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// injectedTags are the tags around text that the CLI adds to a prompt.
var injectedTags = []string{"current_datetime", "system_reminder", "system-reminder", "reminder", "system_notification"}

// prompt begins a turn if a person typed; a program's prompt continues the turn.
func (p *parser) prompt(e *event) {
	d := &e.Data
	typed, own := p.typed(d)
	if !own {
		if p.b.Turn() == nil && p.dialect == nil {
			p.injected = &builder.Prompt{ID: e.ID, Text: typed, Program: true}
		}
		return
	}
	id := e.ID
	if n := p.meet("prompt ", id); n > 1 { // the id of another prompt
		id += "#" + strconv.Itoa(n)
	}
	t := p.begin(builder.Prompt{ID: id, Text: typed, Key: "typed", Joins: d.Delivery == "steering" || d.Delivery == "queued"})
	t.Mode, t.Attachments = cmp.Or(idOf(d.AgentMode), p.mode), nil
	for i := range d.Attachments {
		p.attach(t, &d.Attachments[i])
	}
}

// typed returns the part of a prompt that a person typed; own is false if nobody did. Prompts from
// another place ("command-…") are a person's too. In autopilot the CLI sends empty ones.
func (p *parser) typed(d *eventData) (typed string, own bool) {
	if p.dialect != nil {
		return p.dialect.Typed(d.Content)
	}
	typed = words.WithoutBlocks(d.Content, injectedTags)
	if d.Continues || d.Source != "" && d.Source != "user" && !strings.HasPrefix(d.Source, "command-") {
		return typed, false
	}
	isEmpty := strings.TrimSpace(typed) == "" && len(d.Attachments) == 0
	return typed, !isEmpty || d.AgentMode != "autopilot" && strings.TrimSpace(d.Content) == ""
}

func (p *parser) begin(prompt builder.Prompt) *builder.Turn {
	p.chunk, p.isIdle = "", false
	t := p.b.Prompt(prompt)
	t.Model, t.Agent = p.model, p.agent
	return t
}

// work returns the current turn, or begins one if the log was cut at its beginning.
func (p *parser) work(e *event) *builder.Turn {
	p.isIdle = false
	switch {
	case p.b.Turn() != nil:
	case p.injected != nil:
		p.begin(*p.injected)
	default:
		t := p.b.Work()
		t.ID, t.Model, t.Agent = e.ID, p.model, p.agent
	}
	return p.b.Work()
}

// answer adds the agent's words and calls to the turn.
func (p *parser) answer(e *event) {
	d := &e.Data
	model, call := p.useModel(d.Model), idOf(d.APICallID)
	if p.b.Turn() == nil && strings.TrimSpace(d.Content) == "" && len(d.ToolRequests) == 0 {
		return
	}
	t := p.work(e)
	t.Model = cmp.Or(model, t.Model)
	p.say(t, d, call)
	if d.OutputTokens != nil && p.meet("out ", call) == 1 {
		t.Use(0, int64(*d.OutputTokens))
	}
	for _, c := range d.Citations {
		if c.License != "" {
			t.Citations = append(t.Citations, sources.Citation{License: c.License, Value: cmp.Or(c.Value, c.URL)})
		}
	}
	for i := range d.ToolRequests {
		p.call(&d.ToolRequests[i], e)
	}
}

// say adds visible text, paragraphs apart; chunks of one answer, which share a model call, are joined.
func (p *parser) say(t *builder.Turn, d *eventData, call string) {
	chunked := d.ChunkCount > 0 || d.ChunkIndex > 0
	switch runsOn := d.ChunkIndex > 0 && call != "" && call == p.chunk; {
	case runsOn:
		t.Flow(d.Content)
	case strings.TrimSpace(d.Content) == "":
		return
	case chunked:
		t.Page(d.Content)
	default:
		t.Say(d.Content, builder.Report)
	}
	if p.chunk = ""; chunked {
		p.chunk = call
	}
	if t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Complete, ""
	}
}

// meet returns how often something occurred. Without an id it is always new.
func (p *parser) meet(what, id string) int {
	if id == "" {
		return 1
	}
	p.times[what+id]++
	return p.times[what+id]
}

func (p *parser) usage(e *event) {
	u, t := cmp.Or(e.Data.Usage, &e.Data.tokenUsage), p.b.Turn()
	if t == nil || u.ParentToolCallID != "" || p.meet("in ", u.APICallID) > 1 {
		return
	}
	t.Use(int64(u.InputTokens), 0)
	if u.OutputTokens != nil && p.meet("out ", u.APICallID) == 1 { // else the answer has them
		t.Use(0, int64(*u.OutputTokens))
	}
}

// aborted records that the agent was stopped: by a person, unless the reason says otherwise.
func (p *parser) aborted(e *event) {
	switch t, reason := p.b.Turn(), e.Data.Reason; {
	case t == nil:
	case reason == "" || strings.Contains(reason, "user") || strings.Contains(reason, "remote"):
		t.Cancel()
	default:
		t.Fail("stopped: " + words.OneLine(reason, 200))
	}
}

// asides are the types of errors around the agent, whose work goes on.
var asides = []string{"mcp", "ide", "folder_trust", "notification", "configuration", "hooks_loading", "snapshot", "persistence", "session", "model"}

// failed marks the turn as failed until an answer comes. The error's stack is not read.
func (p *parser) failed(e *event) {
	if t := p.b.Turn(); t != nil && !p.isIdle && !slices.Contains(asides, e.Data.ErrorType) {
		message, _, _ := strings.Cut(e.Data.Message, "\n    at ")
		t.Fail(message)
	}
}

// attach records an attachment of a prompt: files and selections are viewed, commits, pull requests and
// issues are references, and unknown ones are kept by type.
func (p *parser) attach(t *builder.Turn, a *attachment) {
	kind, path, title, ref := a.Type, a.Path, cmp.Or(a.Title, a.Message), sources.Ref{}
	switch kind {
	case "file", "selection":
		t.Touch(path, sources.Viewed, "")
	case "blob":
		if kind = sources.File; strings.HasPrefix(a.MimeType, "image/") {
			kind = "image"
		}
	case "github_reference":
		kind = cmp.Or(a.ReferenceType, "reference")
		ref.Type = map[string]string{"pr": sources.PR, "pull_request": sources.PR, "issue": sources.Issue}[kind]
		if named, ok := refs.FromURL(a.URL); ok {
			ref = named
		} else if a.Number > 0 && ref.Type != "" {
			ref.Value = strconv.FormatInt(int64(a.Number), 10)
		}
	case "github_commit":
		kind, ref = sources.Commit, sources.Ref{Type: sources.Commit, Value: refs.ShortHash(a.SHA)}
	}
	if ref.Value != "" {
		ref.Text = words.OneLine(title, 200)
		p.b.Refer(ref)
	}
	kind = strings.ReplaceAll(strings.TrimPrefix(kind, "github_"), "_", " ")
	name := cmp.Or(p.shorten(path), a.DisplayName, title, a.Name, a.URL)
	if kind != "" || name != "" {
		t.Attachments = append(t.Attachments, sources.Attachment{Kind: words.OneLine(kind, 64), Name: words.OneLine(name, 200)})
	}
}
