package pages

import (
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

func (b *Builder) openEnds(s *sources.Session, open []ends.Mention) []templates.Box {
	var out []templates.Box
	blocks := b.blocks(s)
	for _, m := range open {
		v := templates.Box{Text: templates.Text(m.Shown()), Block: templates.Path(m.ID), From: b.endLink("", withBlock(m, blocks))}
		if m.Kind == ends.Box {
			v.From = b.link(names.MemoryID(s.ID, sources.Artifact{Kind: sources.Plan, Name: m.Plan}), "plan")
		}
		v.After = typed[templates.Text](waitsFor(s, m.Todo))
		out = append(out, v)
	}
	return out
}

type closedEnd struct {
	ends.Mention
	by facts.Facts
}

// closedLater splits the items that a session left open into open ones and those that others closed since,
// which are shown without a box.
func (b *Builder) closedLater(f facts.Facts, ended []ends.Mention) (open []ends.Mention, later []closedEnd) {
	known := map[string][]facts.Facts{}
	for _, m := range ended {
		var others []facts.Facts
		for _, key := range f.TakerKeys(m) {
			if _, met := known[key]; !met {
				known[key] = b.Notes.WithKey(key)
			}
			others = append(others, known[key]...)
		}
		if by, closed := f.ClosedBy(m, others); closed {
			later = append(later, closedEnd{m, by})
		} else {
			open = append(open, m)
		}
	}
	return open, later
}

func (b *Builder) laterBoxes(later []closedEnd) (out []templates.Box) {
	for _, c := range later {
		out = append(out, templates.Box{Text: templates.Text(c.Text), Block: templates.Path(c.ID), From: b.sessionLink(c.by)})
	}
	return out
}

// waitsFor returns the titles of the open todos that one waits for.
func waitsFor(s *sources.Session, todo string) (out []string) {
	if todo == "" {
		return nil
	}
	titles := map[string]string{}
	var after []string
	for _, t := range s.Todos {
		if t.Status != sources.TodoDone {
			titles[t.ID] = t.Title
		}
		if t.ID == todo {
			after = t.After
		}
	}
	for _, id := range after {
		if titles[id] != "" {
			out = append(out, titles[id])
		}
	}
	return out
}

func doneBoxes(done []ends.Mention) []templates.Box {
	var out []templates.Box
	for _, m := range done {
		if len(out) < doneShown {
			out = append(out, templates.Box{Text: templates.Text(m.Text)})
		}
	}
	return out
}

var endWords = map[ends.Kind]templates.Text{ends.List: "task list", ends.Box: "plan", ends.Question: "question", ends.Plan: "plan not approved", ends.Prompt: "prompt"}

// endLink links to the turn of an item in the note of its session; path is empty within that note.
func (b *Builder) endLink(path templates.Path, m ends.Mention) templates.Link {
	l := templates.Link{Path: path, Text: endWords[m.Kind]}
	if m.Block != "" {
		l.Path += "#^" + templates.Path(m.Block)
	}
	return l
}

// threadView shows an open thread on a list. ticked are the boxes that are ticked there and still open.
func (b *Builder) threadView(t Thread, ticked []string) templates.Thread {
	m := t.Newest()
	at := b.linkTo(m.Session)
	return templates.Thread{
		Text: templates.Text(m.Shown()), Block: templates.Path(t.ID()), Session: at, Project: b.projectLink(t.Project),
		From: b.endLink(at.Path, m), Since: b.local(t.Since()), Refused: slices.Contains(ticked, t.ID()),
	}
}

// staleBefore returns the time before which a thread is old: some days before the last day with sessions that
// has others shortly before, so that one future date makes nothing old.
func (b *Builder) staleBefore() time.Time {
	const activeDays = 16 // days with sessions that are examined
	active := b.Notes.ActiveDays(activeDays)
	for i, day := range active {
		last, err := time.ParseInLocation(time.DateOnly, day, b.Zone)
		if err != nil || b.StaleDays == 0 {
			continue
		}
		before := last.AddDate(0, 0, -b.StaleDays)
		if i+1 < len(active) && active[i+1] < before.Format(time.DateOnly) {
			continue
		}
		return before
	}
	return time.Time{}
}

// doneShown limits the done items that a session note shows.
const doneShown = 12

func (b *Builder) threadsPage(string) *Page {
	n, first, _ := b.Notes.Totals()
	open, _ := b.Notes.CountThreads(b.staleBefore())
	f := facts.Facts{ID: names.ThreadsID, Type: names.TypeThreads, Title: "Open threads", Created: first, Open: open}
	for _, t := range b.Notes.Threads(1) {
		f.Updated = t.Newest().At // a session without open items does not change the page
	}
	return b.listPage(f, names.ThreadsPath, n == 0, func() templates.View { return b.threadsView() })
}

// add adds a thread to its group, below its project and session.
func add(g *templates.ThreadGroup, t templates.Thread) {
	i := slices.IndexFunc(g.Projects, func(p templates.ThreadProject) bool { return p.Project == t.Project })
	if i < 0 {
		i, g.Projects = len(g.Projects), append(g.Projects, templates.ThreadProject{Project: t.Project})
	}
	p := &g.Projects[i]
	k := slices.IndexFunc(p.Sessions, func(s templates.ThreadSession) bool { return s.Session == t.Session })
	if k < 0 {
		k, p.Sessions = len(p.Sessions), append(p.Sessions, templates.ThreadSession{Session: t.Session})
	}
	p.Sessions[k].Threads = append(p.Sessions[k].Threads, t)
}

func (b *Builder) threadsView() templates.Threads {
	all, before, ticked := b.Notes.Threads(threadsShown), b.staleBefore(), b.Notes.TickedOn(names.ThreadsID)
	v := templates.Threads{}
	v.Open, v.Old = b.Notes.CountThreads(before)
	groups := []templates.ThreadGroup{{Name: "Open"}, {Name: "Old"}}
	for _, t := range all {
		i := 0
		if t.Newest().At.Before(before) {
			i = 1
		}
		add(&groups[i], b.threadView(t, ticked))
	}
	v.Groups = slices.DeleteFunc(groups, func(g templates.ThreadGroup) bool { return len(g.Projects) == 0 })
	v.More = v.Open - len(all)
	return v
}
