package note

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
	RegionBody = "body"
	RegionNav  = "nav"
)

// MarkerWord is in every marker line; looking for it finds them all fast.
const MarkerWord = "sessionloom:"

// Marker is one of our comment lines.
type Marker struct {
	Kind       string // begin, end, props
	Name       string // region, empty for props
	Version    int
	Sum        string   // of a begin line
	Prints     Rendered // of a props line
	Bare       bool     // of a props line: we wrote no nav region
	Start, End int      // the whole line with its end of line
}

// Rendered tells which properties we last wrote: key → [fingerprints]. It never
// takes in what a user wrote instead.
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

// Wrote says that the value, for a set the entry, is one we rendered.
func (m Rendered) Wrote(key string, value []string) bool {
	prints, ok := m[key]
	if !ok {
		return false
	}
	for _, p := range Fingerprints(key, value) {
		if !slices.Contains(prints, p) {
			return false
		}
	}
	return true
}

// LooksLikeMarker says that a line would be taken for one of ours, well formed or not.
func LooksLikeMarker(line []byte) bool {
	line = bytes.TrimSpace(line)
	rest, ok := bytes.CutPrefix(line, []byte("%%"))
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(MarkerWord))
}

// HoldsMarker says that some line of the text looks like a marker.
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

// ParseMarker reads a line that looks like a marker. Fields of a newer version
// that it does not know are passed over.
func ParseMarker(line []byte) (Marker, bool) {
	f := strings.Fields(string(line))
	if len(f) < 3 || f[0] != "%%" || f[len(f)-1] != "%%" {
		return Marker{}, false
	}
	m := Marker{Kind: strings.TrimPrefix(f[1], MarkerWord)}
	f = f[2 : len(f)-1]
	if m.Kind != "props" {
		if len(f) == 0 || f[0] != RegionBody && f[0] != RegionNav {
			return Marker{}, false
		}
		m.Name, f = f[0], f[1:]
	}
	switch m.Kind {
	case "begin":
		return m.withFields(f, false)
	case "props":
		m.Prints = Rendered{}
		return m.withFields(f, true)
	case "end":
		return m, len(f) == 0
	}
	return Marker{}, false
}

func (m Marker) withFields(fields []string, props bool) (Marker, bool) {
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
			m.Version = n
		case props && field == NoNav:
			m.Bare = true
		case props:
			m.Prints[key] = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		case key == "sha256":
			m.Sum = value
		}
	}
	return m, m.Version > 0 && (props || len(m.Sum) == 16)
}

// NoNav in a props line says that the note has no nav region because we wrote
// none. Without it the user took the region away.
const NoNav = "nav=none"

// AppendPropsLine writes the props line; order gives the keys in the order of
// the draft, others follow sorted. bare: the note has no nav region from us.
func AppendPropsLine(b []byte, m Rendered, order []Property, bare bool) []byte {
	b = append(b, "%% sessionloom:props v="...)
	b = strconv.AppendInt(b, Version, 10)
	if bare {
		b = append(append(b, ' '), NoNav...)
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

// IsPropertyKey says that a key can stand in frontmatter and in the props line
// as it is.
func IsPropertyKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return key != "" && key != "v" && key != "nav"
}
