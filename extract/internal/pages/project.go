package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
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
	s := latest[max(0, slices.IndexFunc(latest, facts.Facts.Matters))]
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
	for _, m := range r.Memory {
		for _, row := range m.Of(facts.RowFact) {
			if m.Session() == "" && len(v.Memory) < projectMemory {
				v.Memory = append(v.Memory, templates.Fact{Text: templates.Text(row.Text), Link: b.link(m.ID, m.Title)})
			}
		}
	}
}

func (b *Builder) fillProject(v *templates.Project, r *facts.ProjectIndex, pr identity.Project) {
	for _, h := range r.Hot(b.HotFiles) {
		if len(v.Files) == b.HotFiles.Listed {
			break
		}
		row := templates.FileRow{Link: b.link(names.FileID(pr.Key, h.Path), h.Path), Sessions: h.Sessions, Last: b.local(h.Last)}
		if changes := b.changes(r, h.Path); len(changes) > 0 {
			row.Why = changes[0].Link
			row.Why.Text = changes[0].Why
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

// issueRows lists the issues and pull requests that the sessions of a project name, those named
// last first. What may be another one is listed where it has a note.
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

// refOf names an issue or pull request of which a session of a project tells, with its note.
func (b *Builder) refOf(project, kind, value string) templates.Ref {
	ref := templates.Ref{Type: templates.Text(kind), Value: templates.Text(value)}
	if issue, ok := names.IssueNamed(project, kind, value); ok {
		ref.Value, ref.URL = templates.Text(issue.ValueIn(project)), templates.Address(issue.URL())
		ref.Note = templates.Path(b.Notes.Note(issue.ID()).Path)
	}
	return ref
}

func (b *Builder) changes(r *facts.ProjectIndex, path string) (out []templates.FileChange) {
	for _, c := range r.Changes(path) {
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

// base is where links to a base lead, empty where its user deleted it.
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

// tokenRows tell of each day how many tokens a session used, those of its sub-agents among them. What
// a fork has of its parent counts there.
func tokenRows(s *sources.Session, zone *time.Location) []facts.Row {
	var rows []facts.Row
	var began time.Time // the first turn of its own
	add := func(at time.Time, t *sources.Tokens) {
		if t == nil {
			return
		}
		day := at.In(zone).Format(time.DateOnly)
		i := slices.IndexFunc(rows, func(r facts.Row) bool { return r.At.In(zone).Format(time.DateOnly) == day })
		if i < 0 {
			i, rows = len(rows), append(rows, facts.Row{Key: facts.RowTokens, At: at})
		}
		rows[i].What = strconv.Itoa(facts.Tokens(rows[i:i+1]) + int(t.In+t.Out))
		if at.After(rows[i].At) {
			rows[i].At = at
		}
	}
	for _, t := range s.Turns {
		if t.Inherited {
			continue
		}
		began = cmp.Or(began, t.At)
		add(cmp.Or(t.End, t.At), t.Tokens)
	}
	for _, d := range s.Delegated {
		if s.Parent == "" || !d.At.Before(began) {
			add(d.At, d.Tokens)
		}
	}
	return rows
}

// modelsOf are the models of a session, in a fork those of its own turns where these tell.
func modelsOf(s *sources.Session) []string {
	var own []string
	for _, t := range s.Turns {
		if s.Parent != "" && !t.Inherited && t.Model != "" {
			own = append(own, t.Model)
		}
	}
	if own == nil {
		own = s.Models
	}
	return own
}

// usage tells by which models sessions were, those of most sessions first, and how many tokens rows
// tell of.
func usage(sessions []facts.Facts, rows []facts.Row) templates.Usage {
	u := templates.Usage{Tokens: facts.Tokens(rows)}
	for _, s := range sessions {
		for _, model := range s.Models {
			i := slices.IndexFunc(u.Models, func(m templates.ModelUse) bool { return m.Model == templates.Code(model) })
			if i < 0 {
				i, u.Models = len(u.Models), append(u.Models, templates.ModelUse{Model: templates.Code(model)})
			}
			u.Models[i].Sessions++
		}
	}
	slices.SortFunc(u.Models, func(a, b templates.ModelUse) int {
		return cmp.Or(b.Sessions-a.Sessions, cmp.Compare(a.Model, b.Model))
	})
	return u
}

// What a project's canvas shows.
const (
	canvasSessions = 40
	canvasFiles    = 15
	canvasWeeks    = 8 // weeks up to which it is divided by week, else by month
)

// Canvas shows the latest sessions of a project, with what came of them, and its hottest
// files, with an arrow from each session to the files it changed. It is empty where there is to
// be none.
func (b *Builder) Canvas(key string) string {
	if !b.hasCanvas(key) {
		return ""
	}
	r := b.Notes.Project(key)
	c := templates.Canvas{Top: b.canvasNote(names.ProjectID(key))}
	files := map[string]string{} // path of a file → id of its node
	for _, h := range r.Hot(b.HotFiles) {
		if note := b.canvasNote(names.FileID(key, h.Path)); note.Path != "" && len(c.Files) < canvasFiles {
			c.Files = append(c.Files, note)
			files[h.Path] = note.ID
		}
	}
	sessions := slices.DeleteFunc(slices.Clone(r.Sessions), func(f facts.Facts) bool { return b.Notes.Note(f.ID).Path == "" })
	sessions = sessions[max(0, len(sessions)-canvasSessions):]
	period := b.canvasPeriod(sessions)
	for _, s := range sessions {
		shown := templates.CanvasSession{ID: names.CanvasNodeID(s.ID), Row: b.sessionRow(s, false), Open: s.Unticked()}
		label := period(b.local(s.Created))
		if n := len(c.Groups); n == 0 || c.Groups[n-1].Label != label {
			c.Groups = append(c.Groups, templates.CanvasGroup{ID: texts.Digest("canvas "+key+" "+label, 16), Label: label})
		}
		g := &c.Groups[len(c.Groups)-1]
		g.Sessions = append(g.Sessions, shown)
		for _, path := range s.Files {
			if to := files[path]; to != "" {
				c.Arrows = append(c.Arrows, templates.CanvasArrow{ID: texts.Digest(s.ID+" "+path, 16), From: shown.ID, To: to})
			}
		}
	}
	return c.Text()
}

func (b *Builder) canvasNote(id string) templates.CanvasNote {
	path := b.Notes.Note(id).Path
	if path != "" {
		path += ".md"
	}
	return templates.CanvasNote{ID: names.CanvasNodeID(id), Path: path}
}

// canvasPeriod gives the words of the groups: weeks of a short time, else months.
func (b *Builder) canvasPeriod(sessions []facts.Facts) func(time.Time) string {
	first, last := facts.Span(sessions)
	byWeek := last.Sub(first) <= canvasWeeks*7*24*time.Hour
	return func(t time.Time) string {
		switch {
		case t.IsZero():
			return "undated"
		case byWeek:
			return names.WeekTitle(mondayOf(t))
		}
		return t.Format("January 2006")
	}
}
