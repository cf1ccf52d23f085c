package inspect

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/sessionloom/sessionloom/vault/merge"
	"github.com/sessionloom/sessionloom/vault/note"
)

// LastKnown is what is remembered of a note of ours: what repairing it starts from.
type LastKnown struct {
	ID        string
	Props     []note.Property // as we last wrote them; nil: unknown
	Body, Nav *string         // the texts of the regions as they were last taken in; nil: unknown
	// Hash is that of the whole text as it was last seen, and Stamp that of the file.
	// What stands in a file of that stamp was written by no program since: whatever
	// is other in it is damage. Empty: unknown.
	Hash  string
	Stamp note.Stamp
}

// Repaired is what becomes of a damaged note.
type Repaired struct {
	Text   []byte // the whole text
	Rescue bool   // lines of somebody are not in it: what stands there is to be put aside, whole
	// Rescued is where that lies then, from the managed folder.
	Rescued string
	Done    string // what was done, in plain words; empty: nothing is
	Left    string // why nothing is
	Lacks   bool   // nothing is, because it is not known what the note was made from
}

// Repair works out what becomes of a damaged note in a file with a stamp. Our lines are
// laid anew around what its user wrote; where that cannot be done the note becomes what we
// last wrote.
func (k LastKnown) Repair(raw []byte, stamp note.Stamp) Repaired {
	doc := note.ParseDocument(raw)
	switch {
	case k.ID == "":
		return Repaired{Text: raw, Left: "it is not known which note it is"}
	case doc.InConflict():
		return Repaired{Text: raw, Left: doc.Broken}
	case doc.ID != "" && doc.ID != k.ID && distance(doc.ID, k.ID) > 2:
		return Repaired{Text: raw, Left: fmt.Sprintf("it bears another id than %q", k.ID)}
	case k.Props == nil || k.Body == nil:
		if k.sound(raw) {
			break
		}
		return Repaired{Text: raw, Lacks: true, Left: "it is not known what it was made from: bring it back from version control or mend it by hand"}
	case stamp == k.Stamp && k.Hash == note.Hash(k.written()) && k.Hash != note.Hash(raw): // else somebody saved it since: it may hold anything
		return Repaired{Text: k.written(), Done: "put back as it was written: nothing else is in it"}
	}
	if k.sound(raw) {
		return Repaired{Text: raw, Left: "nothing in it is damaged"}
	}
	for _, r := range []relaying{{needsID: doc.ID != k.ID}, {needsID: doc.ID != k.ID, ownFront: true}} {
		if text, lost := r.lay(string(k.written()), raw); k.sound(text) {
			if lost {
				return Repaired{Text: text, Rescue: true, Done: "mended what is ours in it"}
			}
			return Repaired{Text: text, Done: "mended what is ours in it; all else is as it was"}
		}
	}
	r := relaying{known: linesOf(string(k.written()))}
	r.drop(linesOf(string(note.ToLF(raw))), true)
	return Repaired{Text: k.written(), Rescue: r.lost, Done: "put back as it was written"}
}

// sound says that a text is the note, and can be kept up to date.
func (k LastKnown) sound(text []byte) bool {
	doc := note.ParseDocument(text)
	return doc.Broken == "" && doc.ID == k.ID && doc.Body != nil && doc.DamagedLine() == 0
}

// written is the text of the note as we last wrote it.
func (k LastKnown) written() []byte {
	return note.Render(note.Content{ID: k.ID, Props: k.Props, Body: k.Body, Nav: k.Nav})
}

// relaying lays our lines anew around what somebody wrote, hunk by hunk of what differs
// from the text as we last wrote it.
type relaying struct {
	needsID  bool // the id is gone, or damaged
	ownFront bool // the frontmatter is to be ours, for nobody can read what stands there

	known []string // our lines
	lost  bool     // somebody's line was dropped
}

// hunk is a stretch of lines of ours and what stands there instead.
type hunk struct {
	ours, stands []string
	front, last  bool // it is in the frontmatter, or at the end of the file
}

// lay gives the text with our lines, and tells whether somebody's are not in it.
func (r relaying) lay(ours string, raw []byte) (text []byte, lost bool) {
	r.known = linesOf(ours)
	stands := string(note.ToLF(bytes.TrimPrefix(raw, note.ByteOrderMark)))
	if stands != "" && !strings.HasSuffix(stands, "\n") {
		stands += "\n"
	}
	front := strings.Index(ours, "\n---\n") + len("\n---\n")
	var out []string
	at := 0
	for _, e := range merge.LineEdits(ours, stands) {
		out = append(out, ours[at:e.Start])
		out = append(out, r.decide(hunk{linesOf(ours[e.Start:e.End]), linesOf(e.New), e.Start < front, e.End == len(ours)})...)
		at = e.End
	}
	out = append(out, ours[at:])
	eol := note.LineEnd(raw)
	if bytes.HasPrefix(raw, note.ByteOrderMark) {
		text = append(text, note.ByteOrderMark...)
	}
	mixed := eol != "\n" && bytes.Count(raw, []byte("\n")) != bytes.Count(raw, []byte(eol))
	return append(text, note.Splice(nil, eol, []note.Edit{{Text: strings.Join(out, "")}})...), r.lost || mixed
}

