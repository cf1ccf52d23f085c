package copilotcli

import (
	"regexp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// forkMessage is what the CLI writes into a fork:
//
//	Forked from "title" (parent id) as "title" (own id).
var forkMessage = regexp.MustCompile(`(?s)^Forked from "(.*?)" \(([^()\s]+)\) as "(.*)" \(([^()\s]+)\)\.?\s*$`)

// info takes in session.info: a rewind, or the end of what a fork inherited.
// "Forked this session into …" in the parent is only a notice.
func (p *logParser) info(e *logEvent) {
	switch e.data.InfoType {
	case "rewind":
		p.session.Rewound = true
	case "fork":
		m := forkMessage.FindStringSubmatch(e.data.Message)
		if m == nil || !strings.EqualFold(m[4], p.session.ID) || strings.EqualFold(m[2], m[4]) {
			return
		}
		p.forked(m[2], e)
	}
}

// forked marks what the session has from its parent. Whether it is told there is
// for those to say who know the parent.
func (p *logParser) forked(parent string, e *logEvent) {
	s := p.session
	for i := range s.Turns {
		s.Turns[i].Inherited = true
	}
	for i := range s.Checkpoints {
		s.Checkpoints[i].Inherited = true
	}
	for _, f := range p.foreign { // written in the folder that this one was copied from
		f.session = s.ID
		p.wrote(f.stateFile, &logEvent{at: f.at})
	}
	s.Parent, s.Created, s.Rewound = sources.FoldUUID(parent), e.at, false
	s.Models, s.Summary, s.SummaryFrom = nil, "", sources.TrustNone
	p.foreign = nil
	p.forget()
	p.useModel(p.model)
}

// forget lets count again what was met in the inherited part, except the paths
// that were written: the last shutdown names those of the parent too.
func (p *logParser) forget() {
	p.seen = map[once]struct{}{}
	for _, path := range p.changed {
		p.seen[path] = struct{}{}
	}
}

// stateFile is a file in the folder of a session that the person may see.
type stateFile struct {
	session, kind, name string
}

// foreignFile was written in the folder of another session.
type foreignFile struct {
	stateFile
	at time.Time
}

// statePath is the part of a path below which a session's own files lie.
var statePath = regexp.MustCompile(`(?:^|/)session-state/([^/]+)/(.+)$`)

// belowState takes a path with slashes apart that lies below the folder of a session.
func belowState(path string) (session, rest string, ok bool) {
	if !strings.Contains(path, "session-state/") { // hardly any does
		return "", "", false
	}
	m := statePath.FindStringSubmatch(path)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// stateFileOf recognises a path within the folder of a session, with either
// slash; kind is empty for files of the CLI itself.
func stateFileOf(path string) (stateFile, bool) {
	session, rest, ok := belowState(strings.ReplaceAll(path, `\`, "/"))
	if !ok {
		return stateFile{}, false
	}
	return stateFileIn(session, rest), true
}

// stateFileIn sorts a path relative to the folder of a session.
func stateFileIn(session, path string) stateFile {
	f := stateFile{session: session}
	switch dir, rest, _ := strings.Cut(path, "/"); {
	case path == "plan.md":
		f.kind, f.name = sources.Plan, path
	case dir == "files" && rest != "":
		f.kind, f.name = sources.File, rest
	case dir == "research" && rest != "":
		f.kind, f.name = sources.Research, rest
	}
	return f
}

// workspaceFile takes in session.workspace_file_changed, whose path is relative
// to the session's folder or to its files.
func (p *logParser) workspaceFile(e *logEvent) {
	path := strings.ReplaceAll(e.data.Path, `\`, "/")
	if path == "" {
		return
	}
	f, ok := stateFileOf(path)
	if !ok {
		if f = stateFileIn(p.id, path); f.kind == "" && !strings.Contains(path, ":") && path[0] != '/' {
			f = stateFileIn(p.id, "files/"+path)
		}
	}
	p.wrote(f, e)
}

// wrote dates an artifact by the newest event that wrote it.
func (p *logParser) wrote(f stateFile, e *logEvent) {
	if f.kind == "" || e.data != nil && e.data.Operation == "delete" {
		return
	}
	if !strings.EqualFold(f.session, p.session.ID) {
		p.foreign = append(p.foreign, foreignFile{f, e.at})
		return
	}
	name := f.kind + "/" + f.name
	if i, known := p.written[name]; known {
		p.session.Artifacts[i].At = latest(p.session.Artifacts[i].At, e.at)
		return
	}
	p.written[name] = len(p.session.Artifacts)
	p.session.Artifacts = append(p.session.Artifacts, sources.Artifact{Kind: f.kind, Name: f.name, At: e.at})
}
