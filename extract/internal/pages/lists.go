package pages

import (
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
	return &Page{
		Facts: f, Path: names.FilePath(pr, path), Gone: len(in) < b.HotFiles.MinSessions,
		Body: func(*OpenSession) (string, error) { return b.fileBody(pr, path) },
	}
}

func (b *Builder) fileBody(pr identity.Project, path string) (string, error) {
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
	return b.Templates.Page(v)
}

// dayPage builds a page of the journal.
func (b *Builder) dayPage(day string) *Page {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || sources.OnCalendar(date).IsZero() {
		return nil
	}
	sessions := b.Notes.WithKey("day:" + day)
	f := facts.Facts{ID: names.DayID(day), Type: names.TypeDay, Title: day, Created: date, Updated: date, Sessions: len(sessions)}
	return &Page{
		Facts: f, Path: names.DayPath(day), Gone: len(sessions) == 0,
		Body: func(*OpenSession) (string, error) { return b.dayBody(date) },
	}
}

func (b *Builder) dayBody(date time.Time) (string, error) {
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
	return b.Templates.Page(v)
}

// threadsPage builds the page of everything left open.
func (b *Builder) threadsPage(string) *Page {
	n, first, last := b.Notes.Totals()
	newest, open := b.Tasks.Open(1)
	f := facts.Facts{ID: names.ThreadsID, Type: names.TypeThreads, Title: b.Layout.ThreadsTitle(), Created: first, Open: open}
	for _, t := range newest {
		f.Updated = t.At // a session that leaves nothing open does not move the page
	}
	if b.Layout.Catalogue() {
		f.Updated = last
	}
	return &Page{Facts: f, Path: names.ThreadsPath, Gone: n == 0, Body: func(*OpenSession) (string, error) { return b.threadsBody() }}
}

func (b *Builder) threadsBody() (string, error) {
	if b.Layout.Catalogue() {
		return b.hotBody()
	}
	return b.Templates.Page(b.threadsByProject())
}

func (b *Builder) threadsByProject() templates.Threads {
	tasks, total := b.Tasks.Open(threadsShown)
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
	return &Page{
		Facts: f, Path: names.HomePath, Gone: !some,
		Body: func(*OpenSession) (string, error) { return b.homeBody() },
	}
}

func (b *Builder) homeBody() (string, error) {
	if b.Layout.Catalogue() {
		return b.indexBody()
	}
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
		v.Sessions = append(v.Sessions, b.sessionRow(s, b.Tasks.Count(s.ID), true))
	}
	threads, total := b.Tasks.Open(homeOpen)
	for _, t := range threads {
		v.Open = append(v.Open, b.threadView(t.TaskBox, true))
	}
	v.MoreOpen = max(0, total-len(threads))
	for _, f := range b.Notes.Latest(names.TypeProject, -1) {
		v.Projects = append(v.Projects, templates.ProjectRow{Link: b.link(f.ID, f.Title), Sessions: f.Sessions, Open: f.Open, Last: b.local(f.Updated)})
	}
	v.Memory = b.memoryRows(b.Notes.OwnMemory(), homeMemory)
	return b.Templates.Page(v)
}
