package inspect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// markerLine is a line of a note that is, or was, one of our marker lines.
type markerLine struct {
	role       string // see roles; empty: it is damaged so that nobody can tell
	whole      bool   // it is as we write it
	start, end int
}

// roles are the marker lines of a note in the order in which we write them.
var roles = []string{"props", "begin body", "end body", "begin nav", "end nav"}

// repairMarkers brings marker lines back that are damaged or gone, and takes out a
// region of ours that stands there twice. It gives the text as it was where it
// cannot be told what stood where.
func (k LastKnown) repairMarkers(raw []byte) []byte {
	text := raw
	for range roles {
		if note.ParseDocument(text).Broken == "" {
			break
		}
		next := text
		for _, step := range []func([]byte) []byte{k.repairDamaged, k.dropDouble, k.addEnd, k.addBegin} {
			if next = step(text); !bytes.Equal(next, text) {
				break
			}
		}
		if bytes.Equal(next, text) {
			break
		}
		text = next
	}
	return text
}

// markerLines are the marker lines behind the frontmatter, in file order.
func (k LastKnown) markerLines(raw []byte) []markerLine {
	front := note.ParseFrontmatter(raw)
	if front.Broken != "" {
		return nil
	}
	var out []markerLine
	for at := front.After; at < len(raw); {
		end := note.NextLine(raw, at)
		line := raw[at:end]
		s := markerLine{start: at, end: end}
		at = end
		if m, ok := note.ParseMarker(line); ok && note.LooksLikeMarker(line) {
			s.role, s.whole = strings.TrimSpace(m.Kind+" "+m.Name), true
		} else if s.role = k.nearMarker(string(bytes.TrimRight(line, "\r\n"))); s.role == "" && !note.LooksLikeMarker(line) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// marker is the line of a role as we write it, with its end of line; empty where
// that is not known.
func (k LastKnown) marker(role string, bare bool) string {
	kind, name, _ := strings.Cut(role, " ")
	switch {
	case kind == "end":
		return "%% sessionloom:" + role + " %%\n"
	case kind == "props" && k.Props != nil:
		return string(note.AppendPropsLine(nil, note.RenderedFrom(k.Props), k.Props, bare))
	case kind == "begin" && k.base(name) != nil:
		return string(note.AppendBegin(nil, name, *k.base(name)))
	}
	return ""
}

// nearMarker finds the marker line that a line is but for a byte or two.
func (k LastKnown) nearMarker(line string) string {
	for _, role := range roles {
		if whole := strings.TrimSuffix(k.marker(role, k.Nav == nil), "\n"); whole != "" && oneOff(line, whole) {
			return role
		}
	}
	return ""
}

// oneOff says that two lines are of one length and differ in at most two bytes.
func oneOff(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false
	}
	off := 0
	for i := range len(a) {
		if a[i] != b[i] {
			off++
		}
	}
	return off <= 2
}

// repairDamaged writes anew the marker lines that are damaged, where all are there
// and it can be told which is which.
func (k LastKnown) repairDamaged(raw []byte) []byte {
	found := k.markerLines(raw)
	want := roles
	if !slices.ContainsFunc(found, func(s markerLine) bool { return strings.HasSuffix(s.role, note.RegionNav) }) && len(found) < len(roles) {
		want = roles[:3]
	}
	if len(found) != len(want) {
		return raw
	}
	var edits []note.Edit
	for i, s := range found {
		if s.whole && s.role == want[i] {
			continue
		}
		line := k.marker(want[i], len(want) < len(roles) && k.Nav == nil)
		if s.role != "" && s.role != want[i] || line == "" || !nearMiss(string(raw[s.start:s.end]), line) {
			return raw
		}
		edits = append(edits, note.Edit{Start: s.start, End: s.end, Text: line})
	}
	return note.Splice(raw, note.LineEnd(raw), edits)
}

// nearMiss says that a line is a marker line of ours in which little was changed:
// nobody's words stand in it. Bytes that no editor writes cost nothing.
func nearMiss(line, whole string) bool {
	line, whole = strings.TrimRight(line, "\r\n"), strings.TrimRight(whole, "\n")
	const most = 4
	if len(line) > 2*len(whole) {
		return false
	}
	last := make([]int, len(whole)+1)
	for j := range last {
		last[j] = j
	}
	gone := destroyed(line)
	for i := range len(line) {
		cost := 1
		if gone[i] {
			cost = 0
		}
		row := make([]int, len(whole)+1)
		row[0] = last[0] + cost
		for j := range len(whole) {
			swap := last[j]
			if line[i] != whole[j] {
				swap += cost
			}
			row[j+1] = min(swap, last[j+1]+cost, row[j]+1)
		}
		last = row
	}
	return last[len(whole)] <= most
}

// dropDouble takes out a region of ours that stands there twice: the one that
// nobody touched, so that nothing of a human's goes.
func (k LastKnown) dropDouble(raw []byte) []byte {
	found := k.markerLines(raw)
	for _, name := range []string{note.RegionBody, note.RegionNav} {
		var twice []note.Region
		for i := 0; i+1 < len(found); i++ {
			a, b := found[i], found[i+1]
			if a.whole && b.whole && a.role == "begin "+name && b.role == "end "+name {
				m, _ := note.ParseMarker(raw[a.start:a.end])
				m.Start, m.End = a.start, a.end
				twice = append(twice, note.Region{Begin: m, End: note.Marker{Start: b.start, End: b.end}, Text: string(note.ToLF(raw[a.end:b.start]))})
			}
		}
		if len(twice) < 2 {
			continue
		}
		for _, r := range slices.Backward(twice) {
			if r.Untouched() {
				return note.Splice(raw, "\n", []note.Edit{{Start: r.Begin.Start, End: r.End.End}})
			}
		}
	}
	return raw
}
