package extract

import (
	"github.com/sessionloom/sessionloom/templates"
)

// link points to a note, or is only its text where there is no such note.
func (p *pass) link(id, text string) templates.Link {
	return templates.Link{Path: p.pathOf(id), Text: text}
}

// pathOf returns where links to a note point, empty where there is none.
func (p *pass) pathOf(id string) string {
	p.mu.Lock()
	path, ok := p.paths[id]
	p.mu.Unlock()
	if ok {
		return path
	}
	row, known, err := p.Ledger.Note(id)
	if err != nil || !known {
		path = ""
	} else {
		path = p.linkPath(row)
	}
	p.setPath(id, path)
	return path
}

// wikilink is a link as a property holds it, empty where there is no such note.
func (p *pass) wikilink(id, text string) string {
	l := p.link(id, text)
	if l.Path == "" {
		return ""
	}
	return templates.Wikilink(l)
}

func (p *pass) projectLink(key string) templates.Link {
	return p.link(projectID(key), shortName(key))
}

// propertyLinks are the links in a note's frontmatter.
func (p *pass) propertyLinks(f facts) linkTexts {
	var l linkTexts
	if f.Type != typeProject && f.Project != "" {
		l.project = p.wikilink(projectID(f.Project), shortName(f.Project))
	}
	if f.Parent != "" {
		l.parent = p.wikilink(sessionID(f.Parent), p.titleOf(sessionID(f.Parent)))
	}
	if s := f.session(); s != "" && f.Type != typeSession {
		l.session = p.wikilink(sessionID(s), p.titleOf(sessionID(s)))
	}
	return l
}

// titleOf is the title a note has in the vault, else its id.
func (p *pass) titleOf(id string) string {
	f, ok := p.factsAt(id)
	if !ok || f.Title == "" {
		return id
	}
	return f.Title
}

func (p *pass) factsAt(id string) (facts, bool) {
	row, known, err := p.Ledger.Note(id)
	if err != nil || !known {
		return facts{}, false
	}
	f, err := decodeFacts(row.Facts)
	return f, err == nil
}

// sessionLink points to a session under the title it has in the vault.
func (p *pass) sessionLink(f facts) templates.Link { return p.link(f.ID, f.Title) }

// shortName is how a project is called where its owner goes without saying.
func shortName(key string) string {
	pr := projectFromKey(key)
	if pr.Repo != "" {
		return pr.Repo
	}
	return pr.Name
}
