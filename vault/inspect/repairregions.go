package inspect

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// base is the text of a region as it was last taken in, nil where that is unknown.
func (k LastKnown) base(name string) *string {
	if name == note.RegionBody {
		return k.Body
	}
	return k.Nav
}

// addEnd closes a region whose end is gone: where the text ends that its first
// line has the hash of, or, at the end of a file that was cut, with what is
// missing of it.
func (k LastKnown) addEnd(raw []byte) []byte {
	found := k.markerLines(raw)
	for i, s := range found {
		name, begins := strings.CutPrefix(s.role, "begin ")
		if !s.whole || !begins || i+1 < len(found) && found[i+1].role == "end "+name {
			continue
		}
		m, _ := note.ParseMarker(raw[s.start:s.end])
		limit := len(raw)
		if i+1 < len(found) {
			limit = found[i+1].start
		}
		end := k.marker("end "+name, false)
		if at := endOf(raw, s.end, limit, m.Sum); at >= 0 {
			return note.Splice(raw, note.LineEnd(raw), []note.Edit{{Start: at, End: at, Text: end}})
		}
		base := k.base(name)
		if limit < len(raw) || base == nil || note.Hash([]byte(*base)) != m.Sum {
			continue
		}
		if rest, ok := strings.CutPrefix(*base, string(note.ToLF(raw[s.end:]))); ok {
			return append(slices.Clone(raw), note.Splice(nil, note.LineEnd(raw), []note.Edit{{Text: rest + end + k.navBehind(raw, name)}})...)
		}
	}
	return raw
}

// navBehind is the navigation that was cut off with the end of a body.
func (k LastKnown) navBehind(raw []byte, name string) string {
	hadNav := func(s markerLine) bool {
		m, ok := note.ParseMarker(raw[s.start:s.end])
		return ok && m.Kind == "props" && !m.Bare
	}
	if name != note.RegionBody || k.Nav == nil || !slices.ContainsFunc(k.markerLines(raw), hadNav) {
		return ""
	}
	return "\n" + string(note.AppendRegion(nil, note.RegionNav, *k.Nav))
}

// endOf finds where the text with a hash ends that begins at an offset, -1 if it
// does not end before limit.
func endOf(raw []byte, from, limit int, sum string) int {
	h := sha256.New()
	for at := from; ; {
		if hex.EncodeToString(h.Sum(nil))[:len(sum)] == sum {
			return at
		}
		if at >= limit {
			return -1
		}
		next := note.NextLine(raw, at)
		_, _ = h.Write(note.ToLF(raw[at:next])) // a hash takes everything
		at = next
	}
}

// addBegin opens a region whose beginning is gone, where the text before its end
// is what we wrote.
func (k LastKnown) addBegin(raw []byte) []byte {
	found := k.markerLines(raw)
	for i, s := range found {
		name, ends := strings.CutPrefix(s.role, "end ")
		if !s.whole || !ends || i > 0 && found[i-1].role == "begin "+name {
			continue
		}
		base, from := k.base(name), 0
		if i > 0 {
			from = found[i-1].end
		}
		if base == nil {
			continue
		}
		at := linesBefore(raw, from, s.start, strings.Count(*base, "\n"))
		if string(note.ToLF(raw[at:s.start])) == *base {
			return note.Splice(raw, note.LineEnd(raw), []note.Edit{{Start: at, End: at, Text: k.marker("begin "+name, false)}})
		}
	}
	return raw
}

// linesBefore is the offset so many lines before another, from at the least.
func linesBefore(raw []byte, from, at, count int) int {
	starts := []int{from}
	for next := note.NextLine(raw, from); next < at; next = note.NextLine(raw, next) {
		starts = append(starts, next)
	}
	return starts[min(max(0, len(starts)-count), len(starts)-1)]
}
