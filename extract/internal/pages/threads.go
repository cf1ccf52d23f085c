package pages

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// ThreadState is how an open thread stands.
type ThreadState string

// The states of a thread that nobody closed.
const (
	ThreadOpen    ThreadState = "open"
	ThreadUnclear ThreadState = "unclear"
	ThreadPerhaps ThreadState = "perhaps" // something that was done speaks of the same
)

// Thread is one thing that is open in a project.
type Thread struct {
	Project  string // key
	State    ThreadState
	Names    []string // keys of other projects that it names
	Mentions []ends.Mention
	Evidence []ends.Event
	Later    facts.Row // of one that is unclear: a command that worked after it was written last
}

// Newest is how the thread was put last.
func (t Thread) Newest() ends.Mention { return t.words().Newest() }

// ID is that of its block.
func (t Thread) ID() string { return t.words().ID() }

// Since is when it was first told of.
func (t Thread) Since() time.Time { return t.words().Since() }

func (t Thread) words() ends.Thread { return ends.Thread{Mentions: t.Mentions} }

// FindThreads works out what is open in a project: what its sessions left open and nobody closed,
// and what may have closed it, there or in a project that it names.
func (b *Builder) FindThreads(key string) []Thread {
	var all []ends.Project
	if len(b.Notes.Project(key).Threads()) > 0 {
		for _, project := range b.Notes.ProjectKeys() {
			all = append(all, ends.ProjectOf(project, identity.ShortName(project)))
		}
	}
	return FindThreads(key, all, b.Notes.Project)
}

// FindThreads does it for the project key of all, whose notes index tells of.
func FindThreads(key string, all []ends.Project, index func(key string) *facts.ProjectIndex) []Thread {
	own := ends.WordsOf(identity.ShortName(key))
	var out []Thread
	for _, t := range index(key).Threads() {
		thread := Thread{Project: key, State: ThreadOpen, Names: ends.Named(t, key, all), Mentions: t.Mentions}
		events := []*ends.Events{index(key).Events()}
		for _, other := range thread.Names {
			events = append(events, index(other).Events())
		}
		if thread.Evidence = ends.Evidence(t, own, events...); len(thread.Evidence) > 0 {
			thread.State = ThreadPerhaps
		} else if t.Newest().State == ends.Unclear {
			thread.State, thread.Later = ThreadUnclear, laterCommand(t.Newest(), index(key).Sessions)
		}
		out = append(out, thread)
	}
	return out
}

// laterCommand is the last command that worked in a session after an end of it was written. The
// last answer comes after all of them.
func laterCommand(m ends.Mention, sessions []facts.Facts) (last facts.Row) {
	if i := slices.IndexFunc(sessions, func(f facts.Facts) bool { return f.ID == m.Session }); i >= 0 && m.Origin != "answer" && !strings.HasPrefix(m.Origin, "t-") {
		for _, r := range sessions[i].Of(facts.RowCommand) {
			if !r.At.Before(m.At) {
				last = r
			}
		}
	}
	return last
}

// openEnds are the boxes of a session note: what the session left open, its newest wording with
// the older ones below.
func (b *Builder) openEnds(s *sources.Session, threads []ends.Thread) []templates.Box {
	var out []templates.Box
	blocks := b.blocks(s)
	for _, t := range threads {
		m := t.Newest()
		v := templates.Box{Text: templates.Text(m.Text), Block: templates.Path(m.ID), Unclear: m.State == ends.Unclear, From: b.originLink(s.ID, "", originOf(m, blocks))}
		for _, was := range t.Mentions[1:] {
			if ends.Key(was.Text) != ends.Key(m.Text) {
				v.Before = append(v.Before, templates.Text(was.Text))
			}
		}
		v.After = typed[templates.Text](waitsFor(s, m.Todo))
		out = append(out, v)
	}
	return out
}

// waitsFor are the titles of the todos that one waits for and that are not done.
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

// doneBoxes are what a session shows as done.
func doneBoxes(done []ends.Mention) []templates.Box {
	var out []templates.Box
	for _, m := range done {
		if len(out) < doneShown {
			out = append(out, templates.Box{Text: templates.Text(m.Text)})
		}
	}
	return out
}

// originLink points to what told of an end of a session; on the note of the session itself path
// is empty.
func (b *Builder) originLink(session string, path templates.Path, from string) templates.Link {
	number, isCheckpoint := strings.CutPrefix(from, "cp")
	switch {
	case isCheckpoint:
		return b.link("checkpoint:"+session+":"+number, "checkpoint "+number)
	case from == "answer":
		return templates.Link{Path: path, Text: "last answer"}
	case strings.HasPrefix(from, "t-"):
		return templates.Link{Path: path + "#^" + templates.Path(from), Text: "last answer"}
	case from == "plan":
		return b.link("memory:"+session+":plan", "plan")
	}
	return templates.Link{Path: path, Text: templates.Text(from)}
}

