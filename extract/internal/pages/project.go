package pages

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

func (b *Builder) projectPage(key string) *Page {
	r := b.Notes.Project(key)
	open := b.Notes.ThreadsOf(key)
	pr := identity.ProjectFromKey(key)
	f := facts.Facts{ID: names.ProjectID(key), Type: names.TypeProject, Title: pr.Name, Project: key, Sessions: len(r.Sessions), Open: len(open)}
	if pr.Owner != "" {
		f.Repository = key
	}
	f.Created, f.Updated = facts.Span(append(slices.Clone(r.Sessions), r.Memory...))
	return b.listPage(f, names.ProjectPath(pr), len(r.Sessions) == 0 && len(r.Memory) == 0, func() templates.View { return b.projectView(pr) })
}

func (b *Builder) projectView(pr identity.Project) templates.View {
	r := b.Notes.Project(pr.Key)
	v := templates.Project{
		Name: templates.Text(identity.ShortName(pr.Key)), URL: templates.Address(pr.URL()), Count: len(r.Sessions),
		SessionsBase: b.base(names.SessionsBaseID, names.SessionsBasePath), FilesBase: b.base(names.FilesBaseID, names.FilesBasePath),
	}
	if b.hasCanvas(pr.Key) {
		v.Canvas = templates.Path(b.Files.Link(names.CanvasID(pr.Key), pr.Key, names.CanvasPath(pr)))
	}
	if pr.Owner != "" {
		v.Repository = templates.Text(pr.Owner + "/" + pr.Repo)
	}
	first, last := facts.Span(append(slices.Clone(r.Sessions), r.Memory...))
	v.First, v.Last = b.local(first), b.local(last)
	v.Agents = typed[templates.Text](facts.AgentsOf(r.Sessions))
	var tokens []facts.Row
	for _, s := range r.Sessions {
		tokens = append(tokens, s.Of(facts.RowTokens)...)
	}
	v.Usage = usage(r.Sessions, tokens)
	for _, s := range facts.NewestFirst(r.Sessions) {
		if !s.Matters() {
			if len(v.Others) < projectOthers {
				v.Others = append(v.Others, b.sessionLink(s))
			} else {
				v.MoreOthers++
			}
			continue
		}
		if len(v.Sessions) == projectSessions {
			v.MoreSessions++
			continue
		}
		row := b.sessionRow(s, false)
		if len(v.Agents) > 1 {
			row.Agent = templates.Text(s.Agent)
		}
		v.Sessions = append(v.Sessions, row)
	}
	var folders []string
	for _, s := range r.Sessions {
		folders = append(folders, s.Folders...)
	}
	slices.Sort(folders)
	v.Folders = b.folderLinks(pr.Key, slices.Compact(folders))
	b.fillProjectOpen(&v, pr.Key)
	b.fillNow(&v, r)
	latest := facts.NewestFirst(r.Sessions)
	v.Ended, v.Details = b.sessionsEnded(latest), b.details(latest)
	b.fillKnown(&v, r, pr)
	b.fillProject(&v, r, pr)
	return v
}

func (b *Builder) fillNow(v *templates.Project, r *facts.ProjectIndex) {
	latest := facts.NewestFirst(r.Sessions)
	if len(latest) == 0 {
		return
	}
	s := latest[facts.AtWork(latest)]
	v.Now = templates.Now{What: templates.Text(s.Summary), Link: b.link(s.ID, dayText(b.local(s.LastChange()))), Branch: templates.Code(s.Branch)}
	w, prompt := WayFrom(s)
	var open []templates.Box
	for _, t := range v.Open {
		open = append(open, templates.Box{Text: t.Text})
	}
	v.GoOn = goOn(w, prompt, open)
}

func dayText(at time.Time) string {
	if at.IsZero() {
		return "the session"
	}
	return at.Format("2 Jan 2006")
}

func (b *Builder) fillKnown(v *templates.Project, r *facts.ProjectIndex, pr identity.Project) {
	said := facts.RowsOf(r.Sessions, facts.RowWords)
	for _, at := range said[:min(len(said), projectWords)] {
		v.Words = append(v.Words, templates.Worded{By: templates.Text(strings.ReplaceAll(at.Row.What, "_", " ")), At: b.local(at.Row.At),
			Text: templates.Text(at.Row.Text), From: b.rowLink(*at.Session, at.Row, at.Session.Title)})
	}
	for _, at := range r.Decisions(projectDecided) {
		v.Decided = append(v.Decided, templates.Decided{At: b.local(at.Row.At), Text: templates.Text(at.Row.Text),
			Kind: templates.Text(decisions.Kind(at.Row.Act()).Words()), From: b.rowLink(*at.Session, at.Row, at.Session.Title)})
	}
	commands := r.Commands()
	commands = commands[:min(len(commands), projectCommands)]
	slices.SortStableFunc(commands, func(a, b facts.Command) int { return facts.KindsInOrder(a.Row.What, b.Row.What) })
	for _, at := range commands {
		v.Commands = append(v.Commands, templates.Worked{Kind: templates.Text(at.Row.What), Line: templates.Code(at.Row.Text),
			Link: b.rowLink(*at.Session, at.Row, dayText(b.local(at.Row.At)))})
	}
	for _, at := range r.Fixes(projectCommands) {
		v.Fixes = append(v.Fixes, templates.Fixed{At: b.local(at.Row.At), Text: templates.Text(at.Error), By: templates.Text(at.By), Link: b.rowLink(*at.Session, at.Row, at.Session.Title)})
	}
	isSaved := func(m facts.Facts) bool { return m.Session() != "" }
	memory := slices.DeleteFunc(slices.Clone(r.Memory), isSaved)
	for _, m := range memory[:min(len(memory), projectMemory)] {
		rows := m.Of(facts.RowFact)
		for _, row := range rows[:min(len(rows), projectMemory/min(len(memory), projectMemory))] {
			v.Memory = append(v.Memory, templates.Fact{Text: templates.Text(row.Text), Link: b.link(m.ID, m.Title)})
		}
	}
}

