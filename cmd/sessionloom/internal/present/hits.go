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
	Schema int           `json:"schema"`
	Query  string        `json:"query"`
	Count  int           `json:"count"` // of all, also those that are not listed
	Hits   []catalog.Hit `json:"hits"`
}

// Lines tells of each hit in two lines, and where it stands in a third.
func (h *Hits) Lines(zone *time.Location) []string {
	var out []string
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
		out = append(out, strings.Join(head, "  "), "    "+string(hit.Excerpt.Field)+": "+Clean(marked(hit.Excerpt)), "    "+place(hit))
	}
	switch rest := h.Count - len(h.Hits); {
	case h.Count == 0:
		out = append(out, "nothing found")
	case rest > 0:
		out = append(out, fmt.Sprintf("%s more: --limit %d shows more", Commas(rest), 2*len(h.Hits)))
	}
	return out
}

// place is the note of a hit and the block in it, or the session that has none.
func place(hit catalog.Hit) string {
	at := Clean(hit.Path)
	if at == "" && !hit.IsSession() {
		return hit.Type + " without a note"
	}
	if at == "" {
		return "session " + hit.Short() + ", without a note"
	}
	if hit.Block != "" {
		at += "  ^" + hit.Block
	}
	return at
}

// marked puts stars around the words that were asked for.
func marked(e search.Excerpt) string {
	var b strings.Builder
	at := 0
	for _, m := range e.Marks {
		b.WriteString(e.Text[at:m.From] + "**" + e.Text[m.From:m.To] + "**")
		at = m.To
	}
	return b.String() + e.Text[at:]
}
