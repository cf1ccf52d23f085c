package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Ids are made of texts of somebody: names of folders and files, keys of rows,
// what a log calls its session. They stand in notes as all else does, so they are
// harmless, bounded and show no secret. A part that is so already stays as it is.
// Any other becomes what of it may be shown and a digest of the whole, by which
// no two parts are one. The digest has no key: an id is the same with any ledger.

const (
	maxPlainPart = 200 // bytes of a part that stays as it is
	maxShownPart = 40  // bytes that are shown of any other
)

var (
	// sourceForm is what a source puts before an id that is no UUID.
	sourceForm = regexp.MustCompile(`^[a-z]+(-[a-z]+)*:([0-9a-f]{32}:)?`)
	// digestForm is the end of a part that was made plain.
	digestForm = regexp.MustCompile(`~[0-9a-f]{16}$`)
	// oddForm is what acts in frontmatter, and what does not show at the ends.
	oddForm = regexp.MustCompile("[<>`]|\\[\\[|\\]\\]|\\]\\(|%%|::|://|\\{\\{|^ | $|" + digestForm.String())
	// partForm is what reads as the next part of an id.
	partForm = regexp.MustCompile(`:[0-9]+$|:plan$|:repo:|:(plan|memory|research|file|summary)/`)
)

// plainPart gives a part of an id that is somebody's text as ids have it. Masks in
// it are numbered already.
func plainPart(part string) string {
	if isPlainPart(part) {
		return part
	}
	return shownOf(part, part)
}

// shownOf is the form of a part that is not plain: shown may be shown of it.
func shownOf(part, shown string) string {
	return vault.Slug(shown, maxShownPart) + "~" + digest(part, 16)
}

func isPlainPart(s string) bool {
	return len(s) <= maxPlainPart && utf8.ValidString(s) && strings.IndexFunc(s, unseen) < 0 && !oddForm.MatchString(s)
}

// unseen says that r shows nothing of itself.
func unseen(r rune) bool {
	return !unicode.IsPrint(r) || slices.Contains([]rune{0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0}, r) || r >= 0xe0000
}

// plainID gives the id of a session, or the key of an item, as it came out of a
// source, in the form in which it is kept and shown.
func (p *pass) plainID(id string) string {
	head := sourceForm.FindString(id)
	if partForm.MatchString(id) {
		return head + shownOf(id, "")
	}
	return p.plainBehind(head, id)
}

// plainKey is plainID for the key of an item, of which the last name is somebody's.
func (p *pass) plainKey(key string) string {
	return p.plainBehind(key[:strings.LastIndexByte(key, '/')+1], key)
}

func (p *pass) plainBehind(head, id string) string {
	tail := id[len(head):]
	if sources.IsUUID(tail) && isPlainPart(head) {
		return id
	}
	whole, err := p.Masker.Text(id)
	if err == nil && whole == id && isPlainPart(id) {
		return id
	}
	shown, failed := p.Masker.Text(tail)
	switch {
	case err != nil || failed != nil || whole != id && shown == tail: // it is in the head, or by what that says
		return shownOf(id, "")
	case !isPlainPart(head):
		head = ""
	}
	return head + shownOf(id, redact.Strip(shown))
}

// plainRef is plainID for an id that one session has of another. It may have been
// made plain already.
func (p *pass) plainRef(id string) string {
	if digestForm.MatchString(id) && isPlainPart(digestForm.ReplaceAllString(id, "")) {
		return id
	}
	return p.plainID(id)
}

// plainPair gives the key of an item and the id of its session.
func (p *pass) plainPair(key, id string) (plainKey, plainID string) {
	plainKey, plainID = p.plainKey(key), p.plainID(id)
	if plainID != id && plainKey == key { // the same name in another case
		at := strings.LastIndexByte(key, '/') + 1
		plainKey = key[:at] + shownOf(key[at:], "")
	}
	return plainKey, plainID
}

// plainItems gives the ids in a listing their plain form. What it was is kept for
// the source, which knows its items by it.
func (p *pass) plainItems(items []sources.Item) {
	for i, it := range items {
		key, id := p.plainPair(it.Key, it.Session)
		if key == it.Key && id == it.Session {
			continue
		}
		items[i].Key, items[i].Session = key, id
		p.asListed[it.Source+"\x00"+key] = it
	}
}

// listedAs is an item as its source listed it.
func (p *pass) listedAs(it sources.Item) sources.Item {
	if raw, ok := p.asListed[it.Source+"\x00"+it.Key]; ok {
		return raw
	}
	return it
}

// plainReading gives the ids in what was read their plain form.
func (p *pass) plainReading(r *sources.Reading) {
	for i := range r.RowsOnly {
		r.RowsOnly[i] = p.plainID(r.RowsOnly[i])
	}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		s.ID = p.plainID(s.ID)
		p.plainLayers(s.ID, s.Layers)
	}
}

func (p *pass) plainLayers(id string, layers []sources.Layer) {
	for _, la := range layers {
		if la.Session != nil {
			p.plainSession(id, la.Session)
		}
	}
}

func (p *pass) plainSession(id string, s *sources.Session) {
	s.ID, s.Parent = id, p.plainRef(s.Parent)
	for i := range s.Aka {
		s.Aka[i] = p.plainRef(s.Aka[i])
	}
	for i := range s.Turns {
		s.Turns[i].ID = p.plainRef(s.Turns[i].ID)
	}
	for i := range s.Files {
		s.Files[i].TurnID = p.plainRef(s.Files[i].TurnID)
	}
}
