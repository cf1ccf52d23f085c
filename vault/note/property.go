package note

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const timeLayout = "2006-01-02T15:04:05"

// The properties with a meaning of their own here.
const (
	KeyID      = "id"
	KeyUpdated = "updated"
)

// IsSet reports whether a property is a collection to which the user and we both add.
func IsSet(key string) bool { return key == "tags" || key == "aliases" }

// Entries is the canonical form of a value, however it was spelled: nothing is an empty list.
func Entries(key string, v any) []string {
	var list []string
	switch v := v.(type) {
	case nil:
	case []string:
		list = make([]string, len(v))
		for i, s := range v {
			list[i] = strings.ToValidUTF8(s, "\uFFFD")
		}
	default:
		switch s := strings.ToValidUTF8(scalarText(v), "\uFFFD"); {
		case s == "":
		case key == "tags": // Obsidian once had several on one line
			list = strings.FieldsFunc(s, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		default:
			list = []string{s}
		}
	}
	if key == "tags" {
		for i, s := range list {
			list[i] = strings.TrimPrefix(s, "#") // which may stand before a tag
		}
	}
	return list
}

func scalarText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return v.UTC().Format(timeLayout)
	}
	return fmt.Sprint(v)
}

// AppendProperty writes one property as its frontmatter lines.
func AppendProperty(b []byte, p Property) []byte {
	b = append(append(b, p.Key...), ':')
	switch v := p.Value.(type) {
	case []string:
		if len(v) == 0 {
			return append(b, " []\n"...)
		}
		b = append(b, '\n')
		for _, s := range v {
			b = append(AppendQuoted(append(b, "  - "...), s), '\n')
		}
		return b
	case int, bool, time.Time:
		b = append(append(b, ' '), scalarText(v)...)
	default:
		b = AppendQuoted(append(b, ' '), scalarText(v))
	}
	return append(b, '\n')
}

// AppendQuoted writes a YAML double-quoted scalar on one line. What does not print is escaped, and so
// is a second colon: Dataview looks for "key:: value" there, too.
func AppendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == ':' && b[len(b)-1] == ':':
			b = append(b, `\x3a`...)
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case unicode.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r > 0xFFFF:
			b = fmt.Appendf(b, `\U%08x`, r)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return append(b, '"')
}

// printSize is the length of a fingerprint: 36 bits in 6 letters.
const printSize = 6

func fingerprint(key, entry string) string {
	sum := sha256.Sum256([]byte(key + "\x00" + entry))
	return base64.RawURLEncoding.EncodeToString(sum[:5])[:printSize]
}

// Fingerprints of a value: one for each entry of a set, else one in all.
func Fingerprints(key string, value []string) []string {
	if !IsSet(key) {
		return []string{fingerprint(key, strings.Join(value, "\x00"))}
	}
	prints := make([]string, len(value))
	for i, s := range value {
		prints[i] = fingerprint(key, s)
	}
	return prints
}

// Content is the content of a generated note.
type Content struct {
	ID string
	// Props are our properties in their order.
	Props []Property
	Facts []Fact // of the comment for the program
	// Body and Nav are the texts of the regions. They hold no line that looks
	// like a region marker. An empty Nav is no region.
	Body, Nav *string
	// HasOwnLine has a new note hold [OwnLine].
	HasOwnLine bool
}

// OwnLine is a line in a new note for its reader to continue. Until edited, it is ours.
const OwnLine = "**In my words:**"

// Render writes a whole new note.
func Render(c Content) []byte {
	size := 1024 // marker lines and links among properties
	for _, text := range []*string{c.Body, c.Nav} {
		if text != nil {
			size += len(*text)
		}
	}
	b := make([]byte, 0, size+96*len(c.Props))
	b = append(b, "---\n"...)
	if !HasProperty(c.Props, KeyID) {
		b = AppendProperty(b, Property{Key: KeyID, Value: c.ID})
	}
	for _, p := range c.Props {
		if p.Value != nil {
			b = AppendProperty(b, p)
		}
	}
	b = append(b, "---\n\n"...)
	body, nav := c.Regions()
	b = AppendRegion(b, RegionBody, *body)
	if c.HasOwnLine {
		b = append(append(append(b, '\n'), OwnLine...), '\n')
	}
	if nav != nil {
		b = AppendRegion(append(b, '\n'), RegionNav, *nav)
	}
	comment := Comment{Prints: RenderedFrom(c.Props), NoNav: nav == nil, Facts: c.Facts}
	return append(append(b, '\n'), comment.Text()...)
}

// Regions are the padded texts of a new note; nav is nil if it has none.
func (c Content) Regions() (body, nav *string) {
	text := ""
	if c.Body != nil {
		text = *c.Body
	}
	text = PadRegion(text)
	if c.Nav != nil && *c.Nav != "" {
		nav = new(PadRegion(*c.Nav))
	}
	return &text, nav
}

// Note is the content of a new note with a rendered text, without reading it back.
func (c Content) Note(path string, text []byte) Note {
	n := Note{Path: path, Hash: Hash(text), ID: c.ID, Props: c.Props, Facts: c.Facts}
	for _, part := range []*string{c.Body, c.Nav} {
		if part != nil {
			n.Boxes = append(n.Boxes, Boxes(*part)...)
		}
	}
	return n
}

// Verify refuses content that would not read back as what it is.
func (c Content) Verify() error {
	if c.ID == "" {
		return fmt.Errorf("note without an id")
	}
	for i, p := range c.Props {
		if !IsPropertyKey(p.Key) || HasProperty(c.Props[:i], p.Key) {
			return fmt.Errorf("note %q: property %q has no usable name or stands twice", c.ID, p.Key)
		}
	}
	for _, f := range c.Facts {
		if !f.isWhole() {
			return fmt.Errorf("note %q: the fact %q would not read back", c.ID, f.Key)
		}
	}
	for _, text := range []*string{c.Body, c.Nav} {
		if text != nil && HoldsMarker(*text) {
			return fmt.Errorf("note %q: the rendered text holds a comment line of ours", c.ID)
		}
	}
	return nil
}

// HasProperty reports whether a property with a key is among some.
func HasProperty(props []Property, key string) bool {
	return slices.ContainsFunc(props, func(p Property) bool { return p.Key == key })
}
