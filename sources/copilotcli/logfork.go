package copilotcli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// forkMessage is what the CLI writes into a fork:
//
//	Forked from "title" (parent id) as "title" (own id).
var forkMessage = regexp.MustCompile(`(?s)^Forked from "(.*?)" \(([^()\s]+)\) as "(.*)" \(([^()\s]+)\)\.?\s*$`)

// info takes in session.info: a rewind, or the end of what a fork inherited.
// "Forked this session into …" in the parent is only a notice.
func (p *logParser) info(e *logEvent) error {
	var f [2]rawJSON
	_ = e.data.pick([]string{"infoType", "message"}, f[:])
	switch f[0].text() {
	case "rewind":
		p.session.Rewound = true
	case "fork":
		m := forkMessage.FindStringSubmatch(f[1].text())
		if m == nil || !strings.EqualFold(m[4], p.session.ID) || strings.EqualFold(m[2], m[4]) {
			return nil
		}
		if p.load != nil {
			return errReadWhole // what was inherited is not all in the kept session
		}
		p.forked(m[2], e)
	}
	return nil
}

// forked drops what the session got from its parent and names what it may still
// share with it.
func (p *logParser) forked(parent string, e *logEvent) {
	was := p.session
	now := &sources.Session{
		ID: was.ID, Agent: was.Agent, Place: was.Place,
		Created: e.at, Parent: nameOf(parent), Inherited: was.Inherited,
	}
	for i := range was.Checkpoints {
		now.Inherited.Checkpoints = append(now.Inherited.Checkpoints, was.Checkpoints[i].Number)
	}
	for _, a := range was.Artifacts {
		p.inherit(now, a.Kind+"/"+a.Name)
	}
	for _, f := range p.foreign {
		if strings.EqualFold(f.session, parent) {
			p.inherit(now, f.kind+"/"+f.name)
		}
	}
	p.session, p.foreign = now, nil
	p.text.Reset()
	p.st.Artifacts, p.st.Chunk = nil, ""
	p.st.Calls = map[string]*openCall{}
	p.forget()
	p.useModel(p.st.Model)
}

// forget lets count again what was met in the inherited part, except the paths
// that were written: the last shutdown names those of the parent too.
func (p *logParser) forget() {
	kept := map[uint64]struct{}{}
	for _, h := range p.changed {
		kept[h] = struct{}{}
	}
	p.seen = kept
}

// inherit notes an artifact of the parent once.
func (p *logParser) inherit(s *sources.Session, name string) {
	if h := hashOf(onceFile, name); !slices.Contains(p.st.Shared, h) {
		p.st.Shared = append(p.st.Shared, h)
		s.Inherited.Artifacts = append(s.Inherited.Artifacts, name)
	}
}

// stateFile is a file in the folder of a session that the person may see.
type stateFile struct {
	session, kind, name string
}

// statePath is the part of a path below which a session's own files lie.
var statePath = regexp.MustCompile(`(?:^|/)session-state/([^/]+)/(.+)$`)

// stateFileOf recognises a path within the folder of a session, with either
// slash; kind is empty for files of the CLI itself.
func stateFileOf(path string) (stateFile, bool) {
	m := statePath.FindStringSubmatch(strings.ReplaceAll(path, `\`, "/"))
	if m == nil {
		return stateFile{}, false
	}
	return stateFileIn(m[1], m[2]), true
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
	path := strings.ReplaceAll(e.data.get("path").text(), `\`, "/")
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
	if f.kind == "" || e.data.get("operation").text() == "delete" {
		return
	}
	if !strings.EqualFold(f.session, p.session.ID) {
		p.foreign = append(p.foreign, f)
		return
	}
	name := f.kind + "/" + f.name
	h := hashOf(onceFile, name)
	if i := slices.Index(p.st.Shared, h); i >= 0 && i < len(p.session.Inherited.Artifacts) {
		p.st.Shared = slices.Delete(p.st.Shared, i, i+1)
		p.session.Inherited.Artifacts = slices.Delete(p.session.Inherited.Artifacts, i, i+1)
	}
	if i := slices.Index(p.st.Artifacts, h); i >= 0 {
		p.session.Artifacts[i].At = latest(p.session.Artifacts[i].At, e.at)
		return
	}
	p.st.Artifacts = append(p.st.Artifacts, h)
	p.session.Artifacts = append(p.session.Artifacts, sources.Artifact{Kind: f.kind, Name: f.name, At: e.at})
}
