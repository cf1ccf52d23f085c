package pages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// weekPage builds the summary of a week.
func (b *Builder) weekPage(week string) *Page {
	monday, ok := names.MondayOf(week)
	if !ok {
		return nil
	}
	sessions := b.sessionsOfWeek(monday)
	f := facts.Facts{ID: names.WeekID(week), Type: names.TypeWeek, Title: names.WeekTitle(monday), Created: monday, Updated: monday.AddDate(0, 0, 6), Sessions: len(sessions)}
	return b.listPage(f, names.WeekPath(week), len(sessions) == 0, func() templates.View { return b.weekView(monday) })
}

// mondayOf is the first day of the week of a time.
func mondayOf(t time.Time) time.Time {
	monday, _ := names.MondayOf(names.WeekOf(t.Format(time.DateOnly)))
	return monday
}

// weekLink points to the page of a week; within a year its number says enough.
func (b *Builder) weekLink(week string) templates.Link {
	monday, _ := names.MondayOf(week)
	return b.link(names.WeekID(week), names.WeekTitle(monday))
}

// sessionsOfWeek are all sessions at work in a week, by project and age.
func (b *Builder) sessionsOfWeek(monday time.Time) []facts.Facts {
	var out []facts.Facts
	for _, day := range names.DaysOf(monday) {
		out = append(out, b.Notes.WithKey("day:"+day)...)
	}
	slices.SortFunc(out, byProject)
	return slices.CompactFunc(out, func(a, b facts.Facts) bool { return a.ID == b.ID })
}

// byProject puts projects in the order of the names they are shown under.
func byProject(a, b facts.Facts) int {
	if a.Project == b.Project {
		return facts.OlderFirst(a, b)
	}
	name := func(f facts.Facts) string { return strings.ToLower(identity.ShortName(f.Project)) }
	return cmp.Or(strings.Compare(name(a), name(b)), strings.Compare(a.Project, b.Project))
}

func (b *Builder) weekView(monday time.Time) templates.View {
	sessions := b.sessionsOfWeek(monday)
	days := names.DaysOf(monday)
	year, number := monday.ISOWeek()
	v := templates.WeekSummary{Year: year, Number: number, First: monday, Last: monday.AddDate(0, 0, 6), Count: len(sessions)}
	for rest := sessions; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(f facts.Facts) bool { return f.Project != rest[0].Project })
		if n < 0 {
			n = len(rest)
		}
		v.Projects = append(v.Projects, b.weekProject(rest[:n], days))
		rest = rest[n:]
	}
	v.Open, v.MoreOpen = b.leftOpen(sessions, days)
	return v
}

// weekProject is what happened in one project on some days.
func (b *Builder) weekProject(sessions []facts.Facts, days []string) templates.WeekProject {
	key := sessions[0].Project
	v := templates.WeekProject{Project: b.projectLink(key), Count: len(sessions)}
	seen := map[string]bool{}
	for _, s := range sessions {
		for _, ref := range s.Refs {
			kind, value, _ := strings.Cut(ref, " ")
			switch {
			case seen[ref]:
			case kind == sources.Commit:
				v.Commits++
			case len(v.Refs) == weekRefs:
				v.MoreRefs++
			default:
				v.Refs = append(v.Refs, refOf(identity.ProjectFromKey(key), kind, value))
			}
			seen[ref] = true
		}
	}
	for _, day := range days {
		var rows []templates.SessionRow
		for _, s := range sessions {
			if !slices.Contains(s.Days, day) {
				continue
			}
			row := b.dayRow(s, day)
			if row.Continued && slices.ContainsFunc(days, func(d string) bool { return d < day && slices.Contains(s.Days, d) }) {
				row.What = "" // said above
			}
			rows = append(rows, row)
		}
		if len(rows) > 0 {
			v.Days = append(v.Days, templates.WeekDay{Day: b.dayLink(day), Sessions: rows})
		}
	}
	return v
}

// dayRow lists a session on a day it was at work.
func (b *Builder) dayRow(s facts.Facts, day string) templates.SessionRow {
	open := 0
	if day == s.LastDay() {
		open = b.Notes.OpenCount(s.ID)
	}
	row := b.sessionRow(s, open, false)
	row.Continued = !row.At.IsZero() && row.At.Format(time.DateOnly) != day
	return row
}

// leftOpen lists the open ends of sessions that ended on one of the days.
func (b *Builder) leftOpen(sessions []facts.Facts, days []string) ([]templates.Thread, int) {
	var open []content.TaskBox
	for i := 0; i < len(sessions); {
		project, ended := sessions[i].Project, []string{}
		for ; i < len(sessions) && sessions[i].Project == project; i++ {
			if slices.Contains(days, sessions[i].LastDay()) {
				ended = append(ended, sessions[i].ID)
			}
		}
		open = append(open, b.Notes.TasksLeftBy(ended, project)...)
	}
	threads, more := b.threadViews(open, periodOpen, false)
	for i := range threads {
		if len(days) == 1 {
			threads[i].At = time.Time{} // the page says it
		}
	}
	return threads, more
}
