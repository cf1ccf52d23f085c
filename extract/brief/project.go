package brief

import (
	"cmp"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/sources"
)

// Brief describes a project, with the most valuable first in each list.
type Brief struct {
	Schema    int        `json:"schema"`
	Project   string     `json:"project"` // key
	Name      string     `json:"project_name"`
	Since     time.Time  `json:"since"`
	Until     time.Time  `json:"until"`
	Sessions  int        `json:"sessions"`
	Created   time.Time  `json:"created,omitzero"`
	Updated   time.Time  `json:"updated,omitzero"`
	Agents    []string   `json:"agents"`
	Now       []Outcome  `json:"now"` // outcomes of the latest session, and of later ones on other branches
	Resume    *Resume    `json:"resume,omitempty"`
	Decisions []Decision `json:"decisions"`
	Open      int        `json:"open"` // number of open items
	OpenEnds  []OpenEnd  `json:"open_ends"`
	Memory    []Fact     `json:"memory"` // agents' memory about the repository
	Commands  []Command  `json:"commands"`
	Fixes     []Fix      `json:"fixes"`
	Files     []File     `json:"files"`
	Outcomes  []Outcome  `json:"outcomes"` // outcomes of earlier sessions
	Refs      []Ref      `json:"refs"`     // pull requests and issues
	short     ids
}

// Resume says how to resume the latest session.
type Resume struct {
	Session string   `json:"session"`
	Command []string `json:"command,omitempty"` // the agent's command, the program first; nil: none
	Line    string   `json:"line"`              // the command as typed, or where to find the session
	Prompt  string   `json:"prompt,omitempty"`  // the last one
}

// Decision is a decision of a session.
type Decision struct {
	Text    string    `json:"text"`
	Kind    string    `json:"kind"` // answer, plan, refused, undone
	At      time.Time `json:"at,omitzero"`
	Session string    `json:"session"`
}

// Fact is a line of agents' memory about a repository.
type Fact struct {
	Text string `json:"text"`
}

// Command is a command that worked.
type Command struct {
	Kind     string    `json:"kind"` // test, build, run, lint, deploy
	Command  string    `json:"command"`
	At       time.Time `json:"at,omitzero"` // when it last did
	Session  string    `json:"session"`
	Sessions int       `json:"sessions"` // number in which it worked
}

