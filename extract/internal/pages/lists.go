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
	f.Created, f.Updated = r.EditsOf(path)
	pr := identity.ProjectFromKey(key)
	return b.listPage(f, names.FilePath(pr, path), len(in) < b.HotFiles.MinSessions, func() templates.View { return b.fileView(pr, path) })
}

func (b *Builder) fileView(pr identity.Project, path string) templates.View {
	r := b.Notes.Project(pr.Key)
	in := r.EditedIn(path)
	v := templates.File{Path: templates.Code(path), Project: b.projectLink(pr.Key), URL: templates.Address(pr.FileURL(path)), Count: len(in)}
	v.Changes = b.changes(r, path)
	if v.More = max(0, len(v.Changes)-fileChanges); v.More > 0 {
		v.Changes = v.Changes[:fileChanges]
	}
	first, last := r.EditsOf(path)
	v.First, v.Last = b.local(first), b.local(last)
	for _, t := range r.Together(path, b.HotFiles, fileTogether) {
		v.Together = append(v.Together, templates.FileRow{
			Link: b.link(names.FileID(pr.Key, t.Path), t.Path), Sessions: t.Sessions, Last: b.local(t.Last)})
	}
	return v
}

// dayPage builds a page of the journal.
func (b *Builder) dayPage(day string) *Page {
	date, err := time.ParseInLocation(time.DateOnly, day, b.Zone)
	if err != nil || sources.OnCalendar(date).IsZero() {
		return nil
	}
	n := b.Notes.CountWithKeys("day:" + day)
	f := facts.Facts{ID: names.DayID(day), Type: names.TypeDay, Title: day, Created: date, Updated: date, Sessions: n}
	return b.listPage(f, names.DayPath(day), n == 0, func() templates.View { return b.dayView(date) })
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
	return v
}

// dayRow lists what a session did on a day. Where it committed something, that says what
// came of it.
func (b *Builder) dayRow(s facts.Facts, day string) templates.PeriodRow {
	v := b.periodRow(s, Period{[]string{day}, b.Zone})
	if len(v.Refs) > 0 {
		v.What = ""
	}
	return v
}

// homePage builds the entry page.
func (b *Builder) homePage(string) *Page {
	n, first, last := b.Notes.Totals()
	some := n > 0 || len(b.Notes.Latest(names.TypeProject, 1)) > 0 || len(b.Notes.Memory("")) > 0
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
		Count: n, First: b.local(first), Last: b.local(last), Zone: templates.Text(b.Zone.String()), Threads: b.link(names.ThreadsID, "Open threads"),
		SessionsBase: b.base(names.SessionsBaseID, names.SessionsBasePath), FilesBase: b.base(names.FilesBaseID, names.FilesBasePath),
	}
	if v.Threads.Path == "" {
		v.Threads = templates.Link{}
	}
	for _, w := range b.Notes.Latest(names.TypeWeek, homeWeeks) {
		v.Weeks = append(v.Weeks, b.weekLink(strings.TrimPrefix(w.ID, "week:")))
	}
	for _, s := range b.Notes.Latest(names.TypeSession, b.HomeCount) {
		v.Sessions = append(v.Sessions, b.sessionRow(s, true))
	}
	b.fillOpen(&v)
	for _, f := range b.Notes.Latest(names.TypeProject, -1) {
		v.Projects = append(v.Projects, templates.ProjectRow{Link: b.projectLink(f.Project), Sessions: f.Sessions, Open: f.Open, Last: b.local(f.Updated)})
	}
	v.Memory = b.memoryRows(b.Notes.Memory(""), homeMemory)
	return v
}

// What is listed on pages.
const (
	projectSessions = 25
	projectOpen     = 30
	projectMemory   = 60
	projectRefs     = 30
	projectDecided  = 20
	projectCommands = 20 // that worked, and as many fixes
	homeOpen        = 10
	homeWeeks       = 6
	homeMemory      = 60
	threadsShown    = 300
	fileChanges     = 60
	fileTogether    = 5
)

// fillOpen adds the open threads told of last, and how many there are.
func (b *Builder) fillOpen(v *templates.Home) {
	before := b.staleBefore()
	states, stale := b.Notes.CountThreads(before)
	v.Counts = templates.ThreadCounts{Open: states[ThreadOpen], Unclear: states[ThreadUnclear], Perhaps: states[ThreadPerhaps], Stale: stale}
	all := b.linkTo(names.ThreadsID)
	for _, t := range b.Notes.Threads(threadsShown) {
		m := t.Newest()
		if t.State != ThreadOpen || m.At.Before(before) || len(v.Open) == homeOpen {
			continue
		}
		l := templates.Link{Text: templates.Text(m.Text)}
		if all.Path != "" {
			l.Path = all.Path + "#^" + templates.Path(t.ID())
		}
		v.Open = append(v.Open, templates.HomeThread{Link: l, Project: b.projectLink(t.Project), At: b.local(t.words().Since())})
	}
}

// sessionRow lists a session.
func (b *Builder) sessionRow(f facts.Facts, withProject bool) templates.SessionRow {
	row := templates.SessionRow{At: b.local(f.LastChange()), Link: b.sessionLink(f), What: templates.Text(f.Summary), Prompts: f.Turns}
	if withProject {
		row.Project = b.projectLink(f.Project)
	}
	return row
}
