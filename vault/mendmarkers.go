package vault

import (
	"bytes"
	"slices"
	"strings"
)

// sign is a line of a note that is, or was, one of our marker lines.
type sign struct {
	role       string // see roles; empty: it is damaged so that nobody can tell
	whole      bool   // it is as we write it
	start, end int
}

// roles are the marker lines of a note in the order in which we write them.
var roles = []string{"props", "begin body", "end body", "begin nav", "end nav"}

// mendMarkers brings marker lines back that are damaged or gone, and takes out a
// region of ours that stands there twice. It gives the text as it was where it
// cannot be told what stood where.
func (k Known) mendMarkers(raw []byte) []byte {
	text := raw
	for range roles {
		if takeApart(text).broken == "" {
			break
		}
		next := text
		for _, step := range []func([]byte) []byte{k.mendDamaged, k.dropDouble, k.addEnd, k.addBegin} {
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

// signs are the marker lines behind the frontmatter, in file order.
func (k Known) signs(raw []byte) []sign {
	front, broken := parseFront(raw, len(raw)-len(bytes.TrimPrefix(raw, byteOrderMark)))
	if broken != "" {
		return nil
	}
	var out []sign
	for at := front.after; at < len(raw); {
		end := nextLine(raw, at)
		line := raw[at:end]
		s := sign{start: at, end: end}
		at = end
		if m, ok := parseMarker(line); ok && looksLikeMarker(line) {
			s.role, s.whole = strings.TrimSpace(m.kind+" "+m.name), true
		} else if s.role = k.near(string(bytes.TrimRight(line, "\r\n"))); s.role == "" && !looksLikeMarker(line) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// marker is the line of a role as we write it, with its end of line; empty where
// that is not known.
func (k Known) marker(role string, bare bool) string {
	kind, name, _ := strings.Cut(role, " ")
	switch {
	case kind == "end":
		return "%% sessionloom:" + role + " %%\n"
	case kind == "props" && k.Props != nil:
		return string(appendPropsLine(nil, renderedFrom(k.Props), k.Props, bare))
	case kind == "begin" && k.base(name) != nil:
		return string(appendBegin(nil, name, *k.base(name)))
	}
	return ""
}

// near finds the marker line that a line is but for a byte or two.
func (k Known) near(line string) string {
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

// mendDamaged writes anew the marker lines that are damaged, where all are there
// and it can be told which is which.
func (k Known) mendDamaged(raw []byte) []byte {
	found := k.signs(raw)
	want := roles
	if !slices.ContainsFunc(found, func(s sign) bool { return strings.HasSuffix(s.role, regionNav) }) && len(found) < len(roles) {
		want = roles[:3]
	}
	if len(found) != len(want) {
		return raw
	}
	var edits []edit
	for i, s := range found {
		if s.whole && s.role == want[i] {
			continue
		}
		line := k.marker(want[i], len(want) < len(roles) && k.Nav == nil)
		if s.role != "" && s.role != want[i] || line == "" || !spoilt(string(raw[s.start:s.end]), line) {
			return raw
		}
		edits = append(edits, edit{start: s.start, end: s.end, text: line})
	}
	return splice(raw, lineEnd(raw), edits)
}

// spoilt says that a line is a marker line of ours in which little was changed:
// nobody's words stand in it. Bytes that no editor writes cost nothing.
func spoilt(line, whole string) bool {
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
func (k Known) dropDouble(raw []byte) []byte {
	found := k.signs(raw)
	for _, name := range []string{regionBody, regionNav} {
		var twice []region
		for i := 0; i+1 < len(found); i++ {
			a, b := found[i], found[i+1]
			if a.whole && b.whole && a.role == "begin "+name && b.role == "end "+name {
				m, _ := parseMarker(raw[a.start:a.end])
				m.start, m.end = a.start, a.end
				twice = append(twice, region{begin: m, end: marker{start: b.start, end: b.end}, text: string(toLF(raw[a.end:b.start]))})
			}
		}
		if len(twice) < 2 {
			continue
		}
		for _, r := range slices.Backward(twice) {
			if r.untouched() {
				return splice(raw, "\n", []edit{{start: r.begin.start, end: r.end.end}})
			}
		}
	}
	return raw
}
