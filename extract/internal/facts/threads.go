package facts

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
)

// Mentions are what a session leaves open and shows as done, as its note tells it: one for each
// end, with the older wordings of the session behind it. A box that its person ticked is done.
func (f Facts) Mentions() []ends.Mention {
	var out []ends.Mention
	at := map[string]int{}
	for i, r := range f.Of(RowOpen) {
		m := ends.Mention{Text: r.Text, Origin: strings.TrimSuffix(r.From, "?"), Turn: -1, Session: f.ID, At: r.At, Place: i, ID: r.What}
		if strings.HasSuffix(r.From, "?") {
			m.State = ends.Unclear
		}
		k, known := at[r.What]
		if !known {
			at[r.What] = len(out)
			out = append(out, m)
			continue
		}
		m.Before = slices.Insert(out[k].Before, 0, out[k])
		m.Before[0].Before = nil
		out[k] = m
	}
	for i := range out {
		out[i].Ticked = f.hasTicked(out[i])
	}
	for _, r := range f.Of(RowDone) {
		out = append(out, ends.Mention{Text: r.Text, Origin: r.From, Turn: -1, Session: f.ID, At: r.At, Place: len(out), State: ends.Done})
	}
	return out
}

// hasTicked says that the box of an end is ticked: by the id of its block, or by its words where
// its person took that away.
func (f Facts) hasTicked(m ends.Mention) bool {
	for _, b := range f.Boxes {
		if b.Section == SectionOpen && b.Ticked && (b.ID == m.ID || b.ID == "" && ends.Key(b.Text) == ends.Key(m.Text)) {
			return true
		}
	}
	return false
}

// Events are what a session did that may have closed an end: commits, boxes and todos that are
// done, closed issues, and the last answer of each day.
func (f Facts) Events() []ends.Event {
	var out []ends.Event
	add := func(kind ends.EventKind, r Row) {
		if r.Text != "" {
			out = append(out, ends.Event{Kind: kind, Text: r.Text, Session: f.ID, Project: f.Project, At: r.At, Place: len(out), From: r.From, What: r.What})
		}
	}
	for _, r := range f.Of(RowRef) {
		if strings.HasPrefix(r.What, "commit:") {
			add(ends.OfCommit, r)
		}
	}
	for _, r := range f.Of(RowDone) {
		kind := ends.OfBox
		if r.From == "todo" {
			kind = ends.OfTodo
		}
		add(kind, r)
	}
	for _, r := range f.Of(RowDay) {
		add(ends.OfAnswer, r)
	}
	return out
}
