// Package names gives notes their ids, their paths and their place in a layout: pure
// functions of facts that never change.
//
// A file name is made of the day, the first prompt and the id. Of two UUIDs that begin alike
// the session that came first has the short name. The name of a checkpoint carries its number
// and not its title: after a rewind a number is used again with another title, and one id has
// one name. Layout.Place is applied once, where a draft is planned.
package names

import (
	"bytes"
	"fmt"
	"path"
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

// SessionID is the id of the first note of a session, empty for no session.
func SessionID(id string) string {
	if id == "" {
		return ""
	}
	return "session:" + id
}

// PartID is the id of a further part of a session note: n counts from 2.
func PartID(id string, n int) string { return fmt.Sprintf("session:%s:%d", id, n) }

// CheckpointID is the id of a checkpoint by its number.
func CheckpointID(id string, n int) string { return fmt.Sprintf("checkpoint:%s:%d", id, n) }

// ProjectID is the id of the page of a project, by its key.
func ProjectID(key string) string { return "project:" + key }

// FileID is the id of the note of a file, by its project's key and its path from the root.
func FileID(project, path string) string { return "file:" + project + ":" + PlainPart(path) }

// DayID is the id of the page of a day, such as "2026-11-03".
func DayID(day string) string { return "day:" + day }

// WeekID is the id of the page of a week, such as "2026-W45".
func WeekID(week string) string { return "week:" + week }

// CanvasID is the id of the canvas of a project, by its key.
func CanvasID(project string) string { return "canvas:" + project }

// CanvasNodeID is the id, in a canvas, of the node of a note.
func CanvasNodeID(note string) string { return texts.Digest(note, 16) }

// ShowsNode tells whether the text of a canvas has the node of a note.
func ShowsNode(text []byte, note string) bool {
	return bytes.Contains(text, []byte(CanvasNodeID(note)))
}

// MemoryID names a plan, memory, research or saved file of a session.
func MemoryID(session string, a sources.Artifact) string {
	if a.Kind == sources.Plan && (a.Name == "plan.md" || a.Name == "") {
		return "memory:" + session + ":plan"
	}
	name := PlainName(a)
	if strings.HasSuffix(name, ":plan") { // not that of the session
		name = shownOf(name, name)
	}
	return "memory:" + session + ":" + a.Kind + "/" + name
}

// SharedMemoryID names the memory of a repository, or of a person where there is no
// project. A suffix tells it from one of the same name in another
// collection.
func SharedMemoryID(project string, a sources.Artifact, suffix string) string {
	if suffix != "" {
		suffix = "-" + suffix
	}
	if project == "" {
		return "memory:user:" + PlainName(a) + suffix
	}
	return "memory:" + project + ":repo:" + PlainName(a) + suffix
}

// CollectionSuffix tells what stands in one collection of memory from what is called
// alike in another, by the id of the collection.
func CollectionSuffix(id string) string { return texts.Digest(id, 4) }

// PlainName is the name of an artifact as ids have it: the same in every ledger,
// where a mask is not.
func PlainName(a sources.Artifact) string { return PlainPart(redact.Number(a.Name)[0]) }

// shortID is the part of an id that file names show.
func shortID(id string) string {
	part := id[strings.LastIndexByte(id, ':')+1:]
	switch {
	case sources.IsUUID(part):
		return part[:8]
	case isPlain(part) && len(part) <= 8:
		return part
	}
	return strings.TrimLeft(note.Slug(part, 8)+"-"+texts.Digest(id, 4), "-")
}

// IsOwnMemory tells the memory of a person from that of a project or session.
func IsOwnMemory(id string) bool { return strings.HasPrefix(id, "memory:user:") }

// UnderOtherID is the id that a note of a session has under another id of that
// session, empty where the note is none of it. For a part of the conversation the
// session's first note stands.
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

// IsRareID tells ids that nobody else gives, for they hold that of a session.
func IsRareID(id string) bool {
	kind, _, ours := strings.Cut(id, ":")
	return ours && slices.Contains([]string{TypeSession, TypeCheckpoint, TypeMemory}, kind)
}

// CutFileID splits the part of a file's id behind "file:". A key may hold a
// colon only in a host's port, so the path starts behind the last key segment.
func CutFileID(rest string) (key, path string, ok bool) {
	for i := 0; i < len(rest); i++ {
		if rest[i] == ':' && identity.ProjectFromKey(rest[:i]).Key == rest[:i] {
			return rest[:i], rest[i+1:], true
		}
	}
	return "", "", false
}

// Types of notes, as they stand in the property `type`.
const (
	TypeSession    = "session"
	TypePart       = "session-part"
	TypeCheckpoint = "checkpoint"
	TypeMemory     = "memory"
	TypeProject    = "project"
	TypeFile       = "file"
	TypeDay        = "day"
	TypeWeek       = "week"
	TypeHome       = "home"
	TypeThreads    = "threads"
)

// NoteTypes are the types of all notes.
func NoteTypes() []string {
	return []string{TypeSession, TypePart, TypeCheckpoint, TypeMemory, TypeProject, TypeFile, TypeDay, TypeWeek, TypeHome, TypeThreads}
}

// Kinds of files of ours that are no notes, at the start of their ids.
const (
	TypeBase    = "base"
	TypeCanvas  = "canvas"
	TypePicture = "attachment"
)

// Note is a note as it is told by its name.
type Note struct {
	ID, Type string
	Session  string // id of its session, empty for a page
	Path     string // in the managed folder
}

// IsPlacedByUs tells whether a note lies at one of its names, in some layout: nobody
// but us put it there.
func IsPlacedByUs(path string, named ...string) bool {
	for _, l := range []Layout{{}, {wiki: true}, {wiki: true, kept: true}} { // wherever we may have put it
		for _, name := range named {
			if path == l.Place(name) {
				return true
			}
		}
	}
	return false
}

// IsNamedByUs tells whether a note has the name that we give its id.
func IsNamedByUs(n Note) bool {
	kind, rest, _ := strings.Cut(n.ID, ":")
	var page string
	switch kind {
	case TypeHome:
		page = HomePath
	case TypeThreads:
		page = ThreadsPath
	case TypeProject:
		page = ProjectPath(identity.ProjectFromKey(rest))
	case TypeFile:
		key, file, ok := CutFileID(rest)
		if !ok {
			return false
		}
		page = FilePath(identity.ProjectFromKey(key), file)
	case TypeDay:
		page = DayPath(rest)
	case TypeWeek:
		page = WeekPath(rest)
	default:
		return slices.ContainsFunc(NameEnds(n), func(end string) bool { return strings.HasSuffix(path.Base(n.Path), end+".md") })
	}
	return IsPlacedByUs(n.Path, page, TrimMD(page)+PageTaken)
}

// NameEnds are the ends of the names that we give a note which is no page: what
// comes before tells of the day and the prompt, which change.
func NameEnds(n Note) (ends []string) {
	if n.Type == TypeMemory && n.Session == "" {
		_, name, ok := strings.Cut(n.ID, ":repo:")
		if !ok {
			name = strings.TrimPrefix(n.ID, "memory:user:")
		}
		ends = append(ends, "("+texts.Digest(name, 8)+")")
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			ends = append(ends, "("+texts.Digest(name[:i], 8)+name[i:]+")")
		}
		return ends
	}
	for _, full := range []bool{false, true} {
		id := idIn(n.Session, full)
		var number int
		switch _, err := fmt.Sscanf(n.ID[strings.LastIndexByte(n.ID, ':')+1:], "%d", &number); {
		case n.ID == SessionID(n.Session):
			ends = append(ends, "("+id+")")
		case err == nil && n.ID == PartID(n.Session, number):
			ends = append(ends, fmt.Sprintf("(%s) part %d", id, number))
		case err == nil && n.ID == CheckpointID(n.Session, number):
			ends = append(ends, fmt.Sprintf("checkpoint %d (%s)", number, id))
		default:
			if name, ok := strings.CutPrefix(n.ID, "memory:"+n.Session+":"); ok && name == "plan" {
				ends = append(ends, "("+id+")")
			} else if ok {
				ends = append(ends, "("+id+"-"+texts.Digest(name, 4)+")")
			}
		}
	}
	return ends
}
