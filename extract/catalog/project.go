package catalog

import (
	"path"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// Project finds the key of the one project that a name stands for: its key, name, a pattern that it
// alone matches, the id, path or title of its page; else whatever stands for one of its sessions or
// notes. It returns a [*NameError] where there is none, or several.
func (c *Catalog) Project(name string) (key string, err error) {
	var all []Entry
	for _, key := range c.ledger.Projects() {
		all = append(all, c.projectEntry(key))
	}
	found := Match(name, all)
	if len(found) == 0 {
		found = oneOf(all, func(e Entry) bool { return identity.ProjectFromKey(e.Project).Matches(name) })
	}
	if len(found) == 0 {
		found = c.projectsOf(Match(name, append(c.Sessions(), c.Notes()...)))
	}
	if len(found) != 1 {
		return "", &NameError{Name: name, Of: "project", Found: found}
	}
	return found[0].Project, nil
}

func (c *Catalog) projectsOf(some []Entry) (out []Entry) {
	for _, e := range some {
		if e.Project != "" && !slices.ContainsFunc(out, func(o Entry) bool { return o.Project == e.Project }) {
			out = append(out, c.projectEntry(e.Project))
		}
	}
	return out
}

func (c *Catalog) projectEntry(key string) Entry {
	if row, known := c.ledger.Note(names.ProjectID(key)); known {
		return c.entry(row)
	}
	shown := redact.Number(identity.ProjectFromKey(key).Name)[0]
	return Entry{ID: names.ProjectID(key), Type: names.TypeProject, Title: shown, Project: key, Name: nameOf(key)}
}

// Here finds the key of the project of a folder of this machine, as that of a session would be
// found which began there. root and remote are those of the repository in which it lies, see
// [identity.InRepository]; a folder in none belongs to the nearest folder above that sessions worked
// in. It is empty where no session did.
func (c *Catalog) Here(folder, root, remote string) string {
	records := c.ledger.Sessions()
	place, inRepository := identity.InRepository(sources.Place{Cwd: folder}, folder, root, remote)
	for {
		at := identity.EvidenceOf(place)
		all := make([]identity.Located, len(records))
		for i, r := range records {
			if r.OwnProject == at.OwnProject && r.Project != "" && r.Project != identity.KeyLoose {
				return r.Project
			}
			all[i] = identity.Located{FolderEvidence: identity.FolderEvidence{OwnProject: r.Project, Folder: r.Folder, IsGitRoot: r.IsGitRoot}, Updated: r.Updated}
		}
		key := identity.InferProjects(all, nil).Project(identity.Located{FolderEvidence: at, IsConversation: true})
		if slices.Contains(c.ledger.Projects(), key) && key != identity.KeyLoose {
			return key
		}
		above := path.Dir(identity.UnifyPath(place.Cwd))
		if inRepository || above == place.Cwd || identity.IsJunkFolder(above) {
			return ""
		}
		place.Cwd = above
	}
}
