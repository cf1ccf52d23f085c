package present

import (
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/search"
)

// Hits is what `search --json` prints (schema 1).
type Hits struct {
	Schema int    `json:"schema"`
	Query  string `json:"query"`
	catalog.Answered
}

// Lines prints each hit on two lines, and its place on a third.
func (h *Hits) Lines(zone *time.Location) []string {
	var out []string
	if why := Forgiven(h.Answered); why != "" {
		out = append(out, why, "")
	}
	for i, hit := range h.Hits {
		day := hit.Updated
		if !hit.At.IsZero() {
			day = hit.At
		}
		head := []string{fmt.Sprintf("%2d", i+1)}
		if !day.IsZero() {
			head = append(head, day.In(zone).Format(time.DateOnly))
		}
		for _, part := range []string{hit.Name, hit.Title} {
			if part = strings.Join(strings.Fields(Clean(part)), " "); part != "" {
				head = append(head, part)
			}
		}
		out = append(out, strings.Join(head, "  "))
		if hit.Excerpt.Text != hit.Title {
			out = append(out, "    "+string(hit.Excerpt.Field)+": "+Clean(marked(hit.Excerpt)))
		}
		if hit.FixedBy != "" {
			out = append(out, "    fixed by: "+Clean(hit.FixedBy))
		}
		out = append(out, "    "+place(hit))
	}
	switch rest := h.Count - len(h.Hits); {
	case h.Count == 0:
		out = append(out, "nothing found")
	case rest > 0:
		out = append(out, fmt.Sprintf("%s: --limit %d shows more", Count(rest, "more hit"), 2*len(h.Hits)))
	}
	return out
}

// Forgiven says how the hits differ from the question, or returns "".
func Forgiven(a catalog.Answered) string {
	var said []string
	for _, s := range a.Spelled {
		said = append(said, fmt.Sprintf("no match for %q, showing %q", Clean(s.Typed), Clean(s.Meant)))
	}
	if a.Partly {
		said = append(said, "no session has all of these words, showing those with most of them")
	}
	return strings.Join(said, "; ")
}

// place returns the note of a hit with its block, or its session if there is not a note.
func place(hit catalog.Hit) string {
	at := Clean(hit.Path)
	switch {
	case at == "" && !hit.IsSession():
		return hit.Type + " without a note"
	case at == "":
		return hit.Short() + "  without a note"
	case hit.IsSession():
		at = hit.Short() + "  " + at
	}
	if hit.Block != "" {
		at += "  ^" + hit.Block
	}
	return at
}

// Marks around words that a terminal colours; no text has these characters.
const (
	MarkStart = "\ufdd0"
	MarkEnd   = "\ufdd1"
)

func marked(e search.Excerpt) string {
	var b strings.Builder
	at := 0
	for _, m := range e.Marks {
		b.WriteString(e.Text[at:m.From] + MarkStart + e.Text[m.From:m.To] + MarkEnd)
		at = m.To
	}
	return b.String() + e.Text[at:]
}
