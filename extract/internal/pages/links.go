package pages

import (
	"cmp"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/templates"
)

// link points to a note under a given text, or is only that text where there is
// no such note. Masks are numbered as in the title of that note: brackets that come
// later would end the link.
func (b *Builder) link(id, text string) templates.Link {
	return templates.Link{Path: templates.Path(b.Notes.Note(id).Path), Text: templates.Text(redact.Number(text)[0])}
}

// linkTo points to a note under the title it has in the vault.
func (b *Builder) linkTo(id string) templates.Link {
	at := b.Notes.Note(id)
	return templates.Link{Path: templates.Path(at.Path), Text: templates.Text(cmp.Or(at.Title, id))}
}

// wikilink is a link as a property holds it, empty where there is no such note.
func wikilink(l templates.Link) string {
	if l.Path == "" {
		return ""
	}
	return l.String()
}

func (b *Builder) projectLink(key string) templates.Link {
	return b.link(names.ProjectID(key), identity.ShortName(key))
}

// folderLinks point to the projects of the folders of a workspace, as far as they
// have a page.
func (b *Builder) folderLinks(own string, keys []string) []templates.Link {
	var out []templates.Link
	for _, key := range keys {
		if l := b.projectLink(key); key != own && l.Path != "" {
			out = append(out, l)
		}
	}
	return out
}

// Links are those in the frontmatter of a note.
func (b *Builder) Links(f facts.Facts) facts.Links {
	var l facts.Links
	if f.Type != names.TypeProject && f.Project != "" {
		l.Project = wikilink(b.projectLink(f.Project))
	}
	if f.Parent != "" {
		l.Parent = wikilink(b.linkTo(names.SessionID(f.Parent)))
	}
	if s := f.Session(); s != "" && f.Type != names.TypeSession {
		l.Session = wikilink(b.linkTo(names.SessionID(s)))
	}
	return l
}

// sessionLink points to a session under the title it has in the vault.
func (b *Builder) sessionLink(f facts.Facts) templates.Link { return b.link(f.ID, f.Title) }
