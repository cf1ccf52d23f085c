// Package names gives notes their ids, paths and names: pure functions of facts that never change.
//
// A file name has words for a reader, and a hash of the note's id only if another note has the same name.
// Journal.Place is applied once, when a draft is planned.
package names

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Ids of notes and their file names: pure functions of facts that never change.
const (
	HomeID    = "home"
	ThreadsID = "threads"

	SessionsBaseID = "base:sessions"
	FilesBaseID    = "base:files"
)

// SessionID returns the id of the first note of a session, or "".
func SessionID(id string) string {
	if id == "" {
		return ""
	}
	return "session:" + id
}

// PartID returns the id of the n-th part of a session note, from 2.
func PartID(id string, n int) string { return fmt.Sprintf("session:%s:%d", id, n) }

// CheckpointID returns the id of a checkpoint by its number.
func CheckpointID(id string, n int) string { return fmt.Sprintf("checkpoint:%s:%d", id, n) }

// ProjectID returns the id of the page of a project, by its key.
func ProjectID(key string) string { return "project:" + key }

// FileID returns the id of the note of a file, by its project's key and its path from the root.
func FileID(project, path string) string { return "file:" + project + ":" + PlainPart(path) }

// DayID returns the id of the page of a day, such as "2026-11-03".
func DayID(day string) string { return "day:" + day }

// WeekID returns the id of the page of a week, such as "2026-W45".
func WeekID(week string) string { return "week:" + week }

// CanvasID returns the id of the canvas of a project, by its key.
func CanvasID(project string) string { return "canvas:" + project }

// CanvasNodeID returns the id, in a canvas, of the node of a note.
func CanvasNodeID(note string) string { return texts.Digest(note, 16) }

// MemoryID returns the id of a session's plan, memory, research or saved file.
func MemoryID(session string, a sources.Artifact) string {
	if a.Kind == sources.Plan && (a.Name == "plan.md" || a.Name == "") {
		return "memory:" + session + ":plan"
	}
	name := PlainName(a)
	if strings.HasSuffix(name, ":plan") { // not the plan's id
		name = shownOf(name, name)
	}
	return "memory:" + session + ":" + a.Kind + "/" + name
}

// SharedMemoryID returns the id of a memory of a repository, or of a person without a project. The suffix
// distinguishes collections.
func SharedMemoryID(project string, a sources.Artifact, suffix string) string {
	if suffix != "" {
		suffix = "-" + suffix
	}
	if project == "" {
		return "memory:user:" + PlainName(a) + suffix
	}
	return "memory:" + project + ":repo:" + PlainName(a) + suffix
}

// CollectionSuffix returns a suffix for notes of a memory collection, by its id.
func CollectionSuffix(id string) string { return texts.Digest(id, 4) }

// PlainName returns the name of an artifact for ids: the same in every ledger, unlike a mask.
func PlainName(a sources.Artifact) string { return PlainPart(redact.Number(a.Name)[0]) }

// IsOwnMemory reports whether an id names a person's memory, not a project's or session's.
func IsOwnMemory(id string) bool { return strings.HasPrefix(id, "memory:user:") }

// UnderOtherID returns the id that a note of a session has under another id of that session, or "" for other
// notes. For a part of the conversation it is the id of the session's first note.
func UnderOtherID(note, typ, id, other string) string {
	if typ == TypePart {
		return SessionID(other)
	}
	kind, rest, _ := strings.Cut(note, ":")
	after, ok := strings.CutPrefix(rest, id)
	if !ok {
		return ""
	}
	return kind + ":" + other + after
}

// UnderOtherKey returns the id that a note of a project itself has under another key of the project, or ""
// for other notes.
func UnderOtherKey(id, key, other string) string {
	if id == ProjectID(key) {
		return ProjectID(other)
	}
	for _, form := range [][2]string{{"file:", ":"}, {"issue:", ":"}, {"pr:", ":"}, {"memory:", ":repo:"}} {
		if rest, ok := strings.CutPrefix(id, form[0]+key+form[1]); ok {
			return form[0] + other + form[1] + rest
		}
	}
	return ""
}

// IsIDOf reports whether an id is one of a session's notes.
func IsIDOf(id, session string) bool {
	var n int
	if _, err := fmt.Sscanf(id[strings.LastIndexByte(id, ':')+1:], "%d", &n); err == nil && (id == PartID(session, n) || id == CheckpointID(session, n)) {
		return true
	}
	return id == SessionID(session) || strings.HasPrefix(id, "memory:"+session+":")
}

// IsID reports whether an id has the form of our ids.
func IsID(id string) bool {
	kind, _, _ := strings.Cut(id, ":")
	return slices.Contains(NoteTypes(), kind)
}

// IsRareID reports whether only we use an id, as it contains a session's.
func IsRareID(id string) bool {
	kind, _, ours := strings.Cut(id, ":")
	return ours && slices.Contains([]string{TypeSession, TypeCheckpoint, TypeMemory}, kind)
}

