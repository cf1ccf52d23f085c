package names

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Names of the files that stand at the root of the managed folder.
const (
	HomePath         = "Home.md"
	ThreadsPath      = "Open threads.md"
	SessionsBasePath = "Sessions.base"
	FilesBasePath    = "Files.base"
)

// Paths are those of LayoutAgents, from the managed folder; Layout.Place turns them
// into its own.

// stem is the common start of the names of a session's notes: the day it began
// and its first prompt. The title comes late and changes, so it is no part.
func stem(s *sources.Session, max int) string {
	slug := note.Slug(redact.Strip(content.FirstPrompt(s.Turns)), max)
	if slug == "" {
		slug = "session"
	}
	if s.Created.IsZero() {
		return slug
	}
	return s.Created.UTC().Format(time.DateOnly) + " " + slug
}

// SessionPath is where the first note of a session lies; full: by its long name.
func SessionPath(pr identity.Project, s *sources.Session, full bool) string {
	return ProjectFolder(pr) + "/sessions/" + note.FileName(stem(s, 60)+" ("+idIn(s.ID, full)+")") + ".md"
}

// PartPath is where the n-th part of a session note lies, from 2; full: by its long name.
func PartPath(pr identity.Project, s *sources.Session, n int, full bool) string {
	return ProjectFolder(pr) + "/sessions/" + note.FileName(fmt.Sprintf("%s (%s) part %d", stem(s, 60), idIn(s.ID, full), n)) + ".md"
}

// CheckpointPath is where the n-th checkpoint lies; full: by its long name.
func CheckpointPath(pr identity.Project, s *sources.Session, n int, full bool) string {
	return ProjectFolder(pr) + "/checkpoints/" + note.FileName(fmt.Sprintf("%s checkpoint %d (%s)", stem(s, 48), n, idIn(s.ID, full))) + ".md"
}

// MemoryPath is where a saved text of a session lies; full: by its long name.
func MemoryPath(pr identity.Project, s *sources.Session, a sources.Artifact, full bool) string {
	name := a.Kind
	suffix := idIn(s.ID, full)
	if MemoryID("", a) != MemoryID("", sources.Artifact{Kind: sources.Plan}) {
		if slug := note.Slug(redact.Strip(a.Name), 48); strings.HasPrefix(slug, name+"-") {
			name = slug // "plan-review-md" says that it is a plan
		} else {
			name += " " + slug
		}
		n := 4
		if full {
			n = 12
		}
		suffix += "-" + texts.Digest(a.Kind+"/"+PlainName(a), n)
	}
	day := ""
	if !s.Created.IsZero() {
		day = s.Created.UTC().Format(time.DateOnly) + " "
	}
	return ProjectFolder(pr) + "/memory/" + note.FileName(day+name+" ("+suffix+")") + ".md"
}

// SharedMemoryPath is where the memory of a project lies, or of a person where key is
// empty.
func SharedMemoryPath(key string, a sources.Artifact, suffix string) string {
	name := note.Slug(redact.Strip(a.Name), 60) + " (" + texts.Digest(PlainName(a), 8)
	if suffix != "" {
		name += "-" + suffix
	}
	if key == "" {
		return "memory/" + note.FileName(name+")") + ".md"
	}
	return ProjectFolder(identity.ProjectFromKey(key)) + "/memory/" + note.FileName("repo "+name+")") + ".md"
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
	return strings.TrimLeft(note.Slug(id, 24)+"-"+texts.Digest(id, 12), "-")
}

// isPlain tells whether a text is its own slug, and that of no other text.
func isPlain(s string) bool {
	return s != "" && strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// ProjectFolder is where all of a project lies.
func ProjectFolder(pr identity.Project) string { return "projects/" + pr.Folder }

// ProjectPath is where the page of a project lies.
func ProjectPath(pr identity.Project) string { return ProjectFolder(pr) + "/" + pr.Folder + ".md" }

// CanvasPath is where the canvas of a project lies.
func CanvasPath(pr identity.Project) string { return ProjectFolder(pr) + "/" + pr.Folder + ".canvas" }

// DayPath is where the page of a day lies.
func DayPath(day string) string { return "journal/" + day + ".md" }

// WeekPath is where the page of a week lies.
func WeekPath(week string) string { return "journal/" + week + ".md" }

// FilePath is where the note of a file lies, by its path from the project's root.
func FilePath(pr identity.Project, path string) string {
	return ProjectFolder(pr) + "/files/" + note.FileName(note.Slug(path, 80)+" ("+texts.Digest(path, 4)+")") + ".md"
}

// TrimMD is a path as links name it.
func TrimMD(path string) string { return strings.TrimSuffix(path, ".md") }

// PicturePath is where a picture lies, empty for what is none.
func PicturePath(pr identity.Project, a sources.Attachment) string {
	ext := map[string]string{"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}[http.DetectContentType(a.Content)]
	if ext == "" {
		return ""
	}
	return ProjectFolder(pr) + "/attachments/" + PictureSum(a.Content) + "." + ext
}

// PictureSum is what a picture is called after.
func PictureSum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// PictureID names a picture among the tombstones.
func PictureID(p string) string {
	return TypePicture + ":" + strings.TrimSuffix(path.Base(p), path.Ext(p))
}

// PictureFileID is the id of the record of a picture that we put, or would put, at
// a path. Its tombstone is that of its content, see [PictureID].
func PictureFileID(at string) string { return TypePicture + ":" + at }

// IsPictureFile tells the id of the record of a picture.
func IsPictureFile(id string) bool { return strings.HasPrefix(id, TypePicture+":") }
