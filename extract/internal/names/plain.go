package names

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Ids contain somebody's texts: names of folders and files, keys of rows, a log's name for its session. Like
// everything in notes they must be harmless, bounded and without secrets. A part that already is stays as it
// is. Another one becomes its safe beginning and a digest of the whole, so that two parts stay different. The
// digest has no key: an id is the same with any ledger.

const (
	maxPlainPart = 200 // bytes of a part that stays as it is
	maxShownPart = 40  // bytes shown of any other
	digestForm   = 17  // bytes at the end of a converted part: ~ and 16 hex digits
)

var (
	// sourceForm matches a source's prefix of an id that is not a UUID.
	sourceForm = regexp.MustCompile(`^[a-z]+(-[a-z]+)*:([0-9a-f]{32}:)?`)
	// partForm matches text that reads as the next part of an id.
	partForm = regexp.MustCompile(`:[0-9]+$|:plan$|:repo:|:(plan|memory|research|file|summary)/`)
)

// PlainPart converts a text to a part of an id. Masks in it are numbered already.
func PlainPart(part string) string {
	if IsPlainPart(part) {
		return part
	}
	return shownOf(part, part)
}

// shownOf returns the converted form of a part, of which shown may be shown.
func shownOf(part, shown string) string {
	return note.Slug(shown, maxShownPart) + "~" + texts.Digest(part, 16)
}

// IsPlainPart reports whether a part of an id stays as it is.
func IsPlainPart(s string) bool {
	return len(s) <= maxPlainPart && utf8.ValidString(s) && strings.IndexFunc(s, note.Unseen) < 0 && !isOdd(s)
}

// isOdd reports whether a text acts in frontmatter, is invisible at the ends, or reads as a converted part.
func isOdd(s string) bool {
	return strings.ContainsAny(s, "<>`") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") || IsMadePlain(s) ||
		slices.ContainsFunc([]string{"[[", "]]", "](", "%%", "::", "://", "{{"}, func(sign string) bool { return strings.Contains(s, sign) })
}

// TextMasker masks the secrets of a text. After an error nothing of it may be stored.
type TextMasker interface {
	Text(s string) (string, error)
}

// PlainForm converts ids from a source to the form in which they are stored and shown.
type PlainForm struct{ Masker TextMasker }

// id converts the id of a session, or the key of an item, to the stored form.
func (p PlainForm) id(id string) string {
	head := sourceForm.FindString(id)
	if partForm.MatchString(id) {
		return head + shownOf(id, "")
	}
	return p.behind(head, id)
}

func (p PlainForm) behind(head, id string) string {
	tail := id[len(head):]
	if sources.IsUUID(tail) && IsPlainPart(head) {
		return id
	}
	whole, err := p.Masker.Text(id)
	if err == nil && whole == id && IsPlainPart(id) {
		return id
	}
	shown, failed := p.Masker.Text(tail)
	switch {
	case err != nil || failed != nil || whole != id && shown == tail: // it is in the prefix, or only recognized with it
		return shownOf(id, "")
	case !IsPlainPart(head):
		head = ""
	}
	return head + shownOf(id, redact.Strip(shown))
}

// Ref converts an id that one session has of another, possibly converted already.
func (p PlainForm) Ref(id string) string {
	if IsMadePlain(id) && IsPlainPart(id[:len(id)-digestForm]) {
		return id
	}
	return p.id(id)
}

// IsMadePlain reports whether a part of an id was converted.
func IsMadePlain(id string) bool {
	at := len(id) - digestForm
	return at >= 0 && id[at] == '~' && strings.Trim(id[at+1:], "0123456789abcdef") == ""
}

// Pair converts the key of an item and the id of its session.
func (p PlainForm) Pair(key, id string) (plainKey, plainID string) {
	plainKey, plainID = p.behind(key[:strings.LastIndexByte(key, '/')+1], key), p.id(id) // the last name of a key is somebody's
	if plainID != id && plainKey == key {                                                // equal but for case
		at := strings.LastIndexByte(key, '/') + 1
		plainKey = key[:at] + shownOf(key[at:], "")
	}
	return plainKey, plainID
}

// Reading converts the ids in a reading.
func (p PlainForm) Reading(r *sources.Reading) {
	for i := range r.RowsOnly {
		r.RowsOnly[i] = p.id(r.RowsOnly[i])
	}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		s.ID = p.id(s.ID)
		p.Layers(s.ID, s.Layers)
	}
}

// Layers converts the ids in the layers of a session.
func (p PlainForm) Layers(id string, layers []sources.Layer) {
	for _, la := range layers {
		if la.Session != nil {
			p.Session(id, la.Session)
		}
	}
}

// Session converts the ids in a session, and gives it a converted id.
func (p PlainForm) Session(id string, s *sources.Session) {
	s.ID, s.Parent = id, p.Ref(s.Parent)
	for i := range s.Aliases {
		s.Aliases[i] = p.Ref(s.Aliases[i])
	}
	for i := range s.Turns {
		s.Turns[i].ID = p.Ref(s.Turns[i].ID)
	}
	for i := range s.Files {
		s.Files[i].TurnID = p.Ref(s.Files[i].TurnID)
	}
}
