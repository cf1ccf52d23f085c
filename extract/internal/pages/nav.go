package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/templates"
)

// NavFiles limits the files in a session's navigation.
const NavFiles = 12

// Nav renders the navigation of a note only from facts, so that any machine can renew it long after the
// source is gone.
func (b *Builder) Nav(f facts.Facts) (string, error) {
	var v templates.Nav
	switch f.Type {
	case names.TypeSession:
		v = b.sessionNav(f)
	case names.TypeCheckpoint:
		v = b.chainNav(f, func(n int) string { return names.CheckpointID(f.Session(), n) }, 1)
		v.Up = b.linkTo(names.SessionID(f.Session()))
	case names.TypePart:
		v = b.chainNav(f, func(n int) string { return names.PartID(f.Session(), n) }, 2)
		v.Up = b.linkTo(names.SessionID(f.Session()))
	case names.TypeMemory:
		switch s := f.Session(); {
		case s != "":
			v.Up = b.linkTo(names.SessionID(s))
		case names.IsOwnMemory(f.ID):
			v.Up = b.link(names.HomeID, "Home")
		default:
			v.Up = b.projectLink(f.Project)
		}
	case names.TypeFile, names.TypeIssue, names.TypePR:
		v.Up = b.projectLink(f.Project)
	case names.TypeDay:
		v = b.periodNav(f, "day:", b.dayLink)
		if week := b.weekLink(names.WeekOf(strings.TrimPrefix(f.ID, "day:"))); week.Path != "" {
			v.Up = week
		}
	case names.TypeWeek:
		v = b.periodNav(f, "week:", b.weekLink)
	case names.TypeProject, names.TypeThreads:
		v.Up = b.link(names.HomeID, "Home")
	}
	v.Prev, v.Next, v.Up = shown(v.Prev), shown(v.Next), shown(v.Up)
	return b.Templates.Page(v)
}

func (b *Builder) sessionNav(f facts.Facts) templates.Nav {
	var v templates.Nav
	r := b.Notes.Project(f.Project)
	before, after := r.Neighbours(f)
	if before != nil {
		v.Prev = b.sessionLink(*before)
	}
	if after != nil {
		v.Next = b.sessionLink(*after)
	}
	for _, d := range f.Days {
		if l := b.dayLink(d); l.Path != "" {
			v.Days = append(v.Days, l)
		}
	}
	for _, path := range f.Files {
		if id := names.FileID(f.Project, path); r.HasFileNote(id) && len(v.Files) < NavFiles {
			v.Files = append(v.Files, b.link(id, path))
		}
	}
	v.Issues = b.issueLinks(f)
	for _, m := range r.Memory {
		if m.Session() == f.Session() {
			v.Memory = append(v.Memory, b.link(m.ID, m.Title))
		}
	}
	for _, fork := range b.Notes.WithKey("fork:" + f.Session()) {
		v.Forks = append(v.Forks, b.sessionLink(fork))
	}
	return v
}

func (b *Builder) issueLinks(f facts.Facts) (out []templates.Link) {
	for _, i := range f.Issues() {
		if l := b.linkTo(i.ID()); l.Path != "" && !slices.Contains(out, l) && len(out) < NavFiles {
			out = append(out, l)
		}
	}
	return out
}

func (b *Builder) chainNav(f facts.Facts, id func(int) string, first int) templates.Nav {
	var v templates.Nav
	n, err := strconv.Atoi(f.ID[strings.LastIndexByte(f.ID, ':')+1:])
	if err != nil {
		return v
	}
	if n > first {
		v.Prev = b.linkTo(id(n - 1))
	}
	v.Next = b.linkTo(id(n + 1))
	return v
}

func (b *Builder) dayLink(day string) templates.Link {
	text := day
	if t, err := time.Parse(time.DateOnly, day); err == nil {
		text = t.Format("Mon 2 Jan 2006")
	}
	return b.link(names.DayID(day), text)
}

func (b *Builder) periodNav(f facts.Facts, kind string, link func(string) templates.Link) templates.Nav {
	v := templates.Nav{Up: b.link(names.HomeID, "Home")}
	before, after := b.Notes.Neighbours(f.ID)
	if before != "" {
		v.Prev = link(strings.TrimPrefix(before, kind))
	}
	if after != "" {
		v.Next = link(strings.TrimPrefix(after, kind))
	}
	return v
}

// link links to a note under a text, or returns only the text if the note does not exist. Masks are numbered
// as in the note's title: brackets added later would end the link.
func (b *Builder) link(id, text string) templates.Link {
	return templates.Link{Path: templates.Path(b.Notes.Note(id).Path), Text: templates.Text(redact.Number(text)[0])}
}

func (b *Builder) linkTo(id string) templates.Link {
	at := b.Notes.Note(id)
	return templates.Link{Path: templates.Path(at.Path), Text: templates.Text(cmp.Or(at.Title, id))}
}

// wikilink returns a link in the form of a property, or "" if the note does not exist.
func wikilink(l templates.Link) string {
	if l.Path == "" {
		return ""
	}
	return l.String()
}

func (b *Builder) projectLink(key string) templates.Link {
	return b.link(names.ProjectID(key), identity.ShortName(key))
}

// folderLinks links to the projects of the folders of a workspace that have a page.
func (b *Builder) folderLinks(own string, keys []string) []templates.Link {
	var out []templates.Link
	for _, key := range keys {
		if l := b.projectLink(key); key != own && l.Path != "" {
			out = append(out, l)
		}
	}
	return out
}

// Links returns the links in the frontmatter of a note.
func (b *Builder) Links(f facts.Facts) facts.Links {
	var l facts.Links
	if f.Type != names.TypeProject && f.Project != "" {
		l.Project = wikilink(b.projectLink(f.Project))
	}
	if s := f.Session(); s != "" && f.Type != names.TypeSession {
		l.Session = wikilink(b.linkTo(names.SessionID(s)))
	}
	return l
}

func (b *Builder) sessionLink(f facts.Facts) templates.Link {
	return b.link(f.ID, cmp.Or(strings.TrimRight(f.Title, ":： "), f.Title)) // text follows it in the line
}
