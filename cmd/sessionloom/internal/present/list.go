package present

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/catalog"
)

// List is what `list --json` prints (schema 1): the requested list.
type List struct {
	Schema   int              `json:"schema"`
	Sessions []catalog.Entry  `json:"sessions,omitzero"`
	Projects []catalog.Entry  `json:"projects,omitzero"`
	Threads  []catalog.Thread `json:"threads,omitzero"`
	Notes    []catalog.Entry  `json:"notes,omitzero"`
}

// Empty reports whether there is nothing to list.
func (l *List) Empty() bool { return len(l.Sessions)+len(l.Projects)+len(l.Threads)+len(l.Notes) == 0 }

// Lines returns a line for each entry of the list; told adds outcomes.
func (l *List) Lines(zone *time.Location, width int, told bool) []string {
	day := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.In(zone).Format(time.DateOnly)
	}
	t := grid{width: width}
	for _, e := range l.Sessions {
		t.add(e.Short(), day(e.Updated), e.Name, openEnds(e.Open), e.Title)
		if told && e.Outcome != "" {
			t.below(e.Outcome)
		}
	}
	for _, e := range l.Projects {
		t.add(e.Title, Count(e.Count, "session"), openEnds(e.Open), day(e.Updated), e.Project)
	}
	for _, one := range l.Threads {
		t.add(one.Short, day(one.Since), one.Name, string(one.Kind), one.Text)
	}
	for _, e := range l.Notes {
		t.add(e.Type, day(e.Updated), e.Path)
	}
	return t.lines()
}

// Candidates returns lines from which somebody can choose a name.
func Candidates(all []catalog.Entry) []string {
	const widest = 16 // limit of an id's columns beside a title
	t := grid{width: Screen, indent: "  "}
	for _, e := range all[:min(len(all), Listed)] {
		id, day := e.Short(), ""
		if !e.Updated.IsZero() {
			day = e.Updated.UTC().Format(time.DateOnly)
		}
		if len(id) <= widest {
			t.add(id, day, e.Agent, cmp.Or(e.Title, e.Path))
			continue
		}
		t.add("", day, e.Agent, cmp.Or(e.Title, e.Path))
		t.below(id)
	}
	out := t.lines()
	if rest := len(all) - Listed; rest > 0 {
		out = append(out, fmt.Sprintf("  … and %s more", Commas(rest)))
	}
	return out
}

// Offers returns words for shell completion, each with a tab and a description.
func Offers(all []catalog.Entry) []string {
	out := make([]string, 0, len(all))
	for _, e := range all {
		meaning := strings.Join(strings.Fields(Clean(cmp.Or(e.Title, e.Path))), " ")
		if strings.ContainsFunc(e.Short(), func(r rune) bool { return r <= ' ' }) {
			continue // a shell would split it
		}
		out = append(out, e.Short()+"\t"+meaning)
	}
	return out
}

func openEnds(n int) string {
	if n == 0 {
		return ""
	}
	return Commas(n) + " open"
}

// Aligned returns rows of cells as lines in columns.
func Aligned(rows [][]string) []string {
	t := grid{width: 1 << 20, rows: rows}
	return t.lines()
}
