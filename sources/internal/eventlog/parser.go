package eventlog

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// parser translates the events of a log into acts.
type parser struct {
	b       *builder.Builder
	log     *jsonl.Log[event]
	dialect *Dialect // nil: that of Copilot CLI

	hidden bool   // the run of a helper agent, no session of the person
	start  string // see Reading
	model  string
	mode   string
	agent  string
	chunk  string // id of the model call whose answer the next chunk goes on with

	seen   map[string]once // what must count once
	writes []write
	silent []sources.FileTouch // of no call
	number int                 // of the newest checkpoint
	short  []byte              // of a line, see shortened
	exit   string              // what a result ends with that was left out of a line
}

type called = *builder.Called

// newParser reads a session, of a log of so many bytes.
func newParser(id string, size int64, d *Dialect) *parser {
	p := &parser{b: builder.New(), dialect: d, seen: make(map[string]once, min(size/4096, 1<<16))} // about; to grow a large table costs
	p.b.Session.ID = id
	p.log = p.lines()
	if d != nil {
		p.b.PathOf = d.PathOf
		return p
	}
	p.b.PathOf = func(path string) string {
		if InStateFolder(path) {
			return ""
		}
		return path
	}
	return p
}

// once says for what a key was met.
type once uint8

// Things that count once.
const (
	onceEvent   once = 1 << iota // id of an event: a crash may write a line twice
	onceTokens                   // call of a model whose output was counted
	onceUsage                    // call of a model whose input was counted
	onceChanged                  // path that was written, in whatever turn
	onceModel
)

// first reports whether this is the first time that a key is met for this.
func (p *parser) first(what once, key string) bool {
	met := p.seen[key]
	if met&what != 0 {
		return false
	}
	p.seen[key] = met | what
	return true
}

// finish completes what follows from the whole.
func (p *parser) finish() Reading {
	s := p.b.Session
	s.Artifacts = p.written()
	wrote := p.b.Finish()
	s.Class, s.Files = "", append(s.Files, p.silent...)
	if p.hidden {
		*wrote = sources.Session{ID: s.ID, Created: s.Created, Complete: s.Complete}
	}
	of := cmp.Or(p.dialect, &Dialect{}).Of
	for _, what := range p.log.Damage() {
		s.Damage = append(s.Damage, strings.Replace(what, " could not be read", of+" could not be read", 1))
	}
	return Reading{Session: s, Start: p.start, Empty: !p.log.Begun, Unknown: p.log.Unknown, Records: p.log.Records}
}

// useModel notes a model, without the prefix of its vendor.
func (p *parser) useModel(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if name != "" && p.first(onceModel, name) {
		p.b.Session.Models = append(p.b.Session.Models, name)
	}
	return name
}

// idOf keeps a short name of the agent's own vocabulary; anything longer is text.
func idOf(s string) string {
	if len(s) > 64 {
		return ""
	}
	return s
}

// prompt opens a turn where a person wrote: no sub-agent, no parent tool call
// and no source that injected the message.
func (p *parser) prompt(e *event) {
	data := &e.Data
	if data.Source != "" || data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	typed, own := words.WithoutBlocks(data.Content, injectedTags), true
	if p.dialect != nil {
		typed, own = p.dialect.Typed(data.Content)
	}
	if !own {
		return // the turn goes on
	}
	t := p.begin(e, builder.Prompt{ID: e.ID, Text: typed, Joins: data.Delivery == "steering" || data.Delivery == "queued"})
	t.Mode = cmp.Or(idOf(data.AgentMode), p.mode)
	for i := range data.Attachments {
		p.attach(t, &data.Attachments[i])
	}
}

// begin begins a turn.
func (p *parser) begin(e *event, prompt builder.Prompt) *builder.Turn {
	p.chunk = ""
	t := p.b.Prompt(prompt)
	t.Model, t.Agent = p.model, p.agent
	return t
}

// work returns the turn at work. A log that was cut at its beginning has none at first.
func (p *parser) work(e *event) *builder.Turn {
	if p.b.Turn() == nil {
		t := p.b.Work()
		t.ID, t.Model, t.Agent = e.ID, p.model, p.agent
	}
	return p.b.Work()
}

// firstEvent reports whether the event's id is met for the first time.
func (p *parser) firstEvent(e *event) bool { return e.ID == "" || p.first(onceEvent, e.ID) }

// injectedTags are the wrappers around text that the CLI adds to a prompt.
var injectedTags = []string{"current_datetime", "system_reminder", "system-reminder", "reminder", "system_notification"}

// answer adds what the agent said to the open turn, and the calls it asked for.
func (p *parser) answer(e *event) {
	data := &e.Data
	if data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	model, call := p.useModel(data.Model), idOf(data.APICallID)
	if p.b.Turn() == nil && strings.TrimSpace(data.Content) == "" {
		return
	}
	t := p.work(e)
	t.Model = cmp.Or(model, t.Model)
	p.say(t, data, call)
	if data.OutputTokens != nil && (call == "" || p.first(onceTokens, call)) {
		t.Use(0, int64(*data.OutputTokens))
	}
	for _, c := range data.Citations {
		if c.License != "" {
			t.Citations = append(t.Citations, sources.Citation{License: c.License, Value: cmp.Or(c.Value, c.URL)})
		}
	}
	for _, r := range data.ToolRequests {
		r.ToolName = cmp.Or(r.Name, r.ToolName)
		p.call(r, e)
	}
}

