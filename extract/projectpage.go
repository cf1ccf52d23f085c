package extract

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
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
	threads := r.threads()
	if err := p.storeThreads(key, threads); err != nil {
		return nil, err
	}
	pr := identity.ProjectFromKey(key)
	f := facts{ID: names.ProjectID(key), Type: names.TypeProject, Title: pr.Name, Project: key, Sessions: len(r.sessions), Open: len(threads)}
	if pr.Owner != "" {
		f.Repository = key
	}
	f.Created, f.Updated = span(append(slices.Clone(r.sessions), r.memory...))
	return &draft{
		facts: f, path: names.ProjectPath(pr), remove: len(r.sessions) == 0 && len(r.memory) == 0,
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
		Name: identity.ShortName(pr.Key), URL: pr.URL(), Count: len(r.sessions), Weeks: p.weeks(r.sessions),
		SessionsBase: p.fileLink(names.SessionsBaseID, names.SessionsBasePath), FilesBase: p.fileLink(names.FilesBaseID, names.FilesBasePath),
	}
	if len(r.sessions) >= canvasMinimum {
		v.Canvas = p.fileLink(names.CanvasID(pr.Key), p.inProject(pr.Key, names.CanvasPath(pr)))
	}
	if pr.Owner != "" {
		v.Repository = pr.Owner + "/" + pr.Repo
	}
	first, last := span(append(slices.Clone(r.sessions), r.memory...))
	v.First, v.Last = p.local(first), p.local(last)
	threads := r.threads()
	v.Open, v.MoreOpen = p.threadViews(threads, projectOpen, false)
	open := openCounts(threads)
	for i := len(r.sessions) - 1; i >= 0; i-- {
		s := r.sessions[i]
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
	for _, s := range r.sessions {
		folders = append(folders, s.Folders...)
	}
	slices.Sort(folders)
	v.Folders = p.folderLinks(pr.Key, slices.Compact(folders))
	p.fillProject(&v, r, pr)
	return p.Pages.Project(v)
}

func (p *pass) fillProject(v *templates.Project, r *region, pr identity.Project) {
	hot := r.hot(p.Settings.HotFiles)
	v.Hot = hotChart(hot)
	for _, h := range hot {
		if len(v.Files) == p.Settings.HotFiles.Listed {
			break
		}
		v.Files = append(v.Files, templates.FileRow{
			Link: p.link(names.FileID(pr.Key, h.path), h.path), Sessions: len(h.sessions), Last: p.local(h.last)})
	}
	v.Memory = p.memoryRows(r.memory, projectMemory)
	seen := map[string]bool{}
	for i := len(r.sessions) - 1; i >= 0; i-- {
		for _, ref := range r.sessions[i].Refs {
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
func (p *pass) memoryRows(memory []facts, limit int) []templates.MemoryRow {
	var out []templates.MemoryRow
	for i := len(memory) - 1; i >= 0 && len(out) < limit; i-- {
		m := memory[i]
		out = append(out, templates.MemoryRow{Kind: m.Kind, Link: p.link(m.ID, m.Title), At: p.local(m.lastChange())})
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

// span is the time from the first to the last of what notes tell.
func span(list []facts) (first, last time.Time) {
	for _, f := range list {
		if first.IsZero() || !f.Created.IsZero() && f.Created.Before(first) {
			first = f.Created
		}
		if u := f.lastChange(); u.After(last) {
			last = u
		}
	}
	return first, last
}

// threads are the open ends of a project: boxes of its session notes that no
// later one ticked.
func (r *region) threads() []content.TaskBox {
	r.once.Do(r.findOpen)
	return r.open
}

func (r *region) findOpen() {
	var boxes []content.TaskBox
	for _, s := range r.sessions {
		for _, b := range s.Boxes {
			at := s.lastChange()
			boxes = append(boxes, content.TaskBox{Key: content.TaskKey(b.Text), Text: b.Text, Ticked: b.Ticked, Session: s.ID, At: at})
		}
	}
	r.open = content.OpenTasks(boxes)
}

// hotFile is a file with the sessions that edited it.
type hotFile struct {
	path     string
	sessions []int
	last     time.Time
	score    float64
}

func (r *region) hotFile(path string, h HotFiles) hotFile {
	f := hotFile{path: path, sessions: r.files[path]}
	var times []time.Time
	for _, i := range f.sessions {
		at := r.sessions[i].lastChange()
		times = append(times, at)
		if at.After(f.last) {
			f.last = at
		}
	}
	f.score = content.HotScore(times, h.HalfLife)
	return f
}

// together are the files most often edited in the same sessions as one.
func (r *region) together(path string, h HotFiles) []hotFile {
	counts := map[string]int{}
	for _, i := range r.files[path] {
		for _, other := range r.sessions[i].Files {
			if other != path {
				counts[other]++
			}
		}
	}
	var out []hotFile
	for other, n := range counts {
		if n >= h.MinSessions {
			out = append(out, hotFile{path: other, score: float64(n), last: r.hotFile(other, h).last})
		}
	}
	slices.SortFunc(out, func(a, b hotFile) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return cmp.Compare(a.path, b.path)
	})
	return out[:min(fileTogether, len(out))]
}
