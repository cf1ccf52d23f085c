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
func (b *Builder) filePage(rest string) (*Page, error) {
	key, part, ok := names.CutFileID(rest)
	if !ok {
		return nil, nil
	}
	r, err := b.Notes.Project(key)
	if err != nil {
		return nil, err
	}
	path := r.FileNamed(part)
	in := r.EditedIn(path)
	f := facts.Facts{ID: "file:" + rest, Type: names.TypeFile, Title: path, Project: key, Sessions: len(in)}
	f.Created, f.Updated = facts.Span(in)
	pr := identity.ProjectFromKey(key)
	return &Page{
		Facts: f, Path: names.FilePath(pr, path), Gone: len(in) < b.HotFiles.MinSessions,
		Body: func(*OpenSession) (string, error) { return b.fileBody(pr, path) },
	}, nil
}

func (b *Builder) fileBody(pr identity.Project, path string) (string, error) {
	r, err := b.Notes.Project(pr.Key)
	if err != nil {
		return "", err
	}
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
	return b.Templates.File(v)
}

// dayPage builds a page of the journal.
func (b *Builder) dayPage(day string) (*Page, error) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || sources.OnCalendar(date).IsZero() {
		return nil, nil
	}
	sessions, err := b.Notes.WithKey("day:" + day)
	if err != nil {
		return nil, err
	}
	f := facts.Facts{ID: names.DayID(day), Type: names.TypeDay, Title: day, Created: date, Updated: date, Sessions: len(sessions)}
	return &Page{
		Facts: f, Path: names.DayPath(day), Gone: len(sessions) == 0,
		Body: func(*OpenSession) (string, error) { return b.dayBody(date) },
	}, nil
}

func (b *Builder) dayBody(date time.Time) (string, error) {
	day := date.Format(time.DateOnly)
	sessions, err := b.Notes.WithKey("day:" + day)
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(sessions, byProject)
	v := templates.Day{Date: date, Count: len(sessions)}
	for i, s := range sessions {
		if i == 0 || sessions[i-1].Project != s.Project {
			v.Projects = append(v.Projects, templates.DayProject{Project: b.projectLink(s.Project)})
		}
		row, err := b.dayRow(s, day)
		if err != nil {
			return "", err
		}
		last := &v.Projects[len(v.Projects)-1]
		last.Sessions = append(last.Sessions, row)
	}
	if v.Open, v.MoreOpen, err = b.leftOpen(sessions, []string{day}); err != nil {
		return "", err
	}
	return b.Templates.Day(v)
}

// threadsPage builds the page of everything left open.
func (b *Builder) threadsPage(string) (*Page, error) {
	n, first, last, err := b.Notes.Totals()
	if err != nil {
		return nil, err
	}
	newest, open, err := b.Tasks.Open(1)
	if err != nil {
		return nil, err
	}
	f := facts.Facts{ID: names.ThreadsID, Type: names.TypeThreads, Title: b.Layout.ThreadsTitle(), Created: first, Open: open}
	for _, t := range newest {
		f.Updated = t.At // a session that leaves nothing open does not move the page
	}
	if b.Layout.Catalogue() {
		f.Updated = last
	}
	return &Page{Facts: f, Path: names.ThreadsPath, Gone: n == 0, Body: func(*OpenSession) (string, error) { return b.threadsBody() }}, nil
}

func (b *Builder) threadsBody() (string, error) {
	if b.Layout.Catalogue() {
		return b.hotBody()
	}
	v, err := b.threadsByProject()
	if err != nil {
		return "", err
	}
	return b.Templates.Threads(v)
}

func (b *Builder) threadsByProject() (templates.Threads, error) {
	tasks, total, err := b.Tasks.Open(threadsShown)
	v := templates.Threads{Count: total, More: max(0, total-len(tasks))}
	for _, t := range tasks {
		i := slices.IndexFunc(v.Projects, func(g templates.ThreadGroup) bool { return g.Project == b.projectLink(t.Project) })
		if i < 0 {
			v.Projects = append(v.Projects, templates.ThreadGroup{Project: b.projectLink(t.Project)})
			i = len(v.Projects) - 1
		}
		v.Projects[i].Threads = append(v.Projects[i].Threads, b.threadView(t.TaskBox, false))
	}
	return v, err
}

// homePage builds the entry page.
func (b *Builder) homePage(string) (*Page, error) {
	n, first, last, err := b.Notes.Totals()
	if err != nil {
		return nil, err
	}
	projects, err := b.Notes.Latest(names.TypeProject, 1)
	if err != nil {
		return nil, err
	}
	own, err := b.Notes.OwnMemory()
	if err != nil {
		return nil, err
	}
	f := facts.Facts{ID: names.HomeID, Type: names.TypeHome, Title: b.Layout.HomeTitle(), Created: first, Updated: last, Sessions: n}
	return &Page{
		Facts: f, Path: names.HomePath, Gone: n == 0 && len(projects) == 0 && len(own) == 0,
		Body: func(*OpenSession) (string, error) { return b.homeBody() },
	}, nil
}

func (b *Builder) homeBody() (string, error) {
	if b.Layout.Catalogue() {
		return b.indexBody()
	}
	n, first, last, err := b.Notes.Totals()
	if err != nil {
		return "", err
	}
	v := templates.Home{
		Count: n, First: b.local(first), Last: b.local(last), Threads: b.link(names.ThreadsID, "Open threads"),
		SessionsBase: b.base(names.SessionsBaseID, names.SessionsBasePath), FilesBase: b.base(names.FilesBaseID, names.FilesBasePath),
	}
	if v.Threads.Path == "" {
		v.Threads = templates.Link{}
	}
	weeks, err := b.Notes.Latest(names.TypeWeek, homeWeeks)
	if err != nil {
		return "", err
	}
	for _, w := range weeks {
		v.Weeks = append(v.Weeks, b.weekLink(strings.TrimPrefix(w.ID, "week:")))
	}
	sessions, err := b.Notes.Latest(names.TypeSession, b.HomeCount)
	if err != nil {
		return "", err
	}
	for _, s := range sessions {
		open, err := b.Tasks.Count(s.ID)
		if err != nil {
			return "", err
		}
		v.Sessions = append(v.Sessions, b.sessionRow(s, open, true))
	}
	threads, total, err := b.Tasks.Open(homeOpen)
	if err != nil {
		return "", err
	}
	for _, t := range threads {
		v.Open = append(v.Open, b.threadView(t.TaskBox, true))
	}
	v.MoreOpen = max(0, total-len(threads))
	if v.Projects, err = b.projectRows(); err != nil {
		return "", err
	}
	own, err := b.Notes.OwnMemory()
	if err != nil {
		return "", err
	}
	v.Memory = b.memoryRows(own, homeMemory)
	return b.Templates.Home(v)
}

func (b *Builder) projectRows() ([]templates.ProjectRow, error) {
	projects, err := b.Notes.Latest(names.TypeProject, -1)
	if err != nil {
		return nil, err
	}
	var out []templates.ProjectRow
	for _, f := range projects {
		out = append(out, templates.ProjectRow{Link: b.link(f.ID, f.Title), Sessions: f.Sessions, Open: f.Open, Last: b.local(f.Updated)})
	}
	return out, nil
}