// threadView shows an open thread on a page of lists. ticked are the boxes that are ticked on it
// and stay open all the same.
func (b *Builder) threadView(t Thread, ticked []string) templates.Thread {
	m := t.Newest()
	at := b.linkTo(m.Session)
	v := templates.Thread{
		Text: templates.Text(m.Text), Block: templates.Path(t.ID()), Session: at, Project: b.projectLink(t.Project),
		From: b.originLink(strings.TrimPrefix(m.Session, "session:"), at.Path, m.Origin), Since: b.local(t.Since()),
		Refused: slices.Contains(ticked, t.ID()),
	}
	seen := map[string]bool{ends.Key(m.Text): true}
	for _, w := range wordings(t.Mentions) {
		if key := ends.Key(w.Text); !seen[key] && len(v.Before) < beforeShown {
			seen[key] = true
			of := b.linkTo(w.Session)
			v.Before = append(v.Before, templates.Wording{Text: templates.Text(w.Text), From: b.originLink(strings.TrimPrefix(w.Session, "session:"), of.Path, w.Origin), Session: of})
		}
	}
	for _, e := range t.Evidence {
		v.Evidence = append(v.Evidence, b.evidenceView(e, t.Project))
	}
	if t.Later.Text != "" {
		v.Later = templates.Later{Command: templates.Code(t.Later.Text), At: b.local(t.Later.At), Turn: templates.Link{Path: at.Path, Text: "later"}}
		if t.Later.From != "" && at.Path != "" {
			v.Later.Turn.Path += "#^" + templates.Path(t.Later.From)
		}
	}
	return v
}

// wordings are all wordings of a thread, newest first.
func wordings(mentions []ends.Mention) (out []ends.Mention) {
	for _, m := range mentions {
		out = append(append(out, m), m.Before...)
	}
	return out
}

func (b *Builder) evidenceView(e ends.Event, project string) templates.Evidence {
	at := b.linkTo(e.Session)
	v := templates.Evidence{At: b.local(e.At), Link: templates.Link{Path: at.Path, Text: templates.Text(e.Text)}}
	if kind, value, ok := strings.Cut(e.What, ":"); ok && kind == sources.Commit {
		v.Link.Text = templates.Text(strings.TrimSpace(value + " " + e.Text))
	}
	if strings.HasPrefix(e.From, "t-") && at.Path != "" {
		v.Link.Path += "#^" + templates.Path(e.From)
	}
	if e.Project != project {
		v.Project = b.projectLink(e.Project)
	}
	return v
}

// staleBefore is the time before which a thread is stale.
func (b *Builder) staleBefore() time.Time {
	return StaleBefore(b.Notes.ActiveDays(activeDays), b.StaleDays, b.Zone)
}

// StaleBefore is the time before which a thread is stale: some days before the last day with
// sessions that has others not long before, so that one date in the future makes nothing stale.
// active are the last days with sessions, the newest first.
func StaleBefore(active []string, days int, zone *time.Location) time.Time {
	for i, day := range active[:min(len(active), activeDays)] {
		last, err := time.ParseInLocation(time.DateOnly, day, zone)
		if err != nil || days == 0 {
			continue
		}
		before := last.AddDate(0, 0, -days)
		if i+1 < len(active) && active[i+1] < before.Format(time.DateOnly) {
			continue
		}
		return before
	}
	return time.Time{}
}

// activeDays is how many days with sessions are looked at for what is stale.
const activeDays = 16

// What is shown of threads.
const (
	doneShown   = 12
	beforeShown = 5
)

// threadsPage builds the page of everything left open.
func (b *Builder) threadsPage(string) *Page {
	n, first, last := b.Notes.Totals()
	states, _ := b.Notes.CountThreads(b.staleBefore())
	f := facts.Facts{ID: names.ThreadsID, Type: names.TypeThreads, Title: b.Layout.ThreadsTitle(), Created: first, Open: states[ThreadOpen]}
	for _, t := range b.Notes.Threads(1) {
		f.Updated = t.Newest().At // a session that leaves nothing open does not move the page
	}
	view := func() templates.View { return b.threadsView() }
	if b.Layout.Catalogue() {
		f.Updated, view = last, b.hotView
	}
	return b.listPage(f, names.ThreadsPath, n == 0, view)
}

// add puts a thread into the group of its state, below its project and session.
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

// threadsView groups what is open by state, project and session.
func (b *Builder) threadsView() templates.Threads {
	all, before, ticked := b.Notes.Threads(threadsShown), b.staleBefore(), b.Notes.TickedOn(names.ThreadsID)
	v := templates.Threads{}
	states, stale := b.Notes.CountThreads(before)
	v.Counts = templates.ThreadCounts{Open: states[ThreadOpen], Unclear: states[ThreadUnclear], Perhaps: states[ThreadPerhaps], Stale: stale}
	groups := map[templates.Text]*templates.ThreadGroup{}
	for _, name := range []templates.Text{"Open", "Unclear", "Perhaps done", "Stale"} {
		groups[name] = &templates.ThreadGroup{Name: name}
	}
	for _, t := range all {
		name := map[ThreadState]templates.Text{ThreadOpen: "Open", ThreadUnclear: "Unclear", ThreadPerhaps: "Perhaps done"}[t.State]
		if t.Newest().At.Before(before) {
			name = "Stale"
		}
		add(groups[name], b.threadView(t, ticked))
	}
	for _, name := range []templates.Text{"Open", "Unclear", "Perhaps done", "Stale"} {
		if len(groups[name].Projects) > 0 {
			v.Groups = append(v.Groups, *groups[name])
		}
	}
	v.More = max(0, v.Counts.Open+v.Counts.Unclear+v.Counts.Perhaps+v.Counts.Stale-len(all))
	return v
}