func (b *Builder) fillProject(v *templates.Project, r *facts.ProjectIndex, pr identity.Project) {
	for _, h := range r.Hot(b.HotFiles) {
		if len(v.Files) == b.HotFiles.Listed {
			break
		}
		row := templates.FileRow{Link: b.link(names.FileID(pr.Key, h.Path), h.Path), Sessions: h.Sessions, Last: b.local(h.Last)}
		for _, last := range b.changes(r.Changes(h.Path), 1) {
			row.Why = last.Link
			row.Why.Text = last.Why
		}
		v.Files = append(v.Files, row)
	}
	for _, m := range slices.Backward(r.Memory) {
		if m.Session() != "" && len(v.Saved) < projectMemory {
			v.Saved = append(v.Saved, b.link(m.ID, m.Title))
		}
	}
	v.Refs = b.issueRows(r)
}

// issueRows lists the issues and pull requests that the sessions of a project name, last named first. A
// guessed one is listed only if it has a note.
func (b *Builder) issueRows(r *facts.ProjectIndex) (out []templates.RefRow) {
	at := map[string]int{}
	for _, f := range facts.RowsOf(r.Sessions, facts.RowRef, facts.RowNamed) {
		kind, value, _ := strings.Cut(f.Row.What, ":")
		issue, ok := facts.IssueOf(*f.Session, f.Row)
		id := f.Row.What
		if ok {
			id = issue.ID()
		}
		i, known := at[id]
		if kind == sources.Commit || !known && (len(out) == projectRefs || issue.Guessed && b.Notes.Note(id).Path == "") {
			continue
		}
		if !known {
			i, at[id] = len(out), len(out)
			out = append(out, templates.RefRow{Ref: b.refOf(f.Session.Project, kind, value)})
		}
		row := &out[i]
		if row.Ref.Text == "" && f.Row.Key == facts.RowRef {
			row.Ref.Text = templates.Text(f.Row.Text)
		}
		if l := b.sessionLink(*f.Session); !slices.Contains(row.Sessions, l) {
			row.Sessions = append(row.Sessions, l)
		}
	}
	return out
}

// refOf returns an issue or pull request of a project's session, with its note.
func (b *Builder) refOf(project, kind, value string) templates.Ref {
	ref := templates.Ref{Type: templates.Text(kind), Value: templates.Text(value)}
	if issue, ok := names.IssueNamed(project, kind, value); ok {
		ref.Value, ref.URL = templates.Text(issue.ValueIn(project)), templates.Address(issue.URL())
		ref.Note = templates.Path(b.Notes.Note(issue.ID()).Path)
	}
	return ref
}

func (b *Builder) changes(all []facts.FileChange, limit int) (out []templates.FileChange) {
	for _, c := range all[:min(len(all), limit)] {
		out = append(out, templates.FileChange{At: b.local(c.At), Why: templates.Text(c.Why), Link: b.rowLink(*c.Session, c.Row, c.Session.Title)})
	}
	return out
}

func (b *Builder) memoryRows(memory []facts.Facts, limit int) []templates.MemoryRow {
	var out []templates.MemoryRow
	for i := len(memory) - 1; i >= 0 && len(out) < limit; i-- {
		m := memory[i]
		out = append(out, templates.MemoryRow{Kind: templates.Text(m.Kind), Link: b.link(m.ID, m.Title), At: b.local(m.LastChange())})
	}
	return out
}

// base returns the target of links to a base, or "" if its user deleted it.
func (b *Builder) base(id, path string) templates.Path {
	return templates.Path(b.Files.Link(id, "", path))
}

func (b *Builder) hasCanvas(key string) bool {
	const canvasMinimum = 3 // sessions
	return len(b.Notes.Project(key).Sessions) >= canvasMinimum && b.Notes.Note(names.ProjectID(key)).Path != ""
}

func (b *Builder) fillProjectOpen(v *templates.Project, key string) {
	ticked := b.Notes.TickedOn(names.ProjectID(key))
	v.Threads = b.link(names.ThreadsID, "Open threads")
	all := b.Notes.ThreadsOf(key)
	for _, t := range all[:min(len(all), projectOpen)] {
		v.Open = append(v.Open, b.threadView(t, ticked))
	}
	v.MoreOpen = len(all) - len(v.Open)
}