// say adds visible text to the open turn: paragraphs apart, except that the
// chunks of one answer, which share a model call, run on.
func (p *parser) say(t *builder.Turn, data *eventData, call string) {
	chunked := data.ChunkCount > 0 || data.ChunkIndex > 0
	switch runsOn := data.ChunkIndex > 0 && call != "" && call == p.chunk; {
	case runsOn:
		t.Flow(data.Content)
	case strings.TrimSpace(data.Content) == "":
		return
	case chunked:
		t.Page(data.Content, nil)
	default:
		t.Say(data.Content, builder.Report)
	}
	if p.chunk = ""; chunked {
		p.chunk = call
	}
	if t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Complete, ""
	}
}

// abort marks the open turn as cancelled.
func (p *parser) abort(e *event) {
	if t := p.b.Turn(); t != nil && e.Data.ParentToolCallID == "" {
		t.Cancel()
	}
}

// failure marks the open turn as failed until an answer comes. The stack of the
// error is not read.
func (p *parser) failure(e *event) {
	if t := p.b.Turn(); t != nil && e.Data.ParentToolCallID == "" {
		message, _, _ := strings.Cut(e.Data.Message, "\n    at ")
		t.Fail(message)
	}
}

// usage adds the tokens of one model call of the root agent.
func (p *parser) usage(e *event) {
	u := &e.Data.tokenUsage
	if e.Data.Usage != nil {
		u = e.Data.Usage
	}
	t, call := p.b.Turn(), u.APICallID
	if t == nil || u.ParentToolCallID != "" || e.Data.ParentToolCallID != "" || call != "" && !p.first(onceUsage, call) {
		return
	}
	out := decode.Whole(0)
	if u.OutputTokens != nil && (call == "" || p.first(onceTokens, call)) { // else the answer itself told
		out = *u.OutputTokens
	}
	t.Use(int64(u.InputTokens), int64(out))
}

// attach notes what was added to a prompt: files and selections are viewed,
// commits, pull requests and issues are refs.
func (p *parser) attach(t *builder.Turn, a *attachment) {
	kind, path := a.Type, cmp.Or(a.Path, a.FilePath)
	switch kind {
	case "file", "selection":
		t.Touch(path, sources.Viewed, "")
	case "blob":
		if kind = sources.File; strings.HasPrefix(a.MimeType, "image/") {
			kind = "image"
		}
	case "github_reference":
		kind = cmp.Or(a.ReferenceType, "reference")
		p.attachRef(kind, a)
	case "github_commit":
		kind = sources.Commit
		p.b.Refer(sources.Ref{Type: sources.Commit, Value: refs.ShortHash(cmp.Or(a.SHA, a.OID)), Text: words.OneLine(a.Title, 200)})
	}
	kind = strings.ReplaceAll(strings.TrimPrefix(kind, "github_"), "_", " ")
	name := cmp.Or(p.shorten(path), a.DisplayName, a.Title, a.Name, a.URL)
	if kind != "" || name != "" {
		t.Attachments = append(t.Attachments, sources.Attachment{Kind: words.OneLine(kind, 64), Name: words.OneLine(name, 200)})
	}
}

// attachRef notes an attached pull request or issue.
func (p *parser) attachRef(kind string, a *attachment) {
	ref, ok := refs.FromURL(a.URL)
	if !ok && a.Number > 0 && (kind == "pr" || kind == "pull_request" || kind == "issue") {
		ref, ok = sources.Ref{Type: sources.PR, Value: words.Digits(int64(a.Number))}, true
		if kind == "issue" {
			ref.Type = sources.Issue
		}
	}
	if ref.Text = words.OneLine(a.Title, 200); ok {
		p.b.Refer(ref)
	}
}

// summary keeps the newest summary of the greatest trust.
func (p *parser) summary(text string, trust sources.Trust, e *event) {
	if s := p.b.Session; strings.TrimSpace(text) != "" && trust >= s.SummaryFrom {
		s.Summary, s.SummaryFrom, s.SummaryAt = strings.TrimSpace(text), trust, e.At.Time
	}
}

// compaction takes in a checkpoint. A compaction that failed made none.
func (p *parser) compaction(e *event) {
	text, ok := e.Data.SummaryContent, e.Data.Success
	if ok == nil || !*ok || strings.TrimSpace(text) == "" || e.Data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	cp := ParseSections(text)
	p.number++
	if n := e.Data.CheckpointNumber; n > 0 && n < 1<<31 {
		p.number = int(n)
	}
	cp.Number = p.number
	p.b.Checkpoint(cp)
}

// written are the artifacts of the session, each dated by the newest event that wrote it.
func (p *parser) written() (all []sources.Artifact) {
	for _, w := range p.writes {
		if !strings.EqualFold(w.session, p.b.Session.ID) {
			continue
		}
		i := slices.IndexFunc(all, func(a sources.Artifact) bool { return a.Kind == w.kind && a.Name == w.name })
		if i < 0 {
			i = len(all)
			all = append(all, sources.Artifact{Kind: w.kind, Name: w.name})
		}
		if w.at.After(all[i].At) {
			all[i].At = w.at
		}
	}
	return all
}

// wrote notes that a file was written at a time.
func (p *parser) wrote(f stateFile, at time.Time) {
	if f.kind == "" {
		return
	}
	p.writes = append(p.writes, write{f, at})
	if f.kind == sources.Plan && strings.EqualFold(f.session, p.b.Session.ID) {
		p.b.Tell(sources.Act{Kind: sources.ActWrote, Text: f.name})
	}
}

// logOf is what a log is known by: how its session began.
func logOf(e *event, began time.Time) string {
	where := cmp.Or(e.Data.Context, &workContext{})
	return files.Hash("log", e.ID, began.Format(time.RFC3339Nano), where.Cwd, where.GitRoot, where.Repository)
}
