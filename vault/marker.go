package vault

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Names of the managed regions. body needs the source of a note, nav only
// facts of other notes.
const (
	regionBody = "body"
	regionNav  = "nav"
)

// markerWord is in every marker line; looking for it finds them all fast.
const markerWord = "sessionloom:"

// marker is one of our comment lines.
type marker struct {
	kind       string // begin, end, props
	name       string // region, empty for props
	version    int
	sum        string   // of a begin line
	prints     rendered // of a props line
	bare       bool     // of a props line: we wrote no nav region
	start, end int      // the whole line with its end of line
}

// rendered tells which properties we last wrote: key → [fingerprints]. It never
// takes in what a user wrote instead.
type rendered map[string][]string

// renderedFrom is the memory that remembered properties amount to.
func renderedFrom(props []Property) rendered {
	m := make(rendered, len(props))
	for _, p := range props {
		if p.Key != keyID && p.Value != nil {
			m[p.Key] = fingerprints(p.Key, entries(p.Key, p.Value))
		}
	}
	return m
}

// wrote says that the value, for a set the entry, is one we rendered.
func (m rendered) wrote(key string, value []string) bool {
	prints, ok := m[key]
	if !ok {
		return false
	}
	for _, p := range fingerprints(key, value) {
		if !slices.Contains(prints, p) {
			return false
		}
	}
	return true
}

// looksLikeMarker says that a line would be taken for one of ours, well formed or not.
func looksLikeMarker(line []byte) bool {
	line = bytes.TrimSpace(line)
	rest, ok := bytes.CutPrefix(line, []byte("%%"))
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(markerWord))
}

// holdsMarker says that some line of the text looks like a marker.
func holdsMarker(text string) bool {
	if !strings.Contains(text, markerWord) {
		return false
	}
	for line := range strings.Lines(text) {
		if looksLikeMarker([]byte(line)) {
			return true
		}
	}
	return false
}

// parseMarker reads a line that looks like a marker. Fields of a newer version
// that it does not know are passed over.
func parseMarker(line []byte) (marker, bool) {
	f := strings.Fields(string(line))
	if len(f) < 3 || f[0] != "%%" || f[len(f)-1] != "%%" {
		return marker{}, false
	}
	m := marker{kind: strings.TrimPrefix(f[1], markerWord)}
	f = f[2 : len(f)-1]
	if m.kind != "props" {
		if len(f) == 0 || f[0] != regionBody && f[0] != regionNav {
			return marker{}, false
		}
		m.name, f = f[0], f[1:]
	}
	switch m.kind {
	case "begin":
		return m.withFields(f, false)
	case "props":
		m.prints = rendered{}
		return m.withFields(f, true)
	case "end":
		return m, len(f) == 0
	}
	return marker{}, false
}

func (m marker) withFields(fields []string, props bool) (marker, bool) {
	for _, field := range fields {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			return m, false
		}
		switch {
		case key == "v":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return m, false
			}
			m.version = n
		case props && field == noNav:
			m.bare = true
		case props:
			m.prints[key] = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		case key == "sha256":
			m.sum = value
		}
	}
	return m, m.version > 0 && (props || len(m.sum) == 16)
}

// noNav in a props line says that the note has no nav region because we wrote
// none. Without it the user took the region away.
const noNav = "nav=none"

// appendPropsLine writes the props line; order gives the keys in the order of
// the draft, others follow sorted. bare: the note has no nav region from us.
func appendPropsLine(b []byte, m rendered, order []Property, bare bool) []byte {
	b = append(b, "%% sessionloom:props v="...)
	b = strconv.AppendInt(b, layoutVersion, 10)
	if bare {
		b = append(append(b, ' '), noNav...)
	}
	done := make(map[string]bool, len(m))
	add := func(key string) {
		prints, ok := m[key]
		if !ok || done[key] {
			return
		}
		done[key] = true
		b = append(append(append(b, ' '), key...), '=')
		b = append(b, strings.Join(prints, ",")...)
	}
	for _, p := range order {
		add(p.Key)
	}
	if len(done) < len(m) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			add(key)
		}
	}
	return append(b, " %%\n"...)
}

// isPropertyKey says that a key can stand in frontmatter and in the props line
// as it is.
func isPropertyKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return key != "" && key != "v" && key != "nav"
}