// CutFileID splits a file's id after "file:" into key and path. A key has a colon only before a host's port,
// so the path starts after the key's last segment.
func CutFileID(rest string) (key, path string, ok bool) {
	for i := 0; i < len(rest); i++ {
		if rest[i] == ':' && identity.ProjectFromKey(rest[:i]).Key == rest[:i] {
			return rest[:i], rest[i+1:], true
		}
	}
	return "", "", false
}

// Types of notes, the values of the property `type`.
const (
	TypeSession    = "session"
	TypePart       = "session-part"
	TypeCheckpoint = "checkpoint"
	TypeMemory     = "memory"
	TypeProject    = "project"
	TypeFile       = "file"
	TypeIssue      = sources.Issue
	TypePR         = sources.PR
	TypeDay        = "day"
	TypeWeek       = "week"
	TypeHome       = "home"
	TypeThreads    = "threads"
)

// NoteTypes returns the types of all notes.
func NoteTypes() []string {
	return []string{TypeSession, TypePart, TypeCheckpoint, TypeMemory, TypeProject, TypeFile, TypeIssue, TypePR, TypeDay, TypeWeek, TypeHome, TypeThreads}
}

// Prefixes of the ids of generated files that are not notes.
const (
	TypeBase    = "base"
	TypeCanvas  = "canvas"
	TypePicture = "attachment"
)

// Issue is an issue or a pull request of a repository, or of a folder with an unknown one.
type Issue struct {
	Type    string // TypeIssue, TypePR
	Project string // key
	Number  string
	// Guessed says that only a bare name gives the repository, as in "widget issue 42": the same owner is
	// assumed, and it counts if another session names the same for sure.
	Guessed bool
}

var (
	issueNumber  = regexp.MustCompile(`^[1-9]\d{0,8}$`)
	issueAddress = regexp.MustCompile(`^https?://([^/\s]+/\S+?)/(?:-/)?(?:issues|pull|pulls|pullrequest|pull-requests|merge_requests)/([1-9]\d{0,8})\b`)
)

// IssueTypes returns the types of notes of issues and pull requests.
func IssueTypes() []string { return []string{TypeIssue, TypePR} }

// IssueNamed returns the issue for a value in a session of a project: a number, "repo#42", "owner/repo#42",
// "host/owner/repo#42" or an address. ok is false for other values.
func IssueNamed(project, typ, value string) (i Issue, ok bool) {
	if !slices.Contains(IssueTypes(), typ) {
		return i, false
	}
	own := identity.ProjectFromKey(project)
	repo, number, named := strings.Cut(value, "#")
	if m := issueAddress.FindStringSubmatch(value); m != nil {
		repo, number = m[1], m[2]
	} else if !named {
		repo, number = "", value
	}
	i = Issue{Type: typ, Project: own.Key, Number: number}
	if repo != "" {
		bare := !strings.Contains(repo, "/")
		if bare && own.Owner != "" {
			repo = own.Owner + "/" + repo
		}
		if host, _, _ := strings.Cut(repo, "/"); strings.Contains(host, ":") { // the host has a port
			repo = "https://" + repo
		}
		i.Project = identity.ProjectOf(sources.Place{Repository: repo, Host: own.Host}).Key
		i.Guessed = bare && i.Project != own.Key
	}
	return i, i.Project != identity.KeyLoose && issueNumber.MatchString(number)
}

// IssueFromID returns the issue whose note has an id, or false.
func IssueFromID(id string) (i Issue, ok bool) {
	typ, rest, _ := strings.Cut(id, ":")
	at := strings.LastIndexByte(rest, ':')
	if at < 0 || identity.ProjectFromKey(rest[:at]).Key != rest[:at] {
		return i, false
	}
	return IssueNamed(rest[:at], typ, rest[at+1:])
}

// ID returns the id of its note.
func (i Issue) ID() string { return i.Type + ":" + i.Project + ":" + i.Number }

// Key returns the key of the sessions' notes that name it.
func (i Issue) Key() string { return "names:" + i.ID() }

// Word returns its name in ordinary language.
func (i Issue) Word() string {
	if i.Type == TypePR {
		return "PR"
	}
	return "issue"
}

// ValueIn returns its name in a project: its number in its own, else with its repository.
func (i Issue) ValueIn(project string) string {
	if pr := identity.ProjectFromKey(i.Project); i.Project != project && pr.Owner != "" {
		return pr.Owner + "/" + pr.Repo + "#" + i.Number
	}
	return i.Number
}

// URL returns its page on the forge, or "".
func (i Issue) URL() string {
	pr := identity.ProjectFromKey(i.Project)
	if i.Type == TypePR {
		return pr.PullURL(i.Number)
	}
	return pr.IssueURL(i.Number)
}

// Path returns the path of its note: in its project, even if no session worked there.
func (i Issue) Path() string {
	pr := identity.ProjectFromKey(i.Project)
	name, _, _ := strings.Cut(pr.Name, " (")
	return ProjectFolder(pr) + "/issues/" + note.FileName(i.Word()+" "+i.Number+" ("+note.Words(name, nameLimit)+")") + ".md"
}
