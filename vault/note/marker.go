package note

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Names of the managed regions. nav is made of facts of other notes.
const (
	RegionBody = "body"
	RegionNav  = "nav"
)

// MarkerWord is in every marker line; looking for it finds them all fast.
const MarkerWord = "sessionloom"

// Marker is one of our comment lines around a region.
type Marker struct {
	Name       string // region
	Closing    bool
	Sum        string // of a closing line: the hash of the region as we last rendered it
	Start, End int    // the whole line with its end of line
}

// Rendered maps the properties that we last wrote to fingerprints of their values.
type Rendered map[string][]string

// RenderedFrom is the memory that remembered properties amount to.
func RenderedFrom(props []Property) Rendered {
	m := make(Rendered, len(props))
	for _, p := range props {
		if p.Key != KeyID && p.Value != nil {
			m[p.Key] = Fingerprints(p.Key, Entries(p.Key, p.Value))
		}
	}
	return m
}

// Wrote reports whether we rendered the value, or the entry of a set.
func (m Rendered) Wrote(key string, value []string) bool {
	prints, ok := m[key]
	return ok && !slices.ContainsFunc(Fingerprints(key, value), func(p string) bool { return !slices.Contains(prints, p) })
}

// LooksLikeMarker reports whether a line would be taken for one of ours, well formed or not.
func LooksLikeMarker(line []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("%%"))
	if !ok {
		return false
	}
	rest = bytes.TrimSpace(rest)
	closing := bytes.HasPrefix(rest, []byte("/"))
	rest, ok = bytes.CutPrefix(bytes.TrimPrefix(rest, []byte("/")), []byte(MarkerWord))
	if !ok || len(rest) == 0 || rest[0] == ':' {
		return ok && len(rest) > 0 // as older versions wrote them
	}
	f := bytes.Fields(rest)
	return rest[0] != '-' && len(f) > 0 && (closing || slices.Contains([]string{RegionBody, RegionNav, commentWord}, string(f[0])))
}

// HoldsMarker reports whether some line of the text looks like a marker.
func HoldsMarker(text string) bool {
	if !strings.Contains(text, MarkerWord) {
		return false
	}
	for line := range strings.Lines(text) {
		if LooksLikeMarker([]byte(line)) {
			return true
		}
	}
	return false
}

// ParseMarker reads a line that looks like a marker of a region.
func ParseMarker(line []byte) (Marker, bool) {
	f := strings.Fields(string(line))
	if len(f) < 4 || f[0] != "%%" || f[len(f)-1] != "%%" {
		return Marker{}, false
	}
	m := Marker{Name: f[2], Closing: f[1] == "/"+MarkerWord}
	known := (m.Closing || f[1] == MarkerWord) && (m.Name == RegionBody || m.Name == RegionNav)
	if m.Closing && len(f) == 5 {
		m.Sum = f[3]
		return m, known && len(m.Sum) == 16
	}
	return m, known && !m.Closing && len(f) == 4
}

// IsPropertyKey reports whether frontmatter and comment can hold a key unchanged.
func IsPropertyKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return key != ""
}

// InConflict looks for markers of a merge, except in our regions: a transcript may quote them.
func (doc *Document) InConflict() bool {
	if !bytes.Contains(doc.Raw, []byte(">>>>>>> ")) {
		return false
	}
	texts := append(doc.Outside(), doc.Raw[:doc.Front.After])
	for _, r := range []*Region{doc.Body, doc.Nav} {
		if r != nil && !r.Untouched() {
			texts = append(texts, []byte(r.Text))
		}
	}
	all := append([]byte("\n"), bytes.Join(texts, []byte("\n"))...)
	ours, theirs := []byte("\n<<<<<<< "), []byte("\n>>>>>>> ")
	return bytes.Contains(all, ours) && bytes.Contains(all, []byte("\n=======")) && bytes.Contains(all, theirs)
}

