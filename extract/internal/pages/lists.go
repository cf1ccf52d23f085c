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
	all := r.Changes(path)
	v.Changes, v.More = b.changes(all, fileChanges), max(0, len(all)-fileChanges)
	first, last := r.EditsOf(path)
	v.First, v.Last = b.local(first), b.local(last)
	for _, t := range r.Together(path, b.HotFiles, fileTogether) {
		v.Together = append(v.Together, templates.FileRow{
			Link: b.link(names.FileID(pr.Key, t.Path), t.Path), Sessions: t.Sessions, Last: b.local(t.Last)})
	}
	return v
}

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
		if s.Matters() {
			last.Sessions = append(last.Sessions, b.dayRow(s, day))
		} else {
			last.Others = append(last.Others, b.dayRow(s, day))
		}
	}
	return v
}

// dayRow lists a session's work on a day. Its commits, if any, are the outcome.
func (b *Builder) dayRow(s facts.Facts, day string) templates.PeriodRow {
	v := b.periodRow(s, Period{[]string{day}, b.Zone})
	if len(v.Refs) > 0 {
		v.What = ""
	}
	return v
}

func (b *Builder) homePage(string) *Page {
	n, first, last := b.Notes.Totals()
	some := n > 0 || len(b.Notes.Latest(names.TypeProject, 1)) > 0 || len(b.Notes.Memory("")) > 0
	f := facts.Facts{ID: names.HomeID, Type: names.TypeHome, Title: "Home", Created: first, Updated: last, Sessions: n}
	return b.listPage(f, names.HomePath, !some, func() templates.View { return b.homeView(f) })
}

func (b *Builder) homeView(f facts.Facts) templates.View {
	v := templates.Home{
		Count: f.Sessions, First: b.local(f.Created), Last: b.local(f.Updated), Zone: templates.Text(b.Zone.String()), Threads: shown(b.link(names.ThreadsID, "Open threads")),
		SessionsBase: b.base(names.SessionsBaseID, names.SessionsBasePath), FilesBase: b.base(names.FilesBaseID, names.FilesBasePath),
	}
	for _, w := range b.Notes.Latest(names.TypeWeek, homeWeeks) {
		v.Weeks = append(v.Weeks, b.weekLink(strings.TrimPrefix(w.ID, "week:")))
	}
	for looked := 2; looked <= homeLooked && len(v.Sessions) < b.HomeCount; looked *= homeLooked / 2 {
		v.Sessions, v.Others, v.MoreOthers = nil, nil, 0
		for _, s := range b.Notes.Latest(names.TypeSession, looked*b.HomeCount) {
			switch {
			case len(v.Sessions) == b.HomeCount:
			case s.Matters():
				v.Sessions = append(v.Sessions, b.sessionRow(s, true))
			case len(v.Others) < homeOthers:
				v.Others = append(v.Others, b.sessionLink(s))
			default:
				v.MoreOthers++
			}
		}
	}
	b.fillOpen(&v)
	for _, f := range b.Notes.Latest(names.TypeProject, -1) {
		v.Projects = append(v.Projects, templates.ProjectRow{Link: b.projectLink(f.Project), Sessions: f.Sessions, Open: f.Open, Last: b.local(f.Updated)})
	}
	v.Memory = b.memoryRows(b.Notes.Memory(""), homeMemory)
	return v
}

// Limits of lists on pages.
const (
	projectSessions = 25
	projectOpen     = 10
	projectEnded    = 3
	projectOthers   = 40
	projectMemory   = 20 // limit of lines, divided among the memories
	projectRefs     = 30
	projectDecided  = 20
	projectWords    = 8
	projectCommands = 20 // limit of commands that worked, and of fixes
	homeOpen        = 5  // limit of projects
	homeLooked      = 10 // sessions examined at most for each one shown; first two
	homeOthers      = 20
	homeWeeks       = 6
	homeMemory      = 60
	threadsShown    = 300
	fileChanges     = 60
	fileTogether    = 5
)

// fillOpen adds the newest open thread of a few projects, and the total number.
func (b *Builder) fillOpen(v *templates.Home) {
	before := b.staleBefore()
	v.OpenCount, v.OldCount = b.Notes.CountThreads(before)
	all := b.linkTo(names.ThreadsID)
	seen := map[string]bool{}
	for _, t := range b.Notes.Threads(threadsShown) {
		if seen[t.Project] || len(v.Open) == homeOpen || t.Newest().At.Before(before) {
			continue
		}
		seen[t.Project] = true
		l := templates.Link{Text: templates.Text(t.Newest().Shown())}
		if all.Path != "" {
			l.Path = all.Path + "#^" + templates.Path(t.ID())
		}
		v.Open = append(v.Open, templates.HomeThread{Link: l, Project: b.projectLink(t.Project), At: b.local(t.Since())})
	}
}

func (b *Builder) sessionRow(f facts.Facts, withProject bool) templates.SessionRow {
	row := templates.SessionRow{At: b.local(f.LastChange()), Link: b.sessionLink(f), What: templates.Text(f.Summary), Prompts: f.Turns}
	if withProject {
		row.Project = b.projectLink(f.Project)
	}
	return row
}
