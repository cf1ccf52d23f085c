package names

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Names of the files that are at the root of the managed folder.
const (
	HomePath         = "Home.md"
	ThreadsPath      = "Open threads.md"
	SessionsBasePath = "Sessions.base"
	FilesBasePath    = "Files.base"
)

// Paths are relative to the managed folder; Journal.Place gives days and weeks their names.

// nameLimit limits the bytes of a name built from a file's name, clauseLimit those of a name built from
// somebody's words.
const (
	nameLimit   = 60
	clauseLimit = 84
)

// SessionNames names the notes of a session: by the minute it began, in the vault's zone of names, and by its
// title, else by its first words. A note keeps its name, but a session without a title is renamed once when
// it gets one.
type SessionNames struct {
	folder, start, words string
	// Untitled is set if the session has only its prompt for a title.
	Untitled bool
}

// OfSession returns the names of a session in a project.
func OfSession(pr identity.Project, s *sources.Session, zone *time.Location) SessionNames {
	n := SessionNames{folder: ProjectFolder(pr), Untitled: s.TitleFrom <= sources.TrustPrompt}
	for _, text := range saysFirst(pr, s) {
		if n.words = clause(text); n.words != "" {
			break
		}
	}
	if !s.Created.IsZero() {
		n.start = s.Created.In(zone).Format("2006-01-02 1504") + " "
	}
	return n
}

