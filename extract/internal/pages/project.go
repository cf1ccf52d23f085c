package pages

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// projectPage builds the overview of a project.
func (b *Builder) projectPage(key string) *Page {
	r := b.Notes.Project(key)
	threads := r.OpenTasks()
	pr := identity.ProjectFromKey(key)
	f := facts.Facts{ID: names.ProjectID(key), Type: names.TypeProject, Title: pr.Name, Project: key, Sessions: len(r.Sessions), Open: len(threads)}
	if pr.Owner != "" {
		f.Repository = key
	}
	f.Created, f.Updated = facts.Span(append(slices.Clone(r.Sessions), r.Memory...))
	return b.listPage(f, names.ProjectPath(pr), len(r.Sessions) == 0 && len(r.Memory) == 0, func() templates.View { return b.projectView(pr) })
}

func (b *Builder) projectView(pr identity.Project) templates.View {
	r := b.Notes.Project(pr.Key)
	v := templates.Project{
		Name: templates.Text(identity.ShortName(pr.Key)), URL: templates.Address(pr.URL()), Count: len(r.Sessions), Weeks: b.weeks(r.Sessions),
		SessionsBase: b.base(names.SessionsBaseID, names.SessionsBasePath), FilesBase: b.base(names.FilesBaseID, names.FilesBasePath),
	}
	if len(r.Sessions) >= CanvasMinimum {
		v.Canvas = templates.Path(b.Files.Link(names.CanvasID(pr.Key), pr.Key, names.CanvasPath(pr)))
	}
	if pr.Owner != "" {
		v.Repository = templates.Text(pr.Owner + "/" + pr.Repo)
	}
	first, last := facts.Span(append(slices.Clone(r.Sessions), r.Memory...))
	v.First, v.Last = b.local(first), b.local(last)
	threads := r.OpenTasks()
	v.Open, v.MoreOpen = b.threadViews(threads, projectOpen, false)
	open := openCounts(threads)
	for i := len(r.Sessions) - 1; i >= 0; i-- {
		s := r.Sessions[i]
		if len(v.Sessions) == projectSessions {
			v.MoreSessions = i + 1
			break
		}
		v.Sessions = append(v.Sessions, b.sessionRow(s, open[s.ID], false))
	}
	if len(v.Sessions) > 0 {
		v.Latest = v.Sessions[0].Link
	}
	var folders []string
	for _, s := range r.Sessions {
		folders = append(folders, s.Folders...)
	}
	slices.Sort(folders)
	v.Folders = b.folderLinks(pr.Key, slices.Compact(folders))
	b.fillProject(&v, r, pr)
	return v
}

func (b *Builder) fillProject(v *templates.Project, r *facts.ProjectIndex, pr identity.Project) {
	hot := r.Hot(b.HotFiles)
	v.Hot = hotChart(hot)
	for _, h := range hot {
		if len(v.Files) == b.HotFiles.Listed {
			break
		}
		v.Files = append(v.Files, templates.FileRow{
			Link: b.link(names.FileID(pr.Key, h.Path), h.Path), Sessions: h.Sessions, Last: b.local(h.Last)})
	}
	v.Memory = b.memoryRows(r.Memory, projectMemory)
	seen := map[string]bool{}
	for i := len(r.Sessions) - 1; i >= 0; i-- {
		for _, ref := range r.Sessions[i].Refs {
			kind, value, _ := strings.Cut(ref, " ")
			if kind == sources.Commit || seen[ref] || len(v.Refs) == projectRefs {
				continue
			}
			seen[ref] = true
			v.Refs = append(v.Refs, refOf(pr, kind, value))
		}
	}
}

// memoryRows lists memories, newest first.
func (b *Builder) memoryRows(memory []facts.Facts, limit int) []templates.MemoryRow {
	var out []templates.MemoryRow
	for i := len(memory) - 1; i >= 0 && len(out) < limit; i-- {
		m := memory[i]
		out = append(out, templates.MemoryRow{Kind: templates.Text(m.Kind), Link: b.link(m.ID, m.Title), At: b.local(m.LastChange())})
	}
	return out
}

// refOf names a pull request or an issue of a project.
func refOf(pr identity.Project, kind, value string) templates.Ref {
	url := pr.IssueURL(value)
	if kind == sources.PR {
		url = pr.PullURL(value)
	}
	return templates.Ref{Type: templates.Text(kind), Value: templates.Text(value), URL: templates.Address(url)}
}

// base is where links to a base lead, empty where its user deleted it.
func (b *Builder) base(id, path string) templates.Path {
	return templates.Path(b.Files.Link(id, "", path))
}

// threadViews lists open ends, and counts those beyond the limit.
func (b *Builder) threadViews(threads []content.TaskBox, limit int, withProject bool) ([]templates.Thread, int) {
	var out []templates.Thread
	for _, t := range threads[:min(limit, len(threads))] {
		out = append(out, b.threadView(t, withProject))
	}
	return out, max(0, len(threads)-limit)
}

func (b *Builder) threadView(t content.TaskBox, withProject bool) templates.Thread {
	v := templates.Thread{Text: templates.Text(t.Text), Session: b.linkTo(t.Session), At: b.local(t.At)}
	if withProject {
		v.Project = b.projectLink(b.Notes.Note(t.Session).Project)
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
