package pages

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// filePage builds the page of a hot file. rest is "<project>:<path>".
func (b *Builder) filePage(rest string) *Page {
	key, part, ok := names.CutFileID(rest)
	if !ok {
		return nil
	}
	r := b.Notes.Project(key)
	path := r.FileNamed(part)
	in := r.EditedIn(path)
	f := facts.Facts{ID: "file:" + rest, Type: names.TypeFile, Title: path, Project: key, Sessions: len(in)}
	f.Created, f.Updated = facts.Span(in)
	pr := identity.ProjectFromKey(key)
	return b.listPage(f, names.FilePath(pr, path), len(in) < b.HotFiles.MinSessions, func() templates.View { return b.fileView(pr, path) })
}

func (b *Builder) fileView(pr identity.Project, path string) templates.View {
	r := b.Notes.Project(pr.Key)
	in := r.EditedIn(path)
	v := templates.File{Path: templates.Code(path), Project: b.projectLink(pr.Key), URL: templates.Address(pr.FileURL(path)), Count: len(in)}
	for _, s := range slices.Backward(in) {
		if len(v.Sessions) < fileSessions {
			v.Sessions = append(v.Sessions, b.sessionRow(s, 0, false))
		} else {
			v.More++
		}
	}
	first, last := facts.Span(in)
	v.First, v.Last = b.local(first), b.local(last)
	for _, t := range r.Together(path, b.HotFiles, fileTogether) {
		v.Together = append(v.Together, templates.FileRow{
			Link: b.link(names.FileID(pr.Key, t.Path), t.Path), Sessions: t.Sessions, Last: b.local(t.Last)})
	}
	return v
}

// dayPage builds a page of the journal.
func (b *Builder) dayPage(day string) *Page {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || sources.OnCalendar(date).IsZero() {
		return nil
	}
	sessions := b.Notes.WithKey("day:" + day)
	f := facts.Facts{ID: names.DayID(day), Type: names.TypeDay, Title: day, Created: date, Updated: date, Sessions: len(sessions)}
	return b.listPage(f, names.DayPath(day), len(sessions) == 0, func() templates.View { return b.dayView(date) })
}

func (b *Builder) dayView(date time.Time) templates.View {
	day := date.Format(time.DateOnly)
	sessions := b.Notes.WithKey("day:" + day)
	slices.SortStableFunc(sessions, byProject)
	v := templates.Day{Date: date, Count: len(sessions)}
	for i, s := range sessions {
		if i == 0 || sessions[i-1].Project != s.Project {
			v.Projects = append(v.Projects, templates.DayProject{Project: b.projectLink(s.Project)})
		}
		last := &v.Projects[len(v.Projects)-1]
		last.Sessions = append(last.Sessions, b.dayRow(s, day))
	}
	v.Open, v.MoreOpen = b.leftOpen(sessions, []string{day})
	return v
}

// threadsPage builds the page of everything left open.
func (b *Builder) threadsPage(string) *Page {
	n, first, last := b.Notes.Totals()
	newest, open := b.Notes.OpenTasks(1)
	f := facts.Facts{ID: names.ThreadsID, Type: names.TypeThreads, Title: b.Layout.ThreadsTitle(), Created: first, Open: open}
	for _, t := range newest {
		f.Updated = t.At // a session that leaves nothing open does not move the page
	}
	view := func() templates.View { return b.threadsByProject() }
	if b.Layout.Catalogue() {
		f.Updated, view = last, b.hotView
	}
	return b.listPage(f, names.ThreadsPath, n == 0, view)
}

func (b *Builder) threadsByProject() templates.Threads {
	tasks, total := b.Notes.OpenTasks(threadsShown)
	v := templates.Threads{Count: total, More: max(0, total-len(tasks))}
	for _, t := range tasks {
		i := slices.IndexFunc(v.Projects, func(g templates.ThreadGroup) bool { return g.Project == b.projectLink(t.Project) })
		if i < 0 {
			v.Projects = append(v.Projects, templates.ThreadGroup{Project: b.projectLink(t.Project)})
			i = len(v.Projects) - 1
		}
		v.Projects[i].Threads = append(v.Projects[i].Threads, b.threadView(t.TaskBox, false))
	}
	return v
}

// homePage builds the entry page.
func (b *Builder) homePage(string) *Page {
	n, first, last := b.Notes.Totals()
	some := n > 0 || len(b.Notes.Latest(names.TypeProject, 1)) > 0 || len(b.Notes.OwnMemory()) > 0
	f := facts.Facts{ID: names.HomeID, Type: names.TypeHome, Title: b.Layout.HomeTitle(), Created: first, Updated: last, Sessions: n}
	view := b.homeView
	if b.Layout.Catalogue() {
		view = b.indexView
	}
	return b.listPage(f, names.HomePath, !some, view)
}

func (b *Builder) homeView() templates.View {
	n, first, last := b.Notes.Totals()
	v := templates.Home{
		Count: n, First: b.local(first), Last: b.local(last), Threads: b.link(names.ThreadsID, "Open threads"),
		SessionsBase: b.base(names.SessionsBaseID, names.SessionsBasePath), FilesBase: b.base(names.FilesBaseID, names.FilesBasePath),
	}
	if v.Threads.Path == "" {
		v.Threads = templates.Link{}
	}
	for _, w := range b.Notes.Latest(names.TypeWeek, homeWeeks) {
		v.Weeks = append(v.Weeks, b.weekLink(strings.TrimPrefix(w.ID, "week:")))
	}
	for _, s := range b.Notes.Latest(names.TypeSession, b.HomeCount) {
		v.Sessions = append(v.Sessions, b.sessionRow(s, b.Notes.OpenCount(s.ID), true))
	}
	threads, total := b.Notes.OpenTasks(homeOpen)
	for _, t := range threads {
		v.Open = append(v.Open, b.threadView(t.TaskBox, true))
	}
	v.MoreOpen = max(0, total-len(threads))
	for _, f := range b.Notes.Latest(names.TypeProject, -1) {
		v.Projects = append(v.Projects, templates.ProjectRow{Link: b.link(f.ID, f.Title), Sessions: f.Sessions, Open: f.Open, Last: b.local(f.Updated)})
	}
	v.Memory = b.memoryRows(b.Notes.OwnMemory(), homeMemory)
	return v
}

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
	row := templates.SessionRow{At: b.local(f.Created), Link: b.sessionLink(f), What: templates.Text(f.Summary), Prompts: f.Turns, Open: open}
	if withProject {
		row.Project = b.projectLink(f.Project)
	}
	return row
}

// weeks counts sessions, which are oldest first, by ISO week in that order, with empty weeks
// between.
func (b *Builder) weeks(sessions []facts.Facts) []templates.Week {
	if len(sessions) == 0 {
		return nil
	}
	counts := map[time.Time]int{}
	for _, s := range sessions {
		counts[mondayOf(b.local(s.Created))]++
	}
	first, last := mondayOf(b.local(sessions[0].Created)), mondayOf(b.local(sessions[len(sessions)-1].Created))
	var out []templates.Week
	for w := last; !w.Before(first) && len(out) < projectWeeks; w = w.AddDate(0, 0, -7) {
		_, n := w.ISOWeek()
		out = append(out, templates.Week{Label: templates.Text(fmt.Sprintf("W%02d", n)), Count: counts[w]})
	}
	slices.Reverse(out)
	return out
}