// Fix is an error and what fixed it.
type Fix struct {
	Error   string    `json:"error"`
	Fix     string    `json:"fix,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Session string    `json:"session"`
}

// File is an often edited file.
type File struct {
	Path     string    `json:"path"`
	Sessions int       `json:"sessions"`
	Updated  time.Time `json:"updated,omitzero"`
	Why      string    `json:"why,omitempty"` // reason of the last change
	Session  string    `json:"session,omitempty"`
}

// Limits of what is listed of a project.
const (
	mostNow      = 3
	mostDecided  = 20
	mostOpen     = 20
	mostMemory   = 30
	mostCommands = 20
	mostFixes    = 12
	mostSessions = 25
	someSessions = 6 // listed whatever their age
	mostRefs     = 12
	longFolder   = 200 // bytes; the command to resume must fit
)

// Project returns the brief of a project, by its key.
func (h *History) Project(key string) Brief {
	x, w := h.index(key), h.writer()
	b := Brief{
		Schema: schema, Project: w.text(key), Name: w.text(identity.ShortName(key)), Since: w.at(h.options.Since), Until: w.at(h.options.Until),
		Sessions: len(x.Sessions), Agents: facts.AgentsOf(x.Sessions), short: h.catalog.Short,
	}
	first, last := facts.Span(append(slices.Clone(x.Sessions), x.Memory...))
	b.Created, b.Updated = w.at(first), w.at(last)
	now, before := h.latest(x)
	b.Now = each(now, w.latest)
	for _, s := range now[:min(1, len(now))] {
		way, prompt := pages.WayFrom(s)
		if len(way.Folder) > longFolder {
			way.Folder = ""
		}
		way.Folder, way.Title = w.text(way.Folder), w.text(way.Title)
		b.Resume = &Resume{Session: way.ID, Command: way.Command(), Line: way.Line(), Prompt: w.text(prompt)}
	}
	b.Decisions = each(x.Decisions(mostDecided), func(d facts.Told) Decision {
		return Decision{w.text(d.Row.Text), d.Row.Act(), w.at(d.Row.At), d.Session.Session()}
	})
	open := x.Threads()
	b.Open = len(open)
	b.OpenEnds = w.ends(open[:min(len(open), mostOpen)])
	b.Memory = w.memory(x)
	b.Commands = w.commands(x)
	b.Fixes = each(x.Fixes(mostFixes), func(f facts.Fix) Fix {
		return Fix{w.text(f.Error), w.text(f.By), w.at(f.Row.At), f.Session.Session()}
	})
	b.Files = w.files(x, h.options.HotFiles)
	b.Outcomes = each(before, w.latest)
	b.Refs = w.refs(facts.RowsOf(x.Sessions, facts.RowRef), func(kind string) bool { return kind != sources.Commit })
	b.Refs = b.Refs[:min(len(b.Refs), mostRefs)]
	return b
}

// latest returns the session that worked last and the last ones on other branches, and the others, newest
// first.
func (h *History) latest(x *facts.ProjectIndex) (now, before []facts.Facts) {
	branches := map[string]bool{"": true}
	latest := facts.NewestFirst(x.Sessions)
	if at := facts.AtWork(latest); at > 0 {
		latest = slices.Concat(latest[at:at+1], latest[:at], latest[at+1:])
	}
	for i, s := range latest {
		old := s.LastChange().Before(h.options.Since)
		switch {
		case i == 0, !branches[s.Branch] && !old && len(now) < mostNow:
			now = append(now, s)
		case len(before) < someSessions, !old && len(before) < mostSessions:
			before = append(before, s)
		}
		branches[s.Branch] = true
	}
	return now, before
}

func (w writer) latest(s facts.Facts) Outcome { return w.outcome(s, s.Summary) }

func (w writer) memory(x *facts.ProjectIndex) []Fact {
	out := []Fact{}
	for _, m := range x.Memory {
		for _, row := range m.Of(facts.RowFact) {
			if m.Session() == "" && len(out) < mostMemory {
				out = append(out, Fact{w.text(row.Text)})
			}
		}
	}
	return out
}

// commands returns the working commands: the most used of each kind, then the next of each. On a tie the
// shorter one comes first, as it covers more of the project.
func (w writer) commands(x *facts.ProjectIndex) []Command {
	all := x.Commands()
	slices.SortStableFunc(all, func(a, b facts.Command) int {
		return cmp.Or(b.Sessions-a.Sessions, len(a.Row.Text)-len(b.Row.Text))
	})
	place := map[string]int{}
	places := map[string]int{} // index of each command in its kind
	for _, c := range all {
		places[c.Row.Text] = place[c.Row.What]
		place[c.Row.What]++
	}
	slices.SortStableFunc(all, func(a, b facts.Command) int {
		return cmp.Or(places[a.Row.Text]-places[b.Row.Text], facts.KindsInOrder(a.Row.What, b.Row.What))
	})
	return each(all[:min(len(all), mostCommands)], func(c facts.Command) Command {
		return Command{c.Row.What, w.text(c.Row.Text), w.at(c.Row.At), c.Session.Session(), c.Sessions}
	})
}

func (w writer) files(x *facts.ProjectIndex, of facts.HotFiles) []File {
	out := []File{}
	hot := x.Hot(of)
	for _, h := range hot[:min(len(hot), of.Listed)] {
		f := File{Path: w.text(h.Path), Sessions: h.Sessions, Updated: w.at(h.Last)}
		if changes := x.Changes(h.Path); len(changes) > 0 {
			f.Why, f.Session = w.text(changes[0].Why), changes[0].Session.Session()
		}
		out = append(out, f)
	}
	return out
}