// DamagedLine is the first line with a NUL, or with broken UTF-8 in a part of ours; 0: none.
func (doc *Document) DamagedLine() int {
	if i := bytes.IndexByte(doc.Raw, 0); i >= 0 {
		return LineOf(doc.Raw, i)
	}
	if utf8.Valid(doc.Raw) {
		return 0
	}
	spans := append(doc.ours(), Edit{Start: doc.Front.open, End: doc.Front.After})
	sortEdits(spans)
	for _, s := range spans {
		for at := s.Start; at < s.End; {
			r, size := utf8.DecodeRune(doc.Raw[at:s.End])
			if r == utf8.RuneError && size == 1 {
				return LineOf(doc.Raw, at)
			}
			at += size
		}
	}
	return 0
}

// SalvageID reads the id from the first 2000 lines, whatever the rest is.
func SalvageID(head []byte) string {
	lines := 0
	for line := range bytes.Lines(bytes.TrimPrefix(head, ByteOrderMark)) {
		if lines++; lines > 2000 || isFence(line) != (lines == 1) {
			return ""
		}
		if rest, ok := bytes.CutPrefix(line, []byte(KeyID+":")); ok {
			if !bytes.HasSuffix(line, []byte("\n")) {
				return "" // the rest of it was cut off: half an id is that of no note
			}
			s := strings.TrimSpace(string(rest))
			if id, ok := unquote(s); ok {
				return id
			}
			return strings.Trim(s, `"'`)
		}
	}
	return ""
}

// Region is one managed stretch of a note: between an opening and a closing line.
type Region struct {
	Begin, End Marker
	Text       string // between the two lines, LF line ends
}

// Untouched reports whether the region is as we last rendered it.
func (r *Region) Untouched() bool { return Hash([]byte(r.Text)) == r.End.Sum }

// PadRegion puts a text into its form between marker lines: LF, a blank line around.
func PadRegion(text string) string {
	if !utf8.ValidString(text) { // which is told much faster than it is mended
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	text = strings.Trim(text, "\n")
	if text == "" {
		return "\n"
	}
	return "\n" + text + "\n\n"
}

// AppendRegion writes a region with its marker lines around a padded text.
func AppendRegion(b []byte, name, padded string) []byte {
	b = append(append(append(b, "%% "+MarkerWord+" "...), name...), " %%\n"...)
	return append(append(b, padded...), Closing(name, Hash([]byte(padded)))...)
}

// Closing is the closing line of a region with the hash of its text as we render it.
func Closing(name, sum string) string { return "%% /" + MarkerWord + " " + name + " " + sum + " %%\n" }

// findMarkers returns the marker lines, or why they cannot be trusted.
func findMarkers(raw []byte) (found []Marker, broken string) {
	word := []byte(MarkerWord)
	for at := 0; ; {
		i := bytes.Index(raw[at:], word)
		if i < 0 {
			return found, ""
		}
		start := bytes.LastIndexByte(raw[:at+i], '\n') + 1
		end := NextLine(raw, at+i)
		at = end
		line := raw[start:end]
		if !LooksLikeMarker(line) || opensComment(line) {
			continue
		}
		m, ok := ParseMarker(line)
		if !ok {
			return nil, "a comment line of ours is damaged"
		}
		m.Start, m.End = start, end
		found = append(found, m)
	}
}

// pairRegions requires at most one closed pair of each name, not nested.
func pairRegions(raw []byte, found []Marker) (regions map[string]*Region, broken string) {
	regions = make(map[string]*Region, 2)
	var open *Region
	for _, m := range found {
		switch {
		case !m.Closing && (open != nil || regions[m.Name] != nil):
			return nil, "the comment lines around a text are doubled or nested"
		case !m.Closing:
			open = &Region{Begin: m}
			regions[m.Name] = open
		case open == nil || open.Begin.Name != m.Name:
			return nil, "the comment line that ends a text has no beginning"
		default:
			open.End = m
			open.Text = string(ToLF(raw[open.Begin.End:m.Start]))
			open = nil
		}
	}
	if open != nil {
		return nil, "the comment line that ends a text is missing"
	}
	return regions, ""
}