// decide gives the lines that a hunk becomes.
func (r *relaying) decide(h hunk) []string {
	marked := slices.ContainsFunc(h.ours, r.isMarker)
	foreign := slices.ContainsFunc(h.stands, func(line string) bool { return r.isMarkerIn(line, h.ours) }) // doubled, or damaged
	damaged := slices.ContainsFunc(h.stands, func(line string) bool { return isDamaged(line, h.ours) })
	switch {
	case h.front && r.ownFront, h.last && marked && !foreign && slices.ContainsFunc(h.ours, r.isText): // what follows was cut off
		r.drop(h.stands, h.last)
		return h.ours
	case !marked && !foreign && !damaged:
		return h.stands
	case len(h.ours) == 0 && foreign:
		r.drop(h.stands, false)
		return nil
	}
	var theirs []string
	for _, line := range h.stands {
		if r.isMarkerIn(line, h.ours) || isDamaged(line, h.ours) {
			r.drop([]string{line}, false)
		} else {
			theirs = append(theirs, line)
		}
	}
	return r.place(h.ours, theirs, damaged)
}

// place puts what somebody wrote between our marker lines: where lines of ours stood that
// it replaces, else outside of the region that begins or ends there. With all lines of
// ours, or with the markers and the blank lines alone.
func (r *relaying) place(ours, theirs []string, all bool) (out []string) {
	at := slices.IndexFunc(ours, r.isText)
	switch {
	case at < 0 && len(ours) > 0 && strings.Contains(ours[0], note.MarkerWord+"end"):
		at = 1
	case at < 0:
		at = 0
	}
	for i, line := range ours {
		if i == at {
			out = append(out, theirs...)
		}
		if all || !r.isText(line) {
			out = append(out, line)
		}
	}
	if at >= len(ours) {
		out = append(out, theirs...)
	}
	return out
}

// isMarker tells a line of ours that the note cannot be without.
func (r *relaying) isMarker(line string) bool {
	return looksLikeMarker(line) || r.needsID && strings.HasPrefix(line, note.KeyID+":")
}

// isMarkerIn tells a line that is, or was, a marker where those lines of ours stood.
func (r *relaying) isMarkerIn(line string, ours []string) bool {
	return looksLikeMarker(line) || slices.ContainsFunc(ours, func(whole string) bool {
		return r.isMarker(whole) && (nearMiss(line, whole) || len(line) > 4 && strings.HasPrefix(whole, strings.TrimSuffix(line, "\n")))
	})
}

// isText tells a line of ours that says something.
func (r *relaying) isText(line string) bool {
	return !r.isMarker(line) && strings.TrimSpace(line) != ""
}

func looksLikeMarker(line string) bool { return note.LooksLikeMarker([]byte(line)) }

// drop leaves lines out. One that says nothing beyond a line of ours is nobody's; the
// last may have been cut.
func (r *relaying) drop(lines []string, cut bool) {
	for i, line := range lines {
		line = strings.TrimRight(line, "\r\n")
		rest := strings.TrimRight(line, "\x00 ")
		known := rest == "" || slices.ContainsFunc(r.known, func(ours string) bool {
			return distance(line, ours) == 0 || r.isMarker(ours) && nearMiss(line, ours) ||
				(len(rest) < len(line) || cut && i == len(lines)-1) && strings.HasPrefix(ours, rest)
		})
		r.lost = r.lost || !known
	}
}

// linesOf cuts a text behind each line feed.
func linesOf(text string) []string { return slices.Collect(strings.Lines(text)) }

// isDamaged tells a line that no editor wrote: one with NULs, or one of ours in which
// there are broken characters.
func isDamaged(line string, ours []string) bool {
	return strings.IndexByte(line, 0) >= 0 || !utf8.ValidString(line) && slices.ContainsFunc(ours, func(whole string) bool { return nearMiss(line, whole) })
}

// nearMiss says that a line is one of ours in which little was changed.
func nearMiss(line, whole string) bool { return distance(line, whole) <= 4 }

// distance counts the characters in which a line is other than one of ours. Those that
// became NUL cost nothing.
func distance(line, whole string) (n int) {
	line, whole = strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "\x00"), strings.TrimRight(whole, "\n")
	for _, e := range udiff.Strings(line, whole) {
		if old := line[e.Start:e.End]; len(old) != len(e.New) || strings.Trim(old, "\x00") != "" {
			n += max(len(old), len(e.New))
		}
	}
	return n
}
