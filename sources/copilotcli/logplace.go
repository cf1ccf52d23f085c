package copilotcli

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// started takes in session.start. A run that was detached from another session
// (detachedFromSpawningParentSessionId) is work of the agent behind the scenes:
// it is given back without turns, an empty session like a scaffold.
func (p *logParser) started(e *logEvent) {
	if p.start == "" {
		p.start = startOf(e)
	}
	s := p.session
	if s.ID == "" {
		s.ID = e.data.SessionID
	}
	if s.Created.IsZero() {
		if s.Created = e.data.StartTime.Time; s.Created.IsZero() {
			s.Created = e.at
		}
	}
	p.hidden = e.data.Detached != ""
	p.place(e.data.Context)
	p.setModel(e.data.SelectedModel)
}

// setModel notes the model that answers from now on.
func (p *logParser) setModel(name string) {
	if m := idOf(p.useModel(name)); m != "" {
		p.model = m
	}
}

// place takes in a context. The first one says where the session works; later
// ones only move its branch, and only while they speak of the same repository.
func (p *logParser) place(c *workContext) {
	if c == nil {
		return
	}
	at := sources.Place{Cwd: c.Cwd, GitRoot: c.GitRoot, Repository: c.Repository, Host: c.RepositoryHost, HostType: c.HostType, Branch: c.Branch}
	was := &p.session.Place
	if was.Cwd == "" && was.GitRoot == "" && was.Repository == "" {
		*was = at
		return
	}
	if at.Branch != "" && (at.GitRoot == was.GitRoot || at.Repository == was.Repository) {
		was.Branch = at.Branch
	}
}

// summary keeps the newest summary of the greatest trust.
func (p *logParser) summary(text string, trust sources.Trust) {
	if text = strings.TrimSpace(text); text != "" && trust >= p.session.SummaryFrom {
		p.session.Summary, p.session.SummaryFrom = text, trust
	}
}

// shutdown takes in the end of a process: the files it changed, of which no
// tool call told, and the models it used.
func (p *logParser) shutdown(e *logEvent) {
	for _, path := range e.data.CodeChanges.FilesModified {
		if _, own := stateFileOf(path); path != "" && !own && !p.met(onceChanged, p.pathKey(path)) {
			p.touched(touch{path: path, kind: sources.Edited}, "", -1, e.at)
		}
	}
	for name := range e.data.ModelMetrics.All() {
		p.useModel(name)
	}
	p.calls = map[string]*openCall{}
}

// compaction takes in a checkpoint. A compaction that failed made none.
func (p *logParser) compaction(e *logEvent) {
	text, ok := e.data.SummaryContent, e.data.Success
	if ok == nil || !*ok || strings.TrimSpace(text) == "" || e.data.ParentToolCallID != "" || !p.firstEvent(e) {
		return
	}
	cp := parseSections(text)
	cp.At, cp.Number = e.at, p.number+1
	if n := e.data.CheckpointNumber; n > 0 && n < 1<<31 {
		cp.Number = int(n)
	}
	if cp.Number > p.number { // as it always is, but for a log that was tampered with
		p.number = cp.Number
		p.session.Checkpoints = append(p.session.Checkpoints, cp)
		return
	}
	for i := range p.session.Checkpoints {
		if p.session.Checkpoints[i].Number == cp.Number {
			p.session.Checkpoints[i] = cp
			return
		}
	}
	p.session.Checkpoints = append(p.session.Checkpoints, cp)
}

// firstEvent reports whether the event's id is met for the first time.
func (p *logParser) firstEvent(e *logEvent) bool {
	return e.id == "" || p.first(onceEvent, e.id)
}
