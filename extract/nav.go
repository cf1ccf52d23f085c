package extract

import (
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/templates"
)

// navFiles bounds the files a session's navigation names.
const navFiles = 12

// nav renders the navigation of a note from facts alone, so that any machine can
// renew it when the source is long gone.
func (p *pass) nav(f facts.Facts) (string, error) {
	var v templates.Nav
	var err error
	switch f.Type {
	case names.TypeSession:
		v, err = p.sessionNav(f)
	case names.TypeCheckpoint:
		v = p.chainNav(f, func(n int) string { return names.CheckpointID(f.Session(), n) }, 1)
		v.Up = p.linkTo(names.SessionID(f.Session()))
	case names.TypePart:
		v = p.chainNav(f, func(n int) string { return names.PartID(f.Session(), n) }, 2)
		v.Up = p.linkTo(names.SessionID(f.Session()))
	case names.TypeMemory:
		switch s := f.Session(); {
		case s != "":
			v.Up = p.linkTo(names.SessionID(s))
		case names.IsOwnMemory(f.ID):
			v.Up = p.homeLink()
		default:
			v.Up = p.projectLink(f.Project)
		}
	case names.TypeFile:
		v.Up = p.projectLink(f.Project)
	case names.TypeDay:
		v, err = p.dayNav(f)
	case names.TypeWeek:
		v, err = p.weekNav(f)
	case names.TypeProject, names.TypeThreads:
		v.Up = p.homeLink()
	}
	if err != nil {
		return "", err
	}
	return p.Pages.Nav(onlyLinks(v))
}

// onlyLinks leaves out what is no page: navigation names only where one can go.
func onlyLinks(v templates.Nav) templates.Nav {
	for _, l := range []*templates.Link{&v.Prev, &v.Next, &v.Up} {
		if l.Path == "" {
			*l = templates.Link{}
		}
	}
	return v
}

func (p *pass) sessionNav(f facts.Facts) (templates.Nav, error) {
	var v templates.Nav
	r, err := p.atlas.project(f.Project)
	if err != nil {
		return v, err
	}
	before, after := r.Neighbours(f)
	if before != nil {
		v.Prev = p.sessionLink(*before)
	}
	if after != nil {
		v.Next = p.sessionLink(*after)
	}
	for _, d := range f.Days {
		if l := p.dayLink(d); l.Path != "" {
			v.Days = append(v.Days, l)
		}
	}
	for _, path := range f.Files {
		if id := names.FileID(f.Project, path); r.HasFileNote(id) && len(v.Files) < navFiles {
			v.Files = append(v.Files, p.link(id, path))
		}
	}
	for _, m := range r.Memory {
		if m.Session() == f.Session() {
			v.Memory = append(v.Memory, p.link(m.ID, m.Title))
		}
	}
	rows, err := p.Ledger.NotesWithKey("fork:" + f.Session())
	if err != nil {
		return v, err
	}
	forks, err := factsOfRows(rows)
	for _, fork := range forks {
		v.Forks = append(v.Forks, p.sessionLink(fork))
	}
	return v, err
}

// chainNav links a numbered note to those before and after it.
func (p *pass) chainNav(f facts.Facts, id func(int) string, first int) templates.Nav {
	var v templates.Nav
	n, err := strconv.Atoi(f.ID[strings.LastIndexByte(f.ID, ':')+1:])
	if err != nil {
		return v
	}
	if n > first {
		v.Prev = p.linkTo(id(n - 1))
	}
	v.Next = p.linkTo(id(n + 1))
	return v
}

func (p *pass) dayLink(day string) templates.Link {
	text := day
	if t, err := time.Parse(time.DateOnly, day); err == nil {
		text = t.Format("Mon 2 Jan 2006")
	}
	return p.link(names.DayID(day), text)
}

func (p *pass) dayNav(f facts.Facts) (templates.Nav, error) {
	v, err := p.periodNav(f, "day:", p.dayLink)
	if week := p.weekLink(names.WeekOf(strings.TrimPrefix(f.ID, "day:"))); week.Path != "" {
		v.Up = week
	}
	return v, err
}

func (p *pass) weekNav(f facts.Facts) (templates.Nav, error) {
	return p.periodNav(f, "week:", p.weekLink)
}

// periodNav links a page of the journal to those before and after it.
func (p *pass) periodNav(f facts.Facts, kind string, link func(string) templates.Link) (templates.Nav, error) {
	v := templates.Nav{Up: p.homeLink()}
	prefix := "page:" + kind
	before, after, err := p.Ledger.NeighbourKeys(prefix, "page:"+f.ID)
	if before != "" {
		v.Prev = link(strings.TrimPrefix(before, prefix))
	}
	if after != "" {
		v.Next = link(strings.TrimPrefix(after, prefix))
	}
	return v, err
}