// saysFirst returns the texts that may name a session, the best first.
func saysFirst(pr identity.Project, s *sources.Session) (out []string) {
	prompt := content.FirstPrompt(s.Turns)
	if s.TitleFrom > sources.TrustPrompt {
		out = append(out, s.Title)
	}
	out = append(out, texts.FirstLine(prompt), prompt)
	if len(s.Actions) > 0 {
		out = append(out, s.Actions[0].Text)
	}
	out = append(out, s.Title)
	if i := slices.IndexFunc(s.Turns, func(t sources.Turn) bool { return t.Assistant != "" }); i >= 0 {
		out = append(out, texts.FirstLine(s.Turns[i].Assistant))
	}
	if len(s.Files) > 0 {
		out = append(out, path.Base(strings.ReplaceAll(s.Files[0].Path, `\`, "/")))
	}
	name, _, _ := strings.Cut(pr.Name, " (")
	return append(out, name, "session")
}

// clause returns the part of a text that names a note.
func clause(text string) string {
	text = texts.OneLine(texts.CutRunes(redact.Elide(text), 20*clauseLimit)) // only the beginning of a long text
	short := texts.Clause(text, clauseLimit)
	words := note.Words(short, clauseLimit)
	if words != "" && short != text && strings.HasSuffix(short, "…") && !strings.HasSuffix(words, "…") {
		words += "…"
	}
	return words
}

// name joins the start, a word for the kind of the note, and the session's words.
func (n SessionNames) name(kind, end string) string {
	return note.FileName(n.start+kind+n.words+end) + ".md"
}

// Note returns the path of the session's first note.
func (n SessionNames) Note() string { return n.folder + "/sessions/" + n.name("", "") }

// Part returns the path of the i-th part of the session's note, from 2.
func (n SessionNames) Part(i int) string {
	return n.folder + "/sessions/" + n.name("", fmt.Sprintf(" part %d", i))
}

// Checkpoint returns the path of the i-th checkpoint. It has the number and not the title, as a rewind reuses
// the number with another title, and one id has one name.
func (n SessionNames) Checkpoint(i int) string {
	return n.folder + "/checkpoints/" + n.name(fmt.Sprintf("cp%d ", i), "")
}

// Memory returns the path of a saved text of the session.
func (n SessionNames) Memory(a sources.Artifact) string {
	name := n.name("plan ", "")
	if MemoryID("", a) != MemoryID("", sources.Artifact{Kind: sources.Plan}) {
		file := note.Words(redact.Elide(withoutExt(a.Name)), nameLimit)
		if !strings.HasPrefix(file, a.Kind+"-") { // "plan-review" says that it is a plan
			file = strings.TrimSpace(a.Kind + " " + file)
		}
		name = note.FileName(n.start+file) + ".md"
	}
	return n.folder + "/memory/" + name
}

// withoutExt returns the name of a text as people say it.
func withoutExt(name string) string {
	if ext := path.Ext(name); ext == ".md" || ext == ".txt" {
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// SharedMemoryPath returns the path of a memory of a project, or of a person if key is empty.
func SharedMemoryPath(key string, a sources.Artifact) string {
	name := note.FileName(strings.TrimSpace("Memory "+note.Words(redact.Elide(withoutExt(a.Name)), nameLimit))) + ".md"
	if key == "" {
		return "memory/" + name
	}
	return ProjectFolder(identity.ProjectFromKey(key)) + "/memory/" + name
}

// FilePath returns the path of the note of a file, by its path from the project's root: its name, and its
// folder.
func FilePath(pr identity.Project, at string) string {
	dir, base := path.Split(redact.Elide(at))
	if dir = strings.Trim(dir, "/"); dir == "" {
		dir, _, _ = strings.Cut(pr.Name, " (")
	}
	name := cmp.Or(note.Words(base, nameLimit), "file") + " (" + tail(note.Words(strings.ReplaceAll(dir, "/", "-"), len(dir)), nameLimit/2) + ")"
	return ProjectFolder(pr) + "/files/" + note.FileName(name) + ".md"
}

// tail returns the end of a name, cut between its parts.
func tail(name string, limit int) string {
	if len(name) <= limit {
		return name
	}
	cut := name[len(name)-limit:]
	if i := strings.IndexAny(cut, "-_ "); i >= 0 {
		cut = cut[i+1:]
	}
	return strings.TrimLeftFunc(cut, func(r rune) bool { return r == utf8.RuneError })
}

// Stem returns the name of a note without the hash of its id.
func Stem(at, id string) string { return strings.TrimSuffix(TrimMD(path.Base(at)), hashEnd(id)) }

// GivenName returns the mark of a note's name in its comment: if the note has another name, its user renamed
// it.
func GivenName(at, id string) string { return texts.Digest(Stem(at, id), 8) }

// Notes with equal names in the vault, in any spelling, all have a hash of their ids, so that their order
// does not matter.

// WithHash returns the path of a note with a hash of its id in its name.
func WithHash(at, id string) string {
	return strings.TrimSuffix(TrimMD(at), hashEnd(id)) + hashEnd(id) + ".md"
}

// Wanted returns the name that a note has if no other has it, for comparison: without the hash of its id.
func Wanted(at, id string) string {
	name := TrimMD(path.Base(at))
	if strings.HasSuffix(name, ")") { // else there is nothing to remove
		name = strings.TrimSuffix(name, hashEnd(id))
	}
	return strings.ToLower(name)
}

func hashEnd(id string) string { return " (" + texts.Digest(id, 8) + ")" }

// IsHashed reports whether notes of a type are named by texts, so that two may be equal.
func IsHashed(typ string) bool {
	return slices.Contains([]string{TypeSession, TypePart, TypeCheckpoint, TypeMemory, TypeFile, TypeIssue, TypePR}, typ)
}

// ProjectFolder returns the folder of a project.
func ProjectFolder(pr identity.Project) string { return "projects/" + pr.Folder }

// ProjectPath returns the path of the page of a project.
func ProjectPath(pr identity.Project) string { return ProjectFolder(pr) + "/" + pr.Folder + ".md" }

// CanvasPath returns the path of the canvas of a project.
func CanvasPath(pr identity.Project) string { return ProjectFolder(pr) + "/" + pr.Folder + ".canvas" }

// journalFolder is the folder of the pages of days and weeks.
const journalFolder = "journal/"

// DayPath returns the path of the page of a day.
func DayPath(day string) string { return journalFolder + day + ".md" }

// WeekPath returns the path of the page of a week.
func WeekPath(week string) string { return journalFolder + week + ".md" }

// TrimMD returns a path as links name it.
func TrimMD(path string) string { return strings.TrimSuffix(path, ".md") }

// PictureFolder returns the folder of a project's pictures.
func PictureFolder(pr identity.Project) string { return ProjectFolder(pr) + "/attachments" }

// PicturePath returns the path of a picture, or "" for other files.
func PicturePath(pr identity.Project, a sources.Attachment) string {
	ext := map[string]string{"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}[http.DetectContentType(a.Content)]
	if ext == "" {
		return ""
	}
	return PictureFolder(pr) + "/" + PictureSum(a.Content) + "." + ext
}

// PictureSum returns the hash in the name of a picture.
func PictureSum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// PictureID returns the id of a picture among the tombstones.
func PictureID(p string) string {
	return TypePicture + ":" + strings.TrimSuffix(path.Base(p), path.Ext(p))
}

// PictureFileID returns the id of the record of a picture at a path. Its tombstone has the id of its content,
// see [PictureID].
func PictureFileID(at string) string { return TypePicture + ":" + at }

// IsPictureFile reports whether an id names a picture's record.
func IsPictureFile(id string) bool { return strings.HasPrefix(id, TypePicture+":") }
