package pages

import (
	"cmp"
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/templates"
)

// What is listed on them. The index of more sessions would be no page any more.
const (
	indexSessions = 2000
	hotSessions   = 12
	hotListed     = 10
)

func (b *Builder) indexView() templates.View {
	n, first, last := b.Notes.Totals()
	v := templates.Index{Count: n, First: b.local(first), Last: b.local(last), More: max(0, n-indexSessions)}
	for _, f := range b.Notes.Latest(names.TypeProject, -1) {
		v.Projects = append(v.Projects, templates.Entry{Link: b.link(f.ID, f.Title), What: templates.Text(f.Summary)})
	}
	groups := map[string]int{}
	for _, s := range b.Notes.Latest(names.TypeSession, indexSessions) {
		i, known := groups[s.Project]
		if !known {
			i = len(v.Journal)
			groups[s.Project] = i
			v.Journal = append(v.Journal, templates.IndexGroup{Project: b.projectLink(s.Project)})
		}
		v.Journal[i].Sessions = append(v.Journal[i].Sessions, b.sessionEntry(s))
	}
	for _, m := range slices.Backward(b.Notes.Memory("")) {
		v.References = append(v.References, templates.Entry{Link: b.link(m.ID, m.Title), What: templates.Text(m.Summary), At: b.local(m.LastChange())})
	}
	return v
}

func (b *Builder) sessionEntry(s facts.Facts) templates.Entry {
	return templates.Entry{Link: b.sessionLink(s), What: templates.Text(s.Summary), At: b.local(s.Created)}
}

func (b *Builder) hotView() templates.View {
	var v templates.Hot
	var projects []string
	for _, s := range b.Notes.Latest(names.TypeSession, hotSessions) {
		v.Sessions = append(v.Sessions, b.sessionEntry(s))
		if !slices.Contains(projects, s.Project) {
			projects = append(projects, s.Project)
		}
	}
	v.Files, v.Open = b.hottest(projects), b.threadsView()
	return v
}

func (b *Builder) hottest(projects []string) []templates.HotFile {
	type in struct {
		facts.HotFile
		project string
	}
	var all []in
	for _, key := range projects {
		for _, h := range b.Notes.Project(key).Hot(b.HotFiles) {
			all = append(all, in{h, key})
		}
	}
	slices.SortFunc(all, func(a, b in) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.project, b.project), cmp.Compare(a.Path, b.Path))
	})
	var out []templates.HotFile
	for _, h := range all[:min(hotListed, len(all))] {
		out = append(out, templates.HotFile{Link: b.link(names.FileID(h.project, h.Path), h.Path), Project: b.projectLink(h.project),
			Sessions: h.Sessions, Last: b.local(h.Last)})
	}
	return out
}

func (b *Builder) homeLink() templates.Link { return b.link(names.HomeID, b.Layout.HomeTitle()) }
