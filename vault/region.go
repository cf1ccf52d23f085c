package vault

import (
	"bytes"
	"strconv"
	"strings"
)

// region is one managed stretch of a note: between a begin and an end line.
type region struct {
	begin, end marker
	text       string // between the two lines, LF line ends
}

// untouched says that the region holds what we last rendered.
func (r *region) untouched() bool { return textHash([]byte(r.text)) == r.begin.sum }

// frame puts a rendered text into the form it has between the marker lines: LF
// line ends, one blank line before and after.
func frame(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	text = strings.Trim(text, "\n")
	if text == "" {
		return "\n"
	}
	return "\n" + text + "\n\n"
}

// appendRegion writes a region with its marker lines around a framed text.
func appendRegion(b []byte, name, framed string) []byte {
	b = appendOpened(b, name, framed)
	b = append(append(b, "%% sessionloom:end "...), name...)
	return append(b, " %%\n"...)
}

// appendOpened writes a region up to its end line.
func appendOpened(b []byte, name, framed string) []byte {
	return append(appendBegin(b, name, framed), framed...)
}

// appendBegin writes the begin line of a region with the hash of a text.
func appendBegin(b []byte, name, framed string) []byte {
	b = append(append(b, "%% sessionloom:begin "...), name...)
	b = strconv.AppendInt(append(b, " v="...), layoutVersion, 10)
	b = append(append(b, " sha256="...), textHash([]byte(framed))...)
	return append(b, " %%\n"...)
}

// findMarkers returns the marker lines in file order, or in plain words why
// they cannot be trusted.
func findMarkers(raw []byte) (found []marker, broken string) {
	word := []byte(markerWord)
	for at := 0; ; {
		i := bytes.Index(raw[at:], word)
		if i < 0 {
			return found, ""
		}
		start := bytes.LastIndexByte(raw[:at+i], '\n') + 1
		end := nextLine(raw, at+i)
		at = end
		line := raw[start:end]
		if !looksLikeMarker(line) {
			continue
		}
		m, ok := parseMarker(line)
		if !ok {
			return nil, "a region marker is damaged"
		}
		m.start, m.end = start, end
		found = append(found, m)
	}
}

// pairRegions puts begin and end lines together. Anything but at most one
// closed, not nested pair of each name and one props line outside of them is
// broken.
func pairRegions(raw []byte, found []marker) (props *marker, regions map[string]*region, broken string) {
	regions = make(map[string]*region, 2)
	var open *region
	for i := range found {
		m := found[i]
		switch m.kind {
		case "props":
			if props != nil || open != nil {
				return nil, nil, "the line of the properties is doubled or inside a region"
			}
			props = &found[i]
		case "begin":
			if open != nil || regions[m.name] != nil {
				return nil, nil, "a region is doubled or nested"
			}
			open = &region{begin: m}
			regions[m.name] = open
		default:
			if open == nil || open.begin.name != m.name {
				return nil, nil, "the end of a region has no beginning"
			}
			open.end = m
			open.text = string(toLF(raw[open.begin.end:m.start]))
			open = nil
		}
	}
	if open != nil {
		return nil, nil, "a region is not closed"
	}
	return props, regions, ""
}

// nextLine returns the offset behind the line that holds offset at.
func nextLine(raw []byte, at int) int {
	if i := bytes.IndexByte(raw[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(raw)
}

// lineEnd is how a file ends its lines: its first one.
func lineEnd(raw []byte) string {
	if i := bytes.IndexByte(raw, '\n'); i > 0 && raw[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// toLF returns the text with LF line ends.
func toLF(b []byte) []byte {
	if bytes.IndexByte(b, '\r') < 0 {
		return b
	}
	return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
}
