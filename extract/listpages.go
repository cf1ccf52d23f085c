package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// filePage plans the page of a hot file. rest is "<project>:<path>".
func (p *pass) filePage(rest string) (*draft, error) {
	key, part, ok := names.CutFileID(rest)
	if !ok {
		return nil, nil
	}
	r, err := p.atlas.project(key)
	if err != nil {
		return nil, err
	}
	path := r.FileNamed(part)
	in := r.EditedIn(path)
	f := facts.Facts{ID: "file:" + rest, Type: names.TypeFile, Title: path, Project: key, Sessions: len(in)}
	f.Created, f.Updated = facts.Span(in)
	pr := identity.ProjectFromKey(key)
	return &draft{
		facts: f, path: names.FilePath(pr, path), remove: len(in) < p.Settings.HotFiles.MinSessions,
		body: func(*openSession) (string, error) { return p.fileBody(pr, path) },
	}, nil
}

func (p *pass) fileBody(pr identity.Project, path string) (string, error) {
	r, err := p.atlas.project(pr.Key)
	if err != nil {
		return "", err
	}
	in := r.EditedIn(path)
	v := templates.File{Path: path, Project: p.projectLink(pr.Key), URL: pr.FileURL(path), Count: len(in)}
	for _, s := range slices.Backward(in) {
		if len(v.Sessions) < fileSessions {
			v.Sessions = append(v.Sessions, p.sessionRow(s, 0, false))
		} else {
			v.More++
		}
	}
	first, last := facts.Span(in)
	v.First, v.Last = p.local(first), p.local(last)
	for _, t := range r.Together(path, p.Settings.HotFiles, fileTogether) {
		v.Together = append(v.Together, templates.FileRow{
			Link: p.link(names.FileID(pr.Key, t.Path), t.Path), Sessions: t.Sessions, Last: p.local(t.Last)})
	}
	return p.Pages.File(v)
}

// dayPage plans a page of the journal.
func (p *pass) dayPage(day string) (*draft, error) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || sources.OnCalendar(date).IsZero() {
		return nil, nil
	}
	sessions, err := p.sessionsOn(day)
	if err != nil {
		return nil, err
	}
	f := facts.Facts{ID: names.DayID(day), Type: names.TypeDay, Title: day, Created: date, Updated: date, Sessions: len(sessions)}
	return &draft{
		facts: f, path: names.DayPath(day), remove: len(sessions) == 0,
		body: func(*openSession) (string, error) { return p.dayBody(date) },
	}, nil
}

func (p *pass) sessionsOn(day string) ([]facts.Facts, error) {
	rows, err := p.Ledger.NotesWithKey("day:" + day)
	if err != nil {
		return nil, err
	}
	return factsOfRows(rows)
}

