package eventlog

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// started takes in session.start. A run that was detached from another session
// (detachedFromSpawningParentSessionId) is work of the agent behind the scenes:
// it is given back without turns, an empty session like a scaffold.
func (p *parser) started(e *event) {
	began := e.Data.StartTime.Time
	if began.IsZero() {
		began = e.At.Time
	}
	p.start = cmp.Or(p.start, logOf(e, began))
	s := p.b.Session
	if s.Created.IsZero() {
		s.Created = began
	}
	p.hidden = e.Data.Detached != ""
	p.place(e.Data.Context)
	p.setModel(e.Data.SelectedModel)
}

func (p *parser) resumed(e *event) {
	p.place(e.Data.Context)
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
	was := &p.b.Session.Place
	if was.Cwd == "" && was.GitRoot == "" && was.Repository == "" {
		*was = sources.Place{Cwd: c.Cwd, GitRoot: c.GitRoot, Repository: c.Repository, Host: c.RepositoryHost, HostType: c.HostType, Branch: c.Branch}
	} else if c.Branch != "" && (c.GitRoot == was.GitRoot || c.Repository == was.Repository) {
		was.Branch = c.Branch
	}
}

// shutdown takes in the end of a process: the files it changed, of which no
// tool call told, and the models it used.
func (p *parser) shutdown(e *event) {
	for _, path := range e.Data.CodeChanges.FilesModified {
		if path != "" && !InStateFolder(path) && p.seen[p.pathKey(path)]&onceChanged == 0 {
			p.silent = append(p.silent, sources.FileTouch{Path: path, Kind: sources.Edited, Turn: -1, At: e.At.Time})
			p.first(onceChanged, p.pathKey(path))
		}
	}
	for name := range e.Data.ModelMetrics.All() {
		p.useModel(name)
	}
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
		p.b.Session.Rewound = true
	case "fork":
		m := forkMessage.FindStringSubmatch(e.Data.Message)
		if m != nil && strings.EqualFold(m[4], p.b.Session.ID) && !strings.EqualFold(m[2], m[4]) {
			p.forked(m[2], e)
		}
	}
}

// forked marks what the session has from its parent. Whether it is told there is
// for those to say who know the parent.
func (p *parser) forked(parent string, e *event) {
	s := p.b.Session
	for _, t := range p.b.Turns() {
		t.Inherited = true
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
		if f = stateFileIn(p.b.Session.ID, path); f.kind == "" && !strings.Contains(path, ":") && path[0] != '/' {
			f = stateFileIn(p.b.Session.ID, "files/"+path)
		}
	}
	if e.Data.Operation != "delete" {
		p.wrote(f, e.At.Time)
	}
}
