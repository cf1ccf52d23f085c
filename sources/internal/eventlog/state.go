package eventlog

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// stateFile is a file in the folder of a session; kind is empty for what is none of
// the person's business.
type stateFile struct{ session, kind, name string }

// write is an event that wrote a file.
type write struct {
	stateFile
	at time.Time
}

// InStateFolder says that a path lies in the folder of a session, on whichever
// machine and with either slash: no file of a project.
func InStateFolder(path string) bool {
	_, own := stateFileOf(path)
	return own
}

// belowState takes a path with slashes apart that lies below the folder of a session.
func belowState(path string) (session, rest string, ok bool) {
	above, below, ok := strings.Cut(path, "session-state/")
	session, rest, _ = strings.Cut(below, "/")
	return session, rest, ok && rest != "" && (above == "" || strings.HasSuffix(above, "/"))
}

// stateFileOf recognises a path within the folder of a session, with either slash.
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

// planChanged takes in that plan.md was written.
func (p *parser) planChanged(e *event) {
	if e.Data.Operation != "delete" {
		p.wrote(stateFile{p.b.Session.ID, sources.Plan, "plan.md"}, e.At.Time)
	}
}
