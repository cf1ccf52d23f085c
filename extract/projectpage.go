package extract

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/templates"
)

// projectPage plans the overview of a project.
func (p *pass) projectPage(key string) (*draft, error) {
	r, err := p.atlas.project(key)
	if err != nil {
		return nil, err
	}
	threads := r.OpenTasks()
	if err := p.storeThreads(key, threads); err != nil {
		return nil, err
	}
	pr := identity.ProjectFromKey(key)
	f := facts.Facts{ID: names.ProjectID(key), Type: names.TypeProject, Title: pr.Name, Project: key, Sessions: len(r.Sessions), Open: len(threads)}
	if pr.Owner != "" {
		f.Repository = key
	}
	f.Created, f.Updated = facts.Span(append(slices.Clone(r.Sessions), r.Memory...))
	return &draft{
		facts: f, path: names.ProjectPath(pr), remove: len(r.Sessions) == 0 && len(r.Memory) == 0,
		body: func(*openSession) (string, error) { return p.projectBody(pr) },
	}, nil
}

func (p *pass) storeThreads(key string, threads []content.TaskBox) error {
	rows := make([]ledger.Thread, len(threads))
	for i, t := range threads {
		rows[i] = ledger.Thread{Project: key, At: stamp(t.At), Session: t.Session, Text: t.Text}
	}
	if err := p.rethreaded(key, rows); err != nil {
		return err
	}
	return p.Ledger.PutThreads(key, rows)
}

func (p *pass) projectBody(pr identity.Project) (string, error) {
	r, err := p.atlas.project(pr.Key)
	if err != nil {
		return "", err
	}
	v := templates.Project{
		Name: identity.ShortName(pr.Key), URL: pr.URL(), Count: len(r.Sessions), Weeks: p.weeks(r.Sessions),
		SessionsBase: p.fileLink(names.SessionsBaseID, names.SessionsBasePath), FilesBase: p.fileLink(names.FilesBaseID, names.FilesBasePath),
	}
	if len(r.Sessions) >= canvasMinimum {
		v.Canvas = p.fileLink(names.CanvasID(pr.Key), p.inProject(pr.Key, names.CanvasPath(pr)))
	}
	if pr.Owner != "" {
		v.Repository = pr.Owner + "/" + pr.Repo
	}
	first, last := facts.Span(append(slices.Clone(r.Sessions), r.Memory...))
	v.First, v.Last = p.local(first), p.local(last)
	threads := r.OpenTasks()
	v.Open, v.MoreOpen = p.threadViews(threads, projectOpen, false)
	open := openCounts(threads)
	for i := len(r.Sessions) - 1; i >= 0; i-- {
		s := r.Sessions[i]
		if len(v.Sessions) == projectSessions {
			v.MoreSessions = i + 1
			break
		}
		v.Sessions = append(v.Sessions, p.sessionRow(s, open[s.ID], false))
	}
	if len(v.Sessions) > 0 {
		v.Latest = v.Sessions[0].Link
	}
	var folders []string
	for _, s := range r.Sessions {
		folders = append(folders, s.Folders...)
	}
	slices.Sort(folders)
	v.Folders = p.folderLinks(pr.Key, slices.Compact(folders))
	p.fillProject(&v, r, pr)
	return p.Pages.Project(v)
}

func (p *pass) fillProject(v *templates.Project, r *facts.ProjectIndex, pr identity.Project) {
	hot := r.Hot(p.Settings.HotFiles)
	v.Hot = hotChart(hot)
	for _, h := range hot {
		if len(v.Files) == p.Settings.HotFiles.Listed {
			break
		}
		v.Files = append(v.Files, templates.FileRow{
			Link: p.link(names.FileID(pr.Key, h.Path), h.Path), Sessions: h.Sessions, Last: p.local(h.Last)})
	}
	v.Memory = p.memoryRows(r.Memory, projectMemory)
	seen := map[string]bool{}
	for i := len(r.Sessions) - 1; i >= 0; i-- {
		for _, ref := range r.Sessions[i].Refs {
			kind, value, _ := strings.Cut(ref, " ")
			if kind == "commit" || seen[ref] || len(v.Refs) == projectRefs {
				continue
			}
			seen[ref] = true
			v.Refs = append(v.Refs, templates.Ref{Type: kind, Value: value, URL: refURLOf(pr, kind, value)})
		}
	}
}

// memoryRows lists memories, newest first.
func (p *pass) memoryRows(memory []facts.Facts, limit int) []templates.MemoryRow {
	var out []templates.MemoryRow
	for i := len(memory) - 1; i >= 0 && len(out) < limit; i-- {
		m := memory[i]
		out = append(out, templates.MemoryRow{Kind: m.Kind, Link: p.link(m.ID, m.Title), At: p.local(m.LastChange())})
	}
	return out
}

func refURLOf(pr identity.Project, kind, value string) string {
	if kind == "pr" {
		return pr.PullURL(value)
	}
	return pr.IssueURL(value)
}

// threadViews lists open ends, and counts those beyond the limit.
func (p *pass) threadViews(threads []content.TaskBox, limit int, withProject bool) ([]templates.Thread, int) {
	var out []templates.Thread
	for _, t := range threads[:min(limit, len(threads))] {
		out = append(out, p.threadView(t, withProject))
	}
	return out, max(0, len(threads)-limit)
}

func (p *pass) threadView(t content.TaskBox, withProject bool) templates.Thread {
	v := templates.Thread{Text: templates.Safe(t.Text), Session: p.linkTo(t.Session), At: p.local(t.At)}
	if withProject {
		v.Project = p.projectLink(p.placeOf(t.Session).project)
	}
	return v
}

func openCounts(threads []content.TaskBox) map[string]int {
	m := map[string]int{}
	for _, t := range threads {
		m[t.Session]++
	}
	return m
}
