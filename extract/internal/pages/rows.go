package pages

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// What is listed on pages.
const (
	projectSessions = 25
	projectOpen     = 30
	projectMemory   = 60
	projectRefs     = 30
	projectWeeks    = 26
	projectHot      = 10 // in the chart
	homeOpen        = 12
	homeWeeks       = 6
	weekRefs        = 8
	periodOpen      = 20 // of a day or week
	homeMemory      = 60
	threadsShown    = 300
	fileSessions    = 60
	fileTogether    = 5
)

// sessionRow lists a session; open is the number of its open ends.
func (b *Builder) sessionRow(f facts.Facts, open int, withProject bool) templates.SessionRow {
	row := templates.SessionRow{At: b.local(f.Created), Link: b.sessionLink(f), What: templates.Text(whatCame(f)), Prompts: f.Turns, Open: open}
	if withProject {
		row.Project = b.projectLink(f.Project)
	}
	return row
}

// whatCame says in a few words what came of a session.
func whatCame(f facts.Facts) string {
	var parts, issues []string
	commits := 0
	for _, r := range f.Refs {
		kind, value, _ := strings.Cut(r, " ")
		switch kind {
		case sources.Commit:
			commits++
		case sources.PR:
			parts = append(parts, "PR "+value)
		case sources.Issue:
			issues = append(issues, "issue "+value)
		}
	}
	parts = append(parts, issues...)
	if len(parts) > 4 {
		parts = append(parts[:4], "…")
	}
	if commits == 1 {
		parts = append(parts, "1 commit")
	} else if commits > 1 {
		parts = append(parts, fmt.Sprintf("%d commits", commits))
	}
	refs := strings.Join(parts, ", ")
	summary := texts.Cut(texts.FirstSentence(f.Summary), 140)
	if refs == "" && summary == "" {
		return facts.FilesChanged(f)
	}
	if refs == "" || summary == "" {
		return refs + summary
	}
	return refs + ": " + summary
}

// weeks counts sessions by ISO week, oldest first, with empty weeks between.
func (b *Builder) weeks(sessions []facts.Facts) []templates.Week {
	if len(sessions) == 0 {
		return nil
	}
	monday := func(t time.Time) time.Time {
		t = b.local(t)
		t = time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC)
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	}
	counts := map[time.Time]int{}
	first, last := monday(sessions[0].Created), monday(sessions[0].Created)
	for _, s := range sessions {
		w := monday(s.Created)
		counts[w]++
		if w.Before(first) {
			first = w
		}
		if w.After(last) {
			last = w
		}
	}
	var out []templates.Week
	for w := last; !w.Before(first) && len(out) < projectWeeks; w = w.AddDate(0, 0, -7) {
		_, n := w.ISOWeek()
		out = append(out, templates.Week{Label: templates.Text(fmt.Sprintf("W%02d", n)), Count: counts[w]})
	}
	slices.Reverse(out)
	return out
}
