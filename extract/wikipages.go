package extract

import (
	"cmp"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/templates"
)

// In a vault in the layout of a wiki that has none of its own, Home is the index
// and Open threads the hot page: what is there by category, and what is recent.

// What is listed on them. The index of more sessions would be no page any more.
const (
	indexSessions = 2000
	hotSessions   = 12
	hotListed     = 10
)

func (p *pass) indexBody() (string, error) {
	n, first, last, err := p.totals()
	if err != nil {
		return "", err
	}
	v := templates.Index{Count: n, First: p.local(first), Last: p.local(last), More: max(0, n-indexSessions)}
	projects, err := p.projectsByUse()
	if err != nil {
		return "", err
	}
	for _, f := range projects {
		v.Projects = append(v.Projects, templates.Entry{Link: p.link(f.ID, f.Title), What: f.Summary})
	}
	sessions, err := p.latestSessions(indexSessions)
	if err != nil {
		return "", err
	}
	groups := map[string]int{}
	for _, s := range sessions {
		i, known := groups[s.Project]
		if !known {
			i = len(v.Journal)
			groups[s.Project] = i
			v.Journal = append(v.Journal, templates.IndexGroup{Project: p.projectLink(s.Project)})
		}
		v.Journal[i].Sessions = append(v.Journal[i].Sessions, p.sessionEntry(s))
	}
	own, err := p.ownMemory()
	if err != nil {
		return "", err
	}
	for _, m := range slices.Backward(own) {
		v.References = append(v.References, templates.Entry{Link: p.link(m.ID, m.Title), What: m.Summary, At: p.local(m.LastChange())})
	}
	return p.Pages.Index(v)
}

func (p *pass) sessionEntry(s facts.Facts) templates.Entry {
	return templates.Entry{Link: p.sessionLink(s), What: whatCame(s), At: p.local(s.Created)}
}

// latestSessions are sessions as their notes tell of them, newest first.
func (p *pass) latestSessions(limit int) ([]facts.Facts, error) {
	rows, err := p.Ledger.Latest(names.TypeSession, limit)
	if err != nil {
		return nil, err
	}
	return factsOfRows(rows)
}

func (p *pass) hotBody() (string, error) {
	var v templates.Hot
	sessions, err := p.latestSessions(hotSessions)
	if err != nil {
		return "", err
	}
	var projects []string
	for _, s := range sessions {
		v.Sessions = append(v.Sessions, p.sessionEntry(s))
		if !slices.Contains(projects, s.Project) {
			projects = append(projects, s.Project)
		}
	}
	if v.Files, err = p.hottest(projects); err != nil {
		return "", err
	}
	if v.Open, err = p.threadsByProject(); err != nil {
		return "", err
	}
	return p.Pages.Hot(v)
}

// hottest are the hot files of the projects that were worked on last.
func (p *pass) hottest(projects []string) ([]templates.HotFile, error) {
	type in struct {
		facts.HotFile
		project string
	}
	var all []in
	for _, key := range projects {
		r, err := p.atlas.project(key)
		if err != nil {
			return nil, err
		}
		for _, h := range r.Hot(p.Settings.HotFiles) {
			all = append(all, in{h, key})
		}
	}
	slices.SortFunc(all, func(a, b in) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.project, b.project), cmp.Compare(a.Path, b.Path))
	})
	var out []templates.HotFile
	for _, h := range all[:min(hotListed, len(all))] {
		out = append(out, templates.HotFile{Link: p.link(names.FileID(h.project, h.Path), h.Path), Project: p.projectLink(h.project),
			Sessions: h.Sessions, Last: p.local(h.Last)})
	}
	return out, nil
}

// hotFileChanged makes the hot page due when a file got a page or lost it.
func (p *pass) hotFileChanged() error {
	if !p.layout.Catalogue() {
		return nil
	}
	return p.due.mark(ledger.DuePage, names.ThreadsID)
}

// homeLink leads to the entry page.
func (p *pass) homeLink() templates.Link { return p.link(names.HomeID, p.layout.HomeTitle()) }
