package eventlog

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// started takes in session.start. A run that was detached from another session
// (detachedFromSpawningParentSessionId) is work of the agent behind the scenes:
// it is given back without turns, an empty session like a scaffold.
func (p *parser) started(e *event) {
	began := e.Data.StartTime.Time
	if began.IsZero() {
		began = e.At.Time
	}
	if p.start == "" {
		where := cmp.Or(e.Data.Context, &workContext{})
		p.start = files.Hash("log", e.ID, began.Format(time.RFC3339Nano), where.Cwd, where.GitRoot, where.Repository)
	}
	s := p.session
	if s.Created.IsZero() {
		s.Created = began
	}
	p.hidden = e.Data.Detached != ""
	p.place(e.Data.Context)
	p.setModel(e.Data.SelectedModel)
}

func (p *parser) resumed(e *event) {
	p.place(e.Data.Context)
	p.endCalls()
	p.setModel(e.Data.SelectedModel)
}

// setModel notes the model that answers from now on.
func (p *parser) setModel(name string) { p.model = cmp.Or(idOf(p.useModel(name)), p.model) }

// place takes in a context. The first one says where the session works; later
// ones only move its branch, and only while they speak of the same repository.
func (p *parser) place(c *workContext) {
	if c == nil {
		return
	}
	was := &p.session.Place
	if was.Cwd == "" && was.GitRoot == "" && was.Repository == "" {
		*was = sources.Place{Cwd: c.Cwd, GitRoot: c.GitRoot, Repository: c.Repository, Host: c.RepositoryHost, HostType: c.HostType, Branch: c.Branch}
	} else if c.Branch != "" && (c.GitRoot == was.GitRoot || c.Repository == was.Repository) {
		was.Branch = c.Branch
	}
}

// summary keeps the newest summary of the greatest trust.
func (p *parser) summary(text string, trust sources.Trust, e *event) {
	if text = strings.TrimSpace(text); text != "" && trust >= p.session.SummaryFrom {
		p.session.Summary, p.session.SummaryFrom, p.session.SummaryAt = text, trust, e.At.Time
	}
}

// shutdown takes in the end of a process: the files it changed, of which no
// tool call told, and the models it used.
func (p *parser) shutdown(e *event) {
	for _, path := range e.Data.CodeChanges.FilesModified {
		if path != "" && !InStateFolder(path) && p.seen[p.pathKey(path)]&onceChanged == 0 {
			p.touched(touch{Path: path, Kind: sources.Edited}, "", -1, e.At.Time)
		}
	}
	for name := range e.Data.ModelMetrics.All() {
		p.useModel(name)
	}
	p.endCalls()
}

// compaction takes in a checkpoint. A compaction that failed made none.
func (p *parser) compaction(e *event) {
	text, ok := e.Data.SummaryContent, e.Data.Success
	if ok == nil || !*ok || strings.TrimSpace(text) == "" || e.Data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	cp := ParseSections(text)
	all := p.session.Checkpoints
	if cp.At, cp.Number = e.At.Time, 1; len(all) > 0 {
		cp.Number = all[len(all)-1].Number + 1
	}
	if n := e.Data.CheckpointNumber; n > 0 && n < 1<<31 {
		cp.Number = int(n)
	}
	if i := slices.IndexFunc(all, func(c sources.Checkpoint) bool { return c.Number == cp.Number }); i >= 0 {
		all[i] = cp
		return
	}
	p.session.Checkpoints = append(p.session.Checkpoints, cp)
}

// forkMessage is what the CLI writes into a fork:
//
//	Forked from "title" (parent id) as "title" (own id).
var forkMessage = regexp.MustCompile(`(?s)^Forked from "(.*?)" \(([^()\s]+)\) as "(.*)" \(([^()\s]+)\)\.?\s*$`)

// info takes in session.info: a rewind, or the end of what a fork inherited.
// "Forked this session into …" in the parent is only a notice.
func (p *parser) info(e *event) {
	switch e.Data.InfoType {
	case "rewind":
		p.session.Rewound = true
	case "fork":
		m := forkMessage.FindStringSubmatch(e.Data.Message)
		if m != nil && strings.EqualFold(m[4], p.session.ID) && !strings.EqualFold(m[2], m[4]) {
			p.forked(m[2], e)
		}
	}
}

// forked marks what the session has from its parent. Whether it is told there is
// for those to say who know the parent.
func (p *parser) forked(parent string, e *event) {
	s := p.session
	for i := range s.Turns {
		s.Turns[i].Inherited = true
	}
	for i := range s.Checkpoints {
		s.Checkpoints[i].Inherited = true
	}
	for i := range p.writes { // in the folder that this one was copied from
		p.writes[i].session = s.ID
	}
	s.Parent, s.Created, s.Rewound = sources.FoldUUID(parent), e.At.Time, false
	s.Models, s.Summary, s.SummaryFrom, s.SummaryAt = nil, "", sources.TrustNone, time.Time{}
	for key, met := range p.seen { // counts again, but for the paths: the last shutdown names those of the parent too
		p.seen[key] = met & onceChanged
	}
	p.useModel(p.model)
}

// workspaceFile takes in session.workspace_file_changed, whose path is relative
// to the session's folder or to its files.
func (p *parser) workspaceFile(e *event) {
	path := strings.ReplaceAll(e.Data.Path, `\`, "/")
	if path == "" {
		return
	}
	f, ok := stateFileOf(path)
	if !ok {
		if f = stateFileIn(p.session.ID, path); f.kind == "" && !strings.Contains(path, ":") && path[0] != '/' {
			f = stateFileIn(p.session.ID, "files/"+path)
		}
	}
	p.wrote(f, e)
}

// wrote notes that an event wrote a file.
func (p *parser) wrote(f stateFile, e *event) {
	if f.kind != "" && e.Data.Operation != "delete" {
		p.writes = append(p.writes, write{f, e.At.Time})
	}
}

// written are the artifacts of the session, each dated by the newest event that wrote it.
func (p *parser) written() (all []sources.Artifact) {
	places := map[string]int{}
	for _, w := range p.writes {
		if !strings.EqualFold(w.session, p.session.ID) {
			continue
		}
		i, known := places[w.kind+"/"+w.name]
		if !known {
			i = len(all)
			places[w.kind+"/"+w.name] = i
			all = append(all, sources.Artifact{Kind: w.kind, Name: w.name})
		}
		all[i].At = latest(all[i].At, w.at)
	}
	return all
}
