package extract

import (
	"cmp"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/templates"
)

// place is where a note lies and what it is called; an empty path means that
// there is no such note.
type place struct {
	path    string // from the vault's root, without ".md"
	title   string
	project string // key
}

// placeOf finds a note. What was found once is remembered until it changes.
func (p *pass) placeOf(id string) place {
	p.mu.Lock()
	found, ok := p.places[id]
	p.mu.Unlock()
	if ok {
		return found
	}
	if row, known, err := p.Ledger.Note(id); err == nil && known {
		f, _ := facts.Decode(row.Facts) // unreadable facts only cost the title
		found = place{path: p.linkPath(row), title: f.Title, project: f.Project}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if newer, ok := p.places[id]; ok { // it was moved or removed meanwhile
		return newer
	}
	p.places[id] = found
	return found
}

func (p *pass) setPlace(id string, at place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.places[id] = at
}

// link points to a note under a given text, or is only that text where there is
// no such note. Masks are numbered as in the title of that note: brackets that come
// later would end the link.
func (p *pass) link(id, text string) templates.Link {
	return templates.Link{Path: p.placeOf(id).path, Text: redact.Number(text)[0]}
}

// linkTo points to a note under the title it has in the vault.
func (p *pass) linkTo(id string) templates.Link {
	at := p.placeOf(id)
	return templates.Link{Path: at.path, Text: cmp.Or(at.title, id)}
}

// wikilink is a link as a property holds it, empty where there is no such note.
func wikilink(l templates.Link) string {
	if l.Path == "" {
		return ""
	}
	return templates.Wikilink(l)
}

func (p *pass) projectLink(key string) templates.Link {
	return p.link(names.ProjectID(key), identity.ShortName(key))
}

// folderLinks point to the projects of the folders of a workspace, as far as they
// have a page.
func (p *pass) folderLinks(own string, keys []string) []templates.Link {
	var out []templates.Link
	for _, key := range keys {
		if l := p.projectLink(key); key != own && l.Path != "" {
			out = append(out, l)
		}
	}
	return out
}

// propertyLinks are the links in a note's frontmatter.
func (p *pass) propertyLinks(f facts.Facts) facts.Links {
	var l facts.Links
	if f.Type != names.TypeProject && f.Project != "" {
		l.Project = wikilink(p.projectLink(f.Project))
	}
	if f.Parent != "" {
		l.Parent = wikilink(p.linkTo(names.SessionID(f.Parent)))
	}
	if s := f.Session(); s != "" && f.Type != names.TypeSession {
		l.Session = wikilink(p.linkTo(names.SessionID(s)))
	}
	return l
}

// sessionLink points to a session under the title it has in the vault.
func (p *pass) sessionLink(f facts.Facts) templates.Link { return p.link(f.ID, f.Title) }