func factsOfRows(rows []ledger.NoteRow) ([]facts.Facts, error) {
	out := make([]facts.Facts, 0, len(rows))
	for _, r := range rows {
		f, err := facts.Decode(r.Facts)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func (p *pass) dayBody(date time.Time) (string, error) {
	day := date.Format(time.DateOnly)
	sessions, err := p.sessionsOn(day)
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(sessions, byProject)
	v := templates.Day{Date: date, Count: len(sessions)}
	for i, s := range sessions {
		if i == 0 || sessions[i-1].Project != s.Project {
			v.Projects = append(v.Projects, templates.DayProject{Project: p.projectLink(s.Project)})
		}
		row, err := p.dayRow(s, day)
		if err != nil {
			return "", err
		}
		last := &v.Projects[len(v.Projects)-1]
		last.Sessions = append(last.Sessions, row)
	}
	if v.Open, v.MoreOpen, err = p.leftOpen(sessions, []string{day}); err != nil {
		return "", err
	}
	return p.Pages.Day(v)
}

// threadsPage plans the page of everything left open.
func (p *pass) threadsPage(string) (*draft, error) {
	n, first, last, err := p.totals()
	if err != nil {
		return nil, err
	}
	newest, open, err := p.Ledger.Threads(1)
	if err != nil {
		return nil, err
	}
	f := facts.Facts{ID: names.ThreadsID, Type: names.TypeThreads, Title: p.layout.ThreadsTitle(), Created: first, Open: open}
	for _, t := range newest {
		f.Updated = boxOfThread(t).At // a session that leaves nothing open does not move the page
	}
	if p.layout.Catalogue() {
		f.Updated = last
	}
	return &draft{facts: f, path: names.ThreadsPath, remove: n == 0, body: func(*openSession) (string, error) { return p.threadsBody() }}, nil
}

func (p *pass) threadsBody() (string, error) {
	if p.layout.Catalogue() {
		return p.hotBody()
	}
	v, err := p.threadsByProject()
	if err != nil {
		return "", err
	}
	return p.Pages.Threads(v)
}

func (p *pass) threadsByProject() (templates.Threads, error) {
	rows, total, err := p.Ledger.Threads(threadsShown)
	v := templates.Threads{Count: total, More: max(0, total-len(rows))}
	for _, r := range rows {
		i := slices.IndexFunc(v.Projects, func(g templates.ThreadGroup) bool { return g.Project == p.projectLink(r.Project) })
		if i < 0 {
			v.Projects = append(v.Projects, templates.ThreadGroup{Project: p.projectLink(r.Project)})
			i = len(v.Projects) - 1
		}
		v.Projects[i].Threads = append(v.Projects[i].Threads, p.threadView(boxOfThread(r), false))
	}
	return v, err
}

func boxOfThread(t ledger.Thread) content.TaskBox {
	at, _ := time.Parse(time.RFC3339, t.At)
	return content.TaskBox{Text: t.Text, Session: t.Session, At: at}
}

// homePage plans the entry page.
func (p *pass) homePage(string) (*draft, error) {
	n, first, last, err := p.totals()
	if err != nil {
		return nil, err
	}
	projects, err := p.Ledger.NotesOfType(names.TypeProject)
	if err != nil {
		return nil, err
	}
	own, err := p.ownMemory()
	if err != nil {
		return nil, err
	}
	f := facts.Facts{ID: names.HomeID, Type: names.TypeHome, Title: p.layout.HomeTitle(), Created: first, Updated: last, Sessions: n}
	return &draft{
		facts: f, path: names.HomePath, remove: n == 0 && len(projects) == 0 && len(own) == 0,
		body: func(*openSession) (string, error) { return p.homeBody() },
	}, nil
}

func (p *pass) totals() (n int, first, last time.Time, err error) {
	n, from, to, err := p.Ledger.Count(names.TypeSession)
	first, _ = time.Parse(time.RFC3339, from)
	last, _ = time.Parse(time.RFC3339, to)
	return n, first, last, err
}

func (p *pass) homeBody() (string, error) {
	if p.layout.Catalogue() {
		return p.indexBody()
	}
	n, first, last, err := p.totals()
	if err != nil {
		return "", err
	}
	v := templates.Home{
		Count: n, First: p.local(first), Last: p.local(last), Threads: p.link(names.ThreadsID, "Open threads"),
		SessionsBase: p.fileLink(names.SessionsBaseID, names.SessionsBasePath), FilesBase: p.fileLink(names.FilesBaseID, names.FilesBasePath),
	}
	if v.Threads.Path == "" {
		v.Threads = templates.Link{}
	}
	weeks, err := p.Ledger.Latest(names.TypeWeek, homeWeeks)
	if err != nil {
		return "", err
	}
	for _, w := range weeks {
		v.Weeks = append(v.Weeks, p.weekLink(strings.TrimPrefix(w.ID, "week:")))
	}
	sessions, err := p.latestSessions(p.Settings.HomeCount)
	if err != nil {
		return "", err
	}
	for _, s := range sessions {
		open, err := p.Ledger.OpenCount(s.ID)
		if err != nil {
			return "", err
		}
		v.Sessions = append(v.Sessions, p.sessionRow(s, open, true))
	}
	threads, total, err := p.Ledger.Threads(homeOpen)
	if err != nil {
		return "", err
	}
	for _, t := range threads {
		v.Open = append(v.Open, p.threadView(boxOfThread(t), true))
	}
	v.MoreOpen = max(0, total-len(threads))
	if v.Projects, err = p.projectRows(); err != nil {
		return "", err
	}
	own, err := p.ownMemory()
	if err != nil {
		return "", err
	}
	v.Memory = p.memoryRows(own, homeMemory)
	return p.Pages.Home(v)
}

// ownMemory is what agents keep of the person, oldest first.
func (p *pass) ownMemory() ([]facts.Facts, error) {
	rows, err := p.Ledger.NotesOfProject("", names.TypeMemory)
	if err != nil {
		return nil, err
	}
	return factsOfRows(slices.DeleteFunc(rows, func(r ledger.NoteRow) bool { return !names.IsOwnMemory(r.ID) }))
}

// projectsByUse are all projects, those last worked on first.
func (p *pass) projectsByUse() ([]facts.Facts, error) {
	rows, err := p.Ledger.NotesOfType(names.TypeProject)
	if err != nil {
		return nil, err
	}
	projects, err := factsOfRows(rows)
	slices.SortStableFunc(projects, func(a, b facts.Facts) int { return b.Updated.Compare(a.Updated) })
	return projects, err
}

func (p *pass) projectRows() ([]templates.ProjectRow, error) {
	projects, err := p.projectsByUse()
	if err != nil {
		return nil, err
	}
	var out []templates.ProjectRow
	for _, f := range projects {
		out = append(out, templates.ProjectRow{Link: p.link(f.ID, f.Title), Sessions: f.Sessions, Open: f.Open, Last: p.local(f.Updated)})
	}
	return out, nil
}
