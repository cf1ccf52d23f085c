package eventlog

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// InStateFolder reports whether a path of any system is in the folder of a session.
func InStateFolder(path string) bool {
	_, _, own := belowState(path)
	return own
}

func belowState(path string) (session, rest string, ok bool) {
	above, below, ok := strings.Cut(strings.ReplaceAll(path, `\`, "/"), "session-state/")
	session, rest, _ = strings.Cut(below, "/")
	return session, rest, ok && rest != "" && (above == "" || strings.HasSuffix(above, "/"))
}

// ArtifactAt returns kind and name of the artifact at a path in the folder of a session; kind is "" for none.
func ArtifactAt(path string) (kind, name string) {
	dir, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "plan.md":
		return sources.Plan, path
	case dir == "files" && rest != "":
		return sources.File, rest
	case dir == "research" && rest != "":
		return sources.Research, rest
	}
	return "", ""
}

// kept records a call's files in the folder of a session: they are artifacts.
func (p *parser) kept(e *event, edits, named []tools.File) {
	if len(edits) > 0 {
		named = edits
	}
	for _, f := range named {
		if session, rest, own := belowState(f.Path); own && (f.Kind == sources.Created || f.Kind == sources.Edited) {
			p.wrote(e, session, rest)
		}
	}
}

// workspaceFile records a changed file, whose path is relative to the session's folder or its files.
func (p *parser) workspaceFile(e *event) {
	path := strings.ReplaceAll(e.Data.Path, `\`, "/")
	session, rest, own := belowState(path)
	if kind, _ := ArtifactAt(path); !own {
		if session, rest = p.b.Session.ID, path; kind == "" && !strings.Contains(path, ":") && !strings.HasPrefix(path, "/") {
			rest = "files/" + path
		}
	}
	p.wrote(e, session, rest)
}

// wrote records that an event wrote a file in the folder of a session, or of a fork's parent.
func (p *parser) wrote(e *event, session, path string) {
	kind, name := ArtifactAt(path)
	switch a := (sources.Artifact{Kind: kind, Name: name, At: p.b.Now()}); {
	case kind == "" || e.Data.Operation == "delete":
	case strings.EqualFold(session, p.b.Session.ID):
		p.b.Artifact(a)
	default:
		p.writes = append(p.writes, a)
	}
}

// shorten writes a path like [builder.Builder.Short], and one in the folder of a session relative to it.
func (p *parser) shorten(path string) string {
	if _, rest, own := belowState(path); own {
		return rest
	}
	return p.b.Short(path)
}

// ParseSections reads a checkpoint: sections between tags at the beginning of a line. Text without any
// section is Raw; text outside the sections is added to the technical details.
func ParseSections(text string) sources.Checkpoint {
	var cp sources.Checkpoint
	text = strings.ReplaceAll(text, "\r\n", "\n")
	title, text := words.Section(text, "checkpoint_title", nil)
	cp.Title = words.OneLine(title, 500)
	tags := []string{"overview", "history", "work_done", "technical_details", "important_files", "next_steps"}
	into := []*string{&cp.Overview, &cp.History, &cp.WorkDone, &cp.Technical, &cp.Important, &cp.NextSteps}
	rest := text
	for i, tag := range tags {
		*into[i], rest = words.Section(rest, tag, tags[i+1:])
	}
	if rest == text {
		cp.Raw = strings.TrimSpace(text)
		return cp
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		cp.Technical = strings.TrimSpace(cp.Technical + "\n\n" + rest)
	}
	return cp
}
