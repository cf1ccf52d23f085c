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

// Paths are from the managed folder; Journal.Place gives those of days and weeks their names.

// nameLimit is the length of a name that is made of that of a file, clauseLimit that of one that is
// made of what somebody said, in bytes.
const (
	nameLimit   = 60
	clauseLimit = 84
)

// SessionNames names the notes of a session: by the minute it began, in the vault's zone of names,
// and by its title, else by what it says first. A note keeps the name it got, but that of a session
// which had no title yet gets another one with it, once.
type SessionNames struct {
	folder, start, words string
	// Untitled is set if the session has no title but its prompt.
	Untitled bool
}

// OfSession are the names of a session in a project.
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

// saysFirst are the texts that may name a session, the best one first.
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

// clause is as much of a text as names a note.
func clause(text string) string {
	text = texts.OneLine(texts.CutRunes(redact.Elide(text), 20*clauseLimit)) // of a long one no more is looked at
	short := texts.Clause(text, clauseLimit)
	words := note.Words(short, clauseLimit)
	if words != "" && short != text && strings.HasSuffix(short, "…") && !strings.HasSuffix(words, "…") {
		words += "…"
	}
	return words
}

// name joins the start, a word for the kind of the note, and what the session is called by.
func (n SessionNames) name(kind, end string) string {
	return note.FileName(n.start+kind+n.words+end) + ".md"
}

// Note is where the first note of the session lies.
func (n SessionNames) Note() string { return n.folder + "/sessions/" + n.name("", "") }

// Part is where the i-th part of the session's note lies, from 2.
func (n SessionNames) Part(i int) string {
	return n.folder + "/sessions/" + n.name("", fmt.Sprintf(" part %d", i))
}

// Checkpoint is where the i-th checkpoint lies. It carries its number and not its title: after
// a rewind a number is used again with another title, and one id has one name.
func (n SessionNames) Checkpoint(i int) string {
	return n.folder + "/checkpoints/" + n.name(fmt.Sprintf("cp%d ", i), "")
}

// Memory is where a saved text of the session lies.
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

// withoutExt is the name of a text as people say it.
func withoutExt(name string) string {
	if ext := path.Ext(name); ext == ".md" || ext == ".txt" {
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// SharedMemoryPath is where the memory of a project lies, or of a person where key is
// empty.
func SharedMemoryPath(key string, a sources.Artifact) string {
	name := note.FileName(strings.TrimSpace("Memory "+note.Words(redact.Elide(withoutExt(a.Name)), nameLimit))) + ".md"
	if key == "" {
		return "memory/" + name
	}
	return ProjectFolder(identity.ProjectFromKey(key)) + "/memory/" + name
}

// FilePath is where the note of a file lies, by its path from the project's root: its name, and
// the folder it is in.
func FilePath(pr identity.Project, at string) string {
	dir, base := path.Split(redact.Elide(at))
	if dir = strings.Trim(dir, "/"); dir == "" {
		dir, _, _ = strings.Cut(pr.Name, " (")
	}
	name := cmp.Or(note.Words(base, nameLimit), "file") + " (" + tail(note.Words(strings.ReplaceAll(dir, "/", "-"), len(dir)), nameLimit/2) + ")"
	return ProjectFolder(pr) + "/files/" + note.FileName(name) + ".md"
}

// tail is the end of a name, cut between its parts.
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

// Stem is the name of a note without the hash of its id.
func Stem(at, id string) string { return strings.TrimSuffix(TrimMD(path.Base(at)), hashEnd(id)) }

// GivenName is the mark, in the comment of a note, of the name we gave it: if the note has
// another, its user renamed it.
func GivenName(at, id string) string { return texts.Digest(Stem(at, id), 8) }

// Two notes whose names are equal in the vault, however written, both carry a hash of their
// ids: so it does not matter which was found first.

// WithHash is the path of a note with a hash of its id in its name.
func WithHash(at, id string) string {
	return strings.TrimSuffix(TrimMD(at), hashEnd(id)) + hashEnd(id) + ".md"
}

// Wanted is the name that a note has where no other has it, in the form in which names are
// compared: without the hash of its id.
func Wanted(at, id string) string {
	name := TrimMD(path.Base(at))
	if strings.HasSuffix(name, ")") { // else none is taken off
		name = strings.TrimSuffix(name, hashEnd(id))
	}
	return strings.ToLower(name)
}

func hashEnd(id string) string { return " (" + texts.Digest(id, 8) + ")" }

// IsHashed recognizes the types of notes whose names are made of texts, so that two may be equal.
func IsHashed(typ string) bool {
	return slices.Contains([]string{TypeSession, TypePart, TypeCheckpoint, TypeMemory, TypeFile, TypeIssue, TypePR}, typ)
}

// ProjectFolder is the folder of a project.
func ProjectFolder(pr identity.Project) string { return "projects/" + pr.Folder }

// ProjectPath is where the page of a project lies.
func ProjectPath(pr identity.Project) string { return ProjectFolder(pr) + "/" + pr.Folder + ".md" }

// CanvasPath is where the canvas of a project lies.
func CanvasPath(pr identity.Project) string { return ProjectFolder(pr) + "/" + pr.Folder + ".canvas" }

// journalFolder is where the pages of days and weeks lie.
const journalFolder = "journal/"

// DayPath is where the page of a day lies.
func DayPath(day string) string { return journalFolder + day + ".md" }

// WeekPath is the path of the page of a week.
func WeekPath(week string) string { return journalFolder + week + ".md" }

// TrimMD is a path as links name it.
func TrimMD(path string) string { return strings.TrimSuffix(path, ".md") }

// PictureFolder is the folder of a project's pictures.
func PictureFolder(pr identity.Project) string { return ProjectFolder(pr) + "/attachments" }

// PicturePath is the path of a picture, empty for other files.
func PicturePath(pr identity.Project, a sources.Attachment) string {
	ext := map[string]string{"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}[http.DetectContentType(a.Content)]
	if ext == "" {
		return ""
	}
	return PictureFolder(pr) + "/" + PictureSum(a.Content) + "." + ext
}

// PictureSum is the hash in the name of a picture.
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

// IsPictureFile recognizes the id of the record of a picture.
func IsPictureFile(id string) bool { return strings.HasPrefix(id, TypePicture+":") }
