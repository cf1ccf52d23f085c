package copilotcli

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// started takes in session.start. A run that was detached from another session
// (detachedFromSpawningParentSessionId) is work of the agent behind the scenes:
// it is given back without turns, an empty session like a scaffold.
func (p *logParser) started(e *logEvent) {
	var f [5]rawJSON
	e.data.pick([]string{"sessionId", "startTime", "selectedModel", "context",
		"detachedFromSpawningParentSessionId"}, f[:])
	if p.start == "" {
		p.start = startOf(e, f[1], f[3])
	}
	s := p.session
	if s.ID == "" {
		s.ID = f[0].text()
	}
	if s.Created.IsZero() {
		if s.Created = f[1].instant(); s.Created.IsZero() {
			s.Created = e.at
		}
	}
	p.hidden = f[4].text() != ""
	p.place(f[3])
	p.setModel(f[2])
}

// setModel notes the model that answers from now on.
func (p *logParser) setModel(name rawJSON) {
	if m := idOf(p.useModel(name.text())); m != "" {
		p.model = m
	}
}

// place takes in a context. The first one says where the session works; later
// ones only move its branch, and only while they speak of the same repository.
func (p *logParser) place(context rawJSON) {
	var f [6]rawJSON
	if context.pick([]string{"cwd", "gitRoot", "repository", "repositoryHost", "hostType", "branch"}, f[:]) != nil {
		return
	}
	at := sources.Place{Cwd: f[0].text(), GitRoot: f[1].text(), Repository: f[2].text(),
		Host: f[3].text(), HostType: f[4].text(), Branch: f[5].text()}
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
	e.data.get("codeChanges").get("filesModified").elements(func(v rawJSON) {
		path := v.text()
		if _, ok := stateFileOf(path); path == "" || ok || p.met(onceChanged, p.pathKey(path)) {
			return
		}
		p.touched(touch{path: path, kind: sources.Edited}, "", -1, e.at)
	})
	_ = e.data.get("modelMetrics").members(func(name, _ rawJSON) bool {
		p.useModel(string(name))
		return true
	})
	p.calls = map[string]*openCall{}
}

// compaction takes in a checkpoint. A compaction that failed made none.
func (p *logParser) compaction(e *logEvent) {
	var f [4]rawJSON
	e.data.pick([]string{"success", "summaryContent", "checkpointNumber", "parentToolCallId"}, f[:])
	text := f[1].text()
	ok := f[0].truth()
	if ok == nil || !*ok || strings.TrimSpace(text) == "" || f[3].text() != "" || !p.firstEvent(e) {
		return
	}
	cp := parseSections(text)
	cp.At, cp.Number = e.at, p.number+1
	if n, ok := f[2].number(); ok && n > 0 && n < 1<<31 {
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
