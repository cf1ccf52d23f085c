package eventlog

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

type parser struct {
	b       *builder.Builder
	log     *jsonl.Log[event]
	dialect *Dialect // nil: Copilot CLI's

	start  string // see Reading
	hidden bool   // a run of a helper agent, not a person's session
	isIdle bool   // the process ended: a later failure is not a turn
	model  string
	mode   string
	agent  string
	chunk  string // id of the model call whose answer the next chunk continues
	number int    // number of the newest checkpoint

	times    map[string]int     // occurrences of things that count once
	others   map[string]bool    // calls that are not the agent's
	agents   map[string]string  // calls that started sub-agents, by the id of the agent
	injected *builder.Prompt    // typed by a program before any person, or nil
	asking   *builder.Called    // the newest call that asks a person
	byHost   *builder.Called    // the newest call that a program answered
	within   *builder.Called    // call whose sub-agent caused the event, or nil
	writes   []sources.Artifact // in the folder of another session
	short    []byte             // a line, see light
}

func newParser(id string, d *Dialect) *parser {
	p := &parser{b: builder.New(), dialect: d, times: map[string]int{}, others: map[string]bool{}, agents: map[string]string{}}
	p.b.Session.ID = id
	p.log = p.lines()
	p.b.PathOf = func(path string) string {
		if InStateFolder(path) { // an artifact
			return ""
		}
		return tools.PlainPath(path)
	}
	if d != nil {
		p.b.PathOf = d.PathOf
	}
	return p
}

func (p *parser) finish() Reading {
	s := p.b.Finish()
	if p.hidden {
		*s = sources.Session{ID: s.ID, Created: s.Created, Complete: s.Complete}
	}
	for _, what := range p.log.Damage() {
		s.Damage = append(s.Damage, strings.Replace(what, " could not be read", cmp.Or(p.dialect, &Dialect{}).Of+" could not be read", 1))
	}
	return Reading{Session: s, Start: p.start, Empty: !p.log.Begun, Unknown: p.log.Unknown, Records: p.log.Records}
}

// idOf returns a short name of the agent's own vocabulary, or "" for other text.
func idOf(s string) string {
	if len(s) > 64 {
		return ""
	}
	return s
}

// started records session.start and session.resume. A run detached from another session is background
// work of the agent: the session is returned without turns, like a scaffold.
func (p *parser) started(e *event) {
	p.isIdle = true
	p.place(e.Data.Context)
	p.setModel(e.Data.SelectedModel)
	if e.Type == "session.resume" {
		return
	}
	began, s := cmp.Or(e.Data.StartTime.Time, p.b.Now()), p.b.Session
	if p.start == "" {
		where := cmp.Or(e.Data.Context, &workContext{})
		p.start = files.Hash("log", e.ID, began.Format(time.RFC3339Nano), where.Cwd, where.GitRoot, where.Repository)
	}
	s.Created = cmp.Or(s.Created, began)
	p.hidden = e.Data.Detached != ""
}

func (p *parser) setModel(name string) { p.model = cmp.Or(idOf(p.useModel(name)), p.model) }

// useModel records a model without its vendor's prefix.
func (p *parser) useModel(name string) string {
	s := p.b.Session
	name = name[strings.LastIndexByte(name, '/')+1:]
	if name != "" && !slices.Contains(s.Models[max(0, len(s.Models)-100):], name) { // hostile logs name many
		s.Models = append(s.Models, name)
	}
	return name
}

// place records a context. The first one sets the place; later ones only change its branch, and only
// for the same repository.
func (p *parser) place(c *workContext) {
	if c == nil {
		return
	}
	was := &p.b.Session.Place
	if was.Cwd == "" && was.GitRoot == "" && was.Repository == "" {
		*was = sources.Place{Cwd: c.Cwd, GitRoot: c.GitRoot, Repository: c.Repository, Host: c.RepositoryHost, HostType: c.HostType, Branch: c.Branch}
	} else if c.Branch != "" && (c.GitRoot == was.GitRoot || c.Repository == was.Repository) {
		was.Branch = c.Branch
	}
}

func (p *parser) summary(text string, trust sources.Trust) {
	if s := p.b.Session; strings.TrimSpace(text) != "" && trust >= s.SummaryFrom {
		s.Summary, s.SummaryFrom, s.SummaryAt = strings.TrimSpace(text), trust, p.b.Now()
	}
}

// taskDone records that the agent says it is done, as it must in autopilot: in the last words of the turn.
func (p *parser) taskDone(e *event) {
	p.summary(e.Data.Summary, sources.TrustNamed)
	if t := p.b.Turn(); t != nil {
		t.Say(e.Data.Summary, builder.Report)
		if e.Data.Success == nil || *e.Data.Success {
			t.Complete()
		}
	}
}

// shutdown records the end of a process: models, and files that may be missing in the calls.
func (p *parser) shutdown(e *event) {
	p.isIdle = true
	for _, path := range e.Data.CodeChanges.FilesModified {
		p.b.Changed(path)
	}
	for name := range e.Data.ModelMetrics.All() {
		p.useModel(name)
	}
}

// compaction records a checkpoint, unless the compaction failed.
func (p *parser) compaction(e *event) {
	text, ok := e.Data.SummaryContent, e.Data.Success
	if ok == nil || !*ok || strings.TrimSpace(text) == "" {
		return
	}
	p.number++
	if n := e.Data.CheckpointNumber; n > 0 && n < 1<<31 {
		p.number = int(n)
	}
	cp := ParseSections(text)
	cp.Number = p.number
	p.b.Checkpoint(cp)
}

// forkMessage matches the CLI's message in a fork:
//
//	Forked from "title" (parent id) as "title" (own id).
var forkMessage = regexp.MustCompile(`(?s)^Forked from "(.*?)" \(([^()\s]+)\) as "(.*)" \(([^()\s]+)\)\.?\s*$`)

// info records session.info: a rewind, which rewrote the log, or the end of the inherited part of a
// fork. "Forked this session into …" in the parent is only a notice.
func (p *parser) info(e *event) {
	s := p.b.Session
	switch e.Data.InfoType {
	case "rewind":
		s.Rewound = true
	case "fork":
		m := forkMessage.FindStringSubmatch(e.Data.Message)
		if m == nil || !strings.EqualFold(m[4], s.ID) || strings.EqualFold(m[2], m[4]) {
			return
		}
		for _, t := range p.b.Turns() {
			t.Inherited = true
		}
		for _, a := range p.writes { // in the folder of the fork's parent
			p.b.Artifact(a)
		}
		p.writes = nil
		s.Parent, s.Created, s.Rewound = sources.FoldUUID(m[2]), p.b.Now(), false
		s.Models, s.Summary, s.SummaryFrom, s.SummaryAt = nil, "", sources.TrustNone, time.Time{}
		p.useModel(p.model)
	}
}
