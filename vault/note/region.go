package note

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Region is one managed stretch of a note: between an opening and a closing line.
type Region struct {
	Begin, End Marker
	Text       string // between the two lines, LF line ends
}

// Untouched says that the region holds what we last rendered.
func (r *Region) Untouched() bool { return Hash([]byte(r.Text)) == r.End.Sum }

// PadRegion puts a rendered text into the form it has between the marker lines: LF
// line ends, one blank line before and after.
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

// findMarkers returns the marker lines in file order, or in plain words why
// they cannot be trusted.
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

// pairRegions puts opening and closing lines together. Anything but at most one
// closed, not nested pair of each name is broken.
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
