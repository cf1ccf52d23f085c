package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Kinds of files of ours that are no notes, at the start of their ids.
const (
	typeBase    = "base"
	typeCanvas  = "canvas"
	typePicture = "attachment"
)

// Ids of notes and their file names: pure functions of facts that never change.
const (
	homeID    = "home"
	threadsID = "threads"

	sessionsBaseID = "base:sessions"
	filesBaseID    = "base:files"

	sessionsBasePath = "Sessions.base"
	filesBasePath    = "Files.base"

	homePath    = "Home.md"
	threadsPath = "Open threads.md"
)

func sessionID(id string) string {
	if id == "" {
		return ""
	}
	return "session:" + id
}
func partID(id string, n int) string       { return fmt.Sprintf("session:%s:%d", id, n) }
func checkpointID(id string, n int) string { return fmt.Sprintf("checkpoint:%s:%d", id, n) }
func projectID(key string) string          { return "project:" + key }
func fileID(project, path string) string   { return "file:" + project + ":" + plainPart(path) }
func dayID(day string) string              { return "day:" + day }
func weekID(week string) string            { return "week:" + week }
func canvasID(project string) string       { return "canvas:" + project }

// memoryID names a plan, memory, research or saved file of a session, or of a
// repository when shelf is its project.
func memoryID(session string, a sources.Artifact) string {
	if a.Kind == sources.Plan && (a.Name == "plan.md" || a.Name == "") {
		return "memory:" + session + ":plan"
	}
	name := plainName(a)
	if strings.HasSuffix(name, ":plan") { // not that of the session
		name = shownOf(name, name)
	}
	return "memory:" + session + ":" + a.Kind + "/" + name
}

// shelfID names the memory of a repository, or of a person where there is no
// project. A suffix tells it from one of the same name on another shelf.
func shelfID(project string, a sources.Artifact, suffix string) string {
	if suffix != "" {
		suffix = "-" + suffix
	}
	if project == "" {
		return "memory:user:" + plainName(a) + suffix
	}
	return "memory:" + project + ":repo:" + plainName(a) + suffix
}

// plainName is the name of an artifact as ids have it: the same in every ledger,
// where a mask is not.
func plainName(a sources.Artifact) string { return plainPart(redact.Number(a.Name)[0]) }

// shortID is the part of an id that file names show.
func shortID(id string) string {
	part := id[strings.LastIndexByte(id, ':')+1:]
	switch {
	case sources.IsUUID(part):
		return part[:8]
	case isPlain(part) && len(part) <= 8:
		return part
	}
	return strings.TrimLeft(note.Slug(part, 8)+"-"+digest(id, 4), "-")
}

func digest(s string, n int) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])[:n]
}

// stem is the common start of the names of a session's notes: the day it began
// and its first prompt. The title comes late and changes, so it is no part.
func stem(s *sources.Session, max int) string {
	slug := note.Slug(redact.Strip(firstPromptText(s.Turns)), max)
	if slug == "" {
		slug = "session"
	}
	if s.Created.IsZero() {
		return slug
	}
	return s.Created.UTC().Format(time.DateOnly) + " " + slug
}

func sessionPath(pr Project, s *sources.Session, full bool) string {
	return projectFolder(pr) + "/sessions/" + note.FileName(stem(s, 60)+" ("+idIn(s.ID, full)+")") + ".md"
}

func partPath(pr Project, s *sources.Session, n int, full bool) string {
	return projectFolder(pr) + "/sessions/" + note.FileName(fmt.Sprintf("%s (%s) part %d", stem(s, 60), idIn(s.ID, full), n)) + ".md"
}

func checkpointPath(pr Project, s *sources.Session, n int, full bool) string {
	return projectFolder(pr) + "/checkpoints/" + note.FileName(fmt.Sprintf("%s checkpoint %d (%s)", stem(s, 48), n, idIn(s.ID, full))) + ".md"
}

func memoryPath(pr Project, s *sources.Session, a sources.Artifact, full bool) string {
	name := a.Kind
	suffix := idIn(s.ID, full)
	if memoryID("", a) != memoryID("", sources.Artifact{Kind: sources.Plan}) {
		if slug := note.Slug(redact.Strip(a.Name), 48); strings.HasPrefix(slug, name+"-") {
			name = slug // "plan-review-md" says that it is a plan
		} else {
			name += " " + slug
		}
		n := 4
		if full {
			n = 12
		}
		suffix += "-" + digest(a.Kind+"/"+plainName(a), n)
	}
	day := ""
	if !s.Created.IsZero() {
		day = s.Created.UTC().Format(time.DateOnly) + " "
	}
	return projectFolder(pr) + "/memory/" + note.FileName(day+name+" ("+suffix+")") + ".md"
}

// isOwnMemory tells the memory of a person from that of a project or session.
func isOwnMemory(id string) bool { return strings.HasPrefix(id, "memory:user:") }

// shelfPath is where the memory of a project lies, or of a person where key is
// empty.
func shelfPath(key string, a sources.Artifact, suffix string) string {
	name := note.Slug(redact.Strip(a.Name), 60) + " (" + digest(plainName(a), 8)
	if suffix != "" {
		name += "-" + suffix
	}
	if key == "" {
		return "memory/" + note.FileName(name+")") + ".md"
	}
	return projectFolder(projectFromKey(key)) + "/memory/" + note.FileName("repo "+name+")") + ".md"
}

// idIn is what a file name shows of an id. Where that is not the whole of it, it
// ends in a digest of the id: no two ids share a long form, on whatever file system.
func idIn(id string, full bool) string {
	switch {
	case !full:
		return shortID(id)
	case sources.IsUUID(id) || isPlain(id) && len(id) <= 40:
		return id
	}
	return strings.TrimLeft(note.Slug(id, 24)+"-"+digest(id, 12), "-")
}

// isPlain tells whether a text is its own slug, and that of no other text.
func isPlain(s string) bool {
	return s != "" && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

func projectFolder(pr Project) string { return "projects/" + pr.Folder }
func projectPath(pr Project) string   { return projectFolder(pr) + "/" + pr.Folder + ".md" }
func canvasPath(pr Project) string    { return projectFolder(pr) + "/" + pr.Folder + ".canvas" }
func dayPath(day string) string       { return "journal/" + day + ".md" }
func weekPath(week string) string     { return "journal/" + week + ".md" }

func filePath(pr Project, path string) string {
	return projectFolder(pr) + "/files/" + note.FileName(note.Slug(path, 80)+" ("+digest(path, 4)+")") + ".md"
}

func trimMD(path string) string { return strings.TrimSuffix(path, ".md") }

// trimKey turns an index key of a page back into the page's id.
func trimKey(key string) string { return strings.TrimPrefix(key, "page:") }
